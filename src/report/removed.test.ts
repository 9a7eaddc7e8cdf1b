import { expect } from 'chai';
import { explainWarned } from '../policy/explain.js';
import type { DecidedFinding } from '../policy/decide.js';
import type { Finding } from '../rule/finding.js';
import { migrationFindings } from '../upgrade/index.js';
import { definition, object } from '../upgrade/rules/crd/testing/definition.js';
import { judgeByReference } from '../upgrade/rules/crd/profiles.js';
import { judgeContractWithRequests } from '../upgrade/rules/contract/judge.js';
import { type JsonObject } from '../text/documents/index.js';
import type { CheckReport } from './check-report.js';
import { render } from './render.js';
import { UpgradePair } from '../upgrade/pair.js';

const schema = object({ spec: object({ size: { type: 'integer' } }) });

function versions(...names: string[]): JsonObject {
  const made = definition({
    versions: names.map((name, index) => ({ name, storage: index === names.length - 1, schema })),
  });
  return { ...made, status: { storedVersions: names } };
}

const [old, next] = [versions('v1alpha1', 'v1beta1', 'v1'), versions('v1')];
const findings: readonly Finding[] = [
  ...judgeByReference(UpgradePair.read(old, next), 'olm-v1').findings,
  ...judgeContractWithRequests(UpgradePair.read(old, next)).findings,
  ...migrationFindings(old, next),
];
const about = (version: string): readonly Finding[] =>
  findings.filter((each) => each.version === version);
const report: CheckReport = {
  subject: 'CustomResourceDefinitions',
  counts: { denied: 1 },
  results: [
    {
      name: 'widgets.example.com',
      verdict: { allowed: false, findings, warnings: [] },
      output: {},
      places: findings.map((_, index) => ({ file: 'new.yaml', line: index + 1 })),
    },
  ],
};

describe('a version that goes', () => {
  it('is what three rules and more have to say something about', () => {
    expect(about('v1alpha1').map(({ rule }) => rule)).to.include.members([
      'ServedVersionRemoved',
      'AppliedVersionRemoved',
      'StoredVersionMigration',
    ]);
    expect(about('v1beta1').length).to.be.at.least(3);
  });

  /** How often a format begins to tell of a finding. */
  const heads: readonly (readonly [format: string, head: RegExp])[] = [
    ['text', /^ {4}new\.yaml:\d+ {2}(?:error|warning)/gm],
    ['markdown', /^\| (?:error|warning) \|/gm],
    ['junit', /^(?:.*>)?new\.yaml:\d+ (?:error|warning)/gm],
    ['github', /^::(?:error|warning) /gm],
    ['html', /<article class="finding /g],
    ['sarif', /"ruleId"/g],
  ];
  const others = findings.filter(
    ({ version }) => version !== 'v1alpha1' && version !== 'v1beta1',
  ).length;
  for (const [format, head] of heads) {
    it(`is one finding in ${format}, with all that is said`, async () => {
      const text = await render(report, format);
      expect(text.match(head) ?? [], text).to.have.length(2 + others);
      for (const { rule } of about('v1beta1')) expect(text).to.include(rule);
      expect(text).to.include('request: 200 before');
    });
  }

  it('stays separate findings in JSON', async () => {
    const { results } = JSON.parse(await render(report, 'json')) as {
      readonly results: readonly { readonly verdict: { readonly findings: readonly object[] } }[];
    };
    expect(results[0]?.verdict.findings).to.have.length(findings.length);
  });

  it('is one warning at the gate', () => {
    const decided = findings.map((finding): DecidedFinding => ({
      finding,
      disposition: 'warned',
      wouldDeny: false,
    }));
    const warnings = explainWarned(decided, 'olm-guard check crd');
    expect(warnings).to.have.length(2 + others);
    for (const { rule, message } of about('v1beta1')) {
      expect(warnings.filter((each) => each.includes(`${rule}: ${message}`))).to.have.length(1);
    }
  });
});

describe('a field that goes with all that is in it', () => {
  const whole = object({ spec: object({ a: { type: 'array', items: inner() }, c: inner() }) });
  const rest = object({ spec: object({ 'a.b': { type: 'string' } }) });
  function inner() {
    return object({ x: { type: 'string' }, y: object({ z: { type: 'string' } }) });
  }
  const one = (schema: JsonObject): JsonObject =>
    definition({ versions: [{ name: 'v1', storage: true, schema }] });
  const removals = judgeByReference(UpgradePair.read(one(whole), one(rest)), 'olm-v1').findings;
  const told = (all: readonly Finding[]): Promise<string> => {
    const verdict = { allowed: false, findings: all, warnings: [] };
    const result = {
      name: 'widgets.example.com',
      verdict,
      output: {},
      places: all.map(() => ({})),
    };
    return render({ subject: 'Definitions', counts: {}, results: [result] }, 'text');
  };

  it('is one finding that names its fields', async () => {
    expect(removals.map(({ path }) => path)).to.have.members([
      ...['^.spec.a', '^.spec.a[*]', '^.spec.a[*].x', '^.spec.a[*].y', '^.spec.a[*].y.z'],
      ...['^.spec.c', '^.spec.c.x', '^.spec.c.y', '^.spec.c.y.z'],
    ]);
    const text = await told(removals);
    expect(text.match(/may not be removed/g), text).to.have.length(2);
    expect(text)
      .to.include('      with its fields [*].x, [*].y, [*].y.z\n')
      .and.include('      with its fields x, y, y.z\n');
  });

  it('keeps a field of which something else is said', async () => {
    const [first, ...others] = removals.map((each) =>
      each.path === '^.spec.c.x' ? { ...each, severity: 'warning' as const } : each,
    );
    const text = await told([first as Finding, ...others]);
    expect(text)
      .to.include('with its fields y, y.z')
      .and.match(/warning {2}NoExistingFieldRemoved/);
  });
});
