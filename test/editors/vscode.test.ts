/** The extension for Visual Studio Code: built and packed by its own tools, whole and nothing else. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import own from '../../package.json' with { type: 'json' };

const builtin = new Set(builtinModules);
const extension = join(import.meta.dirname, '..', '..', 'editors', 'vscode');

describe('the extension for Visual Studio Code', () => {
  it('is packed with its license and all that it needs, and starts only what the user names', function () {
    this.timeout(0);
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-vsix-'));
    const packed = join(folder, 'olm-guard.vsix');
    const npm = (...args: string[]): Buffer =>
      execFileSync('npm', args, { cwd: extension, stdio: ['ignore', 'pipe', 'inherit'] });
    npm('ci', '--no-audit', '--no-fund');
    npm('run', 'package', '--', '--out', packed);
    const files = unzipSync(readFileSync(packed));
    rmSync(folder, { recursive: true });
    expect(Object.keys(files).sort()).to.deep.equal([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/dist/extension.js',
      'extension/package.json',
      'extension/readme.md',
    ]);
    const text = (name: string): string => new TextDecoder().decode(files[name]);
    const required = text('extension/dist/extension.js').matchAll(/require\("(?!node:)([^"]+)"\)/g);
    const ours = [...required].map(([, name = '']) => name).filter((name) => !builtin.has(name));
    expect([...new Set(ours)]).to.deep.equal(['vscode']);
    const manifest = JSON.parse(text('extension/package.json')) as {
      version: string;
      contributes: { configuration: { properties: Record<string, { scope?: string }> } };
      capabilities: { untrustedWorkspaces: { supported: boolean } };
    };
    expect(manifest.version).to.equal(own.version);
    // A folder that somebody else wrote may not name a program.
    const { properties } = manifest.contributes.configuration;
    expect(properties['olm-guard.command']).to.have.property('scope', 'machine');
    expect(manifest.capabilities.untrustedWorkspaces.supported).to.equal(false);
  });
});
