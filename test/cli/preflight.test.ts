/** `olm-guard preflight`: what a script sees. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withSize } from '../server/reviews.js';
import { root, run } from './command.js';

const question = '{"id":1,"operation":"version","input":{"a":"1.0.0","b":"1.0.1"}}';
const answer =
  '{"id":1,"operation":"version","verdict":{"allowed":true,"findings":[],"warnings":[]},"output":{"compare":-1}}';

describe('preflight', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'olm-guard-preflight-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('answers every line in order, rubbish too, and exits with 0', async () => {
    const stdin = [question, 'nope', '', '[]', question.replace('version', 'versio'), question];
    const { code, stdout, stderr } = await run(['preflight'], { stdin: stdin.join('\n') });
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).to.have.lengthOf(5);
    expect(lines[0]).to.equal(answer);
    expect(JSON.parse(lines[1] ?? '')).to.deep.include({ id: null });
    expect(lines[1]).to.include('"E_JSON"').and.to.include('"line":2');
    expect(lines[2]).to.include('"E_INPUT"');
    expect(lines[3]).to.include('did you mean \\"version\\"?');
    expect(lines[4]).to.equal(answer);
  });

  it('keeps 1.0 and 9007199254740993 in an id', async () => {
    const stdin = question.replace('"id":1', '"id":[1.0,9007199254740993]');
    expect((await run(['preflight'], { stdin })).stdout).to.include('"id":[1.0,9007199254740993]');
  });

  it('decides by the policy that is named, and as the gate does by default', async () => {
    const stdin = JSON.stringify({
      operation: 'crd',
      input: {
        old: withSize({ type: 'integer' }),
        new: withSize({ type: 'integer', description: 'other' }),
      },
    });
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: all\n');
    const asked = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await run(['preflight', ...args], { stdin })).stdout);
    expect(await asked()).to.have.nested.property('verdict.allowed', true);
    expect(await asked('--policy', policy)).to.have.nested.property('verdict.allowed', false);
    const { code, stderr } = await run(['preflight', '--policy', '/nowhere.yaml'], { stdin });
    expect(code).to.equal(2);
    expect(stderr).to.include('/nowhere.yaml: there is no such file');
  });

  const unreadable: [name: string, file: () => string, sentence: RegExp][] = [
    ['a missing file', () => '/nowhere.ndjson', /\/nowhere\.ndjson: there is no such file/],
    ['a folder', () => folder, /is a folder; name a file/],
  ];
  for (const [name, file, sentence] of unreadable) {
    it(`exits with 2 and one sentence: ${name}`, async () => {
      const { code, stdout, stderr } = await run(['preflight', '--input', file()]);
      expect(code).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr)
        .to.match(sentence)
        .and.not.to.match(/^ +at /m);
    });
  }

  it('ends in silence when nobody reads on', async () => {
    const input = join(folder, 'many.ndjson');
    writeFileSync(input, `${question}\n`.repeat(20_000));
    const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'preflight']);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    createReadStream(input).pipe(child.stdin);
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = (await once(child, 'close')) as [number | null];
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
  });
});
