/** A git repository made for one test: what is committed is OLD, what stands in its folder NEW. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

export type Files = Readonly<Record<string, string>>;

export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'olm-guard-repository-'));

  constructor(files: Files = {}) {
    this.git('init', '-q', '-b', 'main');
    this.write(files);
  }

  /** A text that begins with `-> ` makes a link. */
  write(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.folder, name);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { force: true });
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), file);
      else writeFileSync(file, text);
    }
  }

  commit(message = 'one'): void {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }

  git(...argv: readonly string[]): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const options = { cwd: this.folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...argv], options);
    expect(status, stderr).to.equal(0);
    return stdout;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** A folder for PATH that has git and nothing else, or what is given beside it. */
export function programs(others: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-path-'));
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  symlinkSync(git, join(folder, 'git'));
  for (const [name, script] of Object.entries(others)) {
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  return folder;
}

/** A definition as controller-gen writes it; without `size` one field of the spec is gone. */
export function definitionText(plural = 'widgets', { size = true, group = 'example.com' } = {}) {
  const kind = `${plural[0]?.toUpperCase() ?? ''}${plural.slice(1, -1)}`;
  return `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.16.1
  name: ${plural}.${group}
spec:
  group: ${group}
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    singular: ${plural.slice(0, -1)}
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              color:
                type: string
${size ? '              size:\n                type: integer\n' : ''}    served: true
    storage: true
`;
}
