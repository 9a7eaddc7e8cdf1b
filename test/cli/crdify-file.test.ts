/** `crdify.yaml` beside `.olm-guard.yaml`, or under the name that it says. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPolicy } from '../../src/gate/server/policy-file.js';
import { runHere } from './command.js';
import { definitionText, Repository } from './repository.js';

const place = 'config/crd/widgets.yaml';
const asked = ['check', 'crd', 'git:main:config/crd', 'config/crd'];

describe('crdify.yaml', () => {
  let repository: Repository;
  let cwd: string;
  beforeEach(() => {
    repository = new Repository({
      '.olm-guard.yaml': 'paths: [config/crd]\n',
      'crdify.yaml': 'validations:\n- name: type\n  enforcement: Error\n',
      [place]: definitionText(),
    });
    repository.commit();
    const changed = definitionText().replace('type: integer', 'type: boolean');
    repository.write({ [place]: changed });
    cwd = repository.folder;
  });
  afterEach(() => repository.remove());

  const enforcing = (enforcement: string, more = ''): void =>
    repository.write({
      'crdify.yaml': `validations:\n- name: type\n  enforcement: ${enforcement}\n${more}`,
    });

  it('decides by its enforcement of each validation', async () => {
    for (const [enforcement, code, severity] of [
      ['Error', 1, 'error'],
      ['Warn', 0, 'warning'],
      ['None', 0, 'info'],
    ] as const) {
      enforcing(enforcement);
      const ended = await runHere([...asked, '-o', 'json'], { cwd });
      expect(ended.code, enforcement).to.equal(code);
      const { results } = JSON.parse(ended.stdout) as {
        results: { verdict: { findings: { rule: string; severity: string }[] } }[];
      };
      const found = results[0]?.verdict.findings.find(({ rule }) => rule === 'type');
      expect(found?.severity, enforcement).to.equal(severity);
    }
  });

  it('gives way to what .olm-guard.yaml names itself', async () => {
    enforcing('None');
    repository.write({ '.olm-guard.yaml': 'modes: { type: deny }\n' });
    expect((await runHere(asked, { cwd })).code).to.equal(1);
    repository.write({ '.olm-guard.yaml': 'profile: olm-v1\n' });
    expect((await runHere(asked, { cwd })).stdout).to.include('ChangeValidator');
  });

  it('may have another name, and lies in the repository', async () => {
    repository.write({
      '.olm-guard.yaml': 'crdify: ci/rules.yaml\n',
      'ci/rules.yaml': 'validations: [{ name: type, enforcement: Warn }]\n',
    });
    expect((await runHere(asked, { cwd })).code).to.equal(0);
    const outside = mkdtempSync(join(tmpdir(), 'olm-guard-outside-'));
    try {
      writeFileSync(join(outside, 'crdify.yaml'), 'secret: value\n');
      repository.write({ 'link.yaml': `-> ${join(outside, 'crdify.yaml')}` });
      for (const name of ['../x.yaml', join(outside, 'crdify.yaml'), 'link.yaml']) {
        repository.write({ '.olm-guard.yaml': `crdify: ${name}\n` });
        const { code, stderr } = await runHere(asked, { cwd });
        expect(code, name).to.equal(2);
        expect(stderr, name)
          .to.include(`crdify names ${name}, outside of the repository`)
          .and.not.include('secret');
      }
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('is that of the commit whose policy is named', async () => {
    enforcing('None');
    const named = [...asked, '--policy', 'git:main:.olm-guard.yaml'];
    expect((await runHere(named, { cwd })).code).to.equal(1);
    expect((await runHere(named, { cwd: join(cwd, 'config') })).code).to.equal(2);
    const { stdout } = await runHere(asked, { cwd });
    expect(stdout).to.include(
      'crdify.yaml decides, and differs from that in main; to use that one: --policy git:main:./.olm-guard.yaml',
    );
  });

  it('is missed where the change takes it away', async () => {
    repository.git('rm', '-q', 'crdify.yaml');
    expect((await runHere(asked, { cwd })).stdout).to.include('crdify.yaml is gone since main');
  });

  const refused: readonly (readonly [text: string, says: string])[] = [
    [
      'validations: [{ name: enums, enforcement: Error }]',
      'crdify.yaml:1:15: configuring validation "enums": unknown validation (did you mean "enum"?)',
    ],
    [
      'validations: [{ name: enum }]',
      'crdify.yaml:1:15: configuring enum: unknown enforcement policy; use Error, Warn or None',
    ],
    [
      'validations:\n- name: enum\n  enforcement: Error\n  configuration: { additionPolicy: Maybe }',
      'crdify.yaml:4:20: additionPolicy must be Allow or Disallow',
    ],
    ['unhandledEnforcement: Deny', 'crdify.yaml:1:1: configuring unhandled: unknown enforcement'],
    ['validation: []', 'there is no field "validation" here (did you mean "validations"?)'],
    ['- a', 'must be a mapping with validations'],
  ];
  for (const [text, says] of refused) {
    it(`is refused: ${text.split('\n')[0]}`, async () => {
      repository.write({ 'crdify.yaml': `${text}\n` });
      const { code, stderr } = await runHere(asked, { cwd });
      expect(code).to.equal(2);
      expect(stderr).to.include(says);
    });
  }

  it('is no file of the gate', async () => {
    const file = join(cwd, 'policy.yaml');
    const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    writeFileSync(file, `${header}crdify: crdify.yaml\n`);
    const error: unknown = await readPolicy({ file }, new Set()).catch((caught: unknown) => caught);
    expect(String(error)).to.include('crdify names a file, which only commands read');
  });
});
