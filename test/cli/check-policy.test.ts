/** `check crd --policy FILE` decides as the webhook would. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command.js';

const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';

interface Printed {
  readonly results: readonly {
    readonly verdict: {
      readonly allowed: boolean;
      readonly findings: readonly { readonly rule: string; readonly severity: string }[];
      readonly warnings: readonly string[];
    };
  }[];
}

describe('check crd --policy', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-check-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const rows: [
    name: string,
    policy: string,
    status: number,
    severities: string[],
    warning?: RegExp,
  ][] = [
    ['the default', '', 1, ['error']],
    ['mode warn', 'modes: { crd-upgrade-safety: warn }\n', 0, ['warning']],
    ['an exemption', 'exemptions: [{ groups: [test.example.com] }]\n', 0, ['info']],
    [
      'an exemption that expired',
      'exemptions: [{ groups: [test.example.com], until: 2020-01-01T00:00:00Z }]\n',
      1,
      ['error'],
      /expired at 2020-01-01T00:00:00Z/,
    ],
    [
      'an exemption that expired on a day',
      'exemptions: [{ groups: [test.example.com], until: 2020-01-01 }]\n',
      1,
      ['error'],
      /expired at 2020-01-01 /,
    ],
    [
      'an exemption that ends on a day',
      'exemptions: [{ groups: [test.example.com], until: 2099-12-31 }]\n',
      0,
      ['info'],
    ],
  ];
  for (const [name, text, status, severities, warning] of rows) {
    it(name, async () => {
      const policy = join(folder, 'policy.yaml');
      writeFileSync(policy, header + text);
      const { code, stdout, stderr } = await run([
        ...['check', 'crd', 'examples/cluster', 'examples/upgrades/field-removed.yaml'],
        ...['--policy', policy, '-o', 'json'],
      ]);
      expect(code, stderr).to.equal(status);
      const { verdict } = (JSON.parse(stdout) as Printed).results[0]!;
      expect(verdict.allowed).to.equal(status === 0);
      expect(verdict.findings.map(({ severity }) => severity)).to.deep.equal(severities);
      if (warning === undefined) expect(verdict.warnings).to.deep.equal([]);
      else expect(verdict.warnings.join()).to.match(warning);
    });
  }

  it('refuses a policy that is none with 2', async () => {
    const policy = join(folder, 'bad.yaml');
    writeFileSync(policy, `${header}mode: {}\n`);
    const { code, stderr } = await run([
      ...['check', 'crd', 'examples/cluster', 'examples/upgrades', '--policy', policy],
    ]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/bad\.yaml:3:1: there is no field "mode".*did you mean "modes"/);
  });
});
