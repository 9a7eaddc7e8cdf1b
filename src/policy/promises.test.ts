import { expect } from 'chai';
import { parseDocuments, type JsonObject } from '../text/documents/index.js';
import type { Finding } from '../rule/finding.js';
import { decide } from './decide.js';
import { checkOffline } from './check.js';
import { defaultPolicy, type ApiPromise, type Policy } from './policy.js';
import { coversPath, frozenFindings, stepsOf, SubjectPromises } from './promises.js';
import { ruleNamed } from './rules/registry.js';

const now = new Date('2026-06-01T00:00:00Z');
const subject = { groups: ['example.com'], name: 'widgets.example.com' };

function finding(fields: Partial<Finding> = {}): Finding {
  return {
    rule: 'ChangeValidator',
    family: 'crd-upgrade-safety',
    severity: 'error',
    message: 'maximum: constraint decreased from 10 to 5',
    effect: 'breaking',
    version: 'v1',
    path: '^.spec.size',
    docs: 'docs/rules/ChangeValidator.md',
    ...fields,
  };
}

function definition(schema: string, more = 'served: true'): JsonObject {
  const [document] = parseDocuments(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
    - { name: v1, storage: true, ${more}, schema: { openAPIV3Schema: { type: object, ${schema} } } }
`);
  return document?.value as JsonObject;
}

const withPromises = (promises: readonly ApiPromise[], more: Partial<Policy> = {}): Policy => ({
  ...defaultPolicy,
  promises,
  ...more,
});

const alpha: ApiPromise = { versions: ['v*alpha*'], mode: 'audit' };
const beta: ApiPromise = { versions: ['v*beta*'], mode: 'deny' };

interface Row {
  readonly name: string;
  readonly promises: readonly ApiPromise[];
  readonly finding: Partial<Finding>;
  readonly beside?: readonly Finding[];
  readonly policy?: Partial<Policy>;
  readonly old?: JsonObject;
  readonly says: 'denied' | 'warned' | 'audited';
  readonly by?: string;
}

const deprecated = definition(
  'properties: { spec: { type: object, properties: { size: { type: integer, description: "Deprecated: use count" }, inner: { type: object, description: "DEPRECATED", properties: { a: { type: string } } }, count: { type: integer, description: "Not Deprecated" } } } }',
);

const rows: Row[] = [
  {
    name: 'a version that promises nothing is only noted',
    promises: [alpha, beta],
    finding: { version: 'v1alpha1' },
    says: 'audited',
    by: 'promise 1 of the policy (versions v*alpha*): audit',
  },
  {
    name: 'a manifest that is refused by the definition as it stands is no change',
    promises: [alpha],
    finding: { rule: 'ObjectRefused', family: 'stored-objects', version: 'v1alpha1' },
    says: 'denied',
  },
  {
    name: 'but that of an entry which names the rule',
    promises: [{ ...alpha, rules: ['ObjectRefused'] }],
    finding: { rule: 'ObjectRefused', family: 'stored-objects', version: 'v1alpha1' },
    says: 'audited',
    by: 'promise 1 of the policy (versions v*alpha*; rules ObjectRefused): audit',
  },
  {
    name: 'names are compared as a whole',
    promises: [{ versions: ['v1'], mode: 'audit' }],
    finding: { version: 'v1beta1' },
    says: 'denied',
  },
  {
    name: 'the first entry that matches decides',
    promises: [
      { paths: ['^.spec.size'], mode: 'warn' },
      { versions: ['v1'], mode: 'audit' },
    ],
    finding: {},
    says: 'warned',
    by: 'promise 1 of the policy (paths ^.spec.size): warn',
  },
  {
    name: 'a finding about two versions takes the stricter of their entries',
    promises: [alpha, beta],
    finding: { version: 'v1alpha1 -> v1beta1' },
    says: 'denied',
    by: 'promise 2 of the policy (versions v*beta*): deny',
  },
  {
    name: 'a version without an entry is no milder than without promises',
    promises: [alpha],
    finding: { version: 'v1alpha1 -> v1' },
    says: 'denied',
  },
  {
    name: 'what names no version matches no entry with versions',
    promises: [{ versions: ['*'], mode: 'audit' }],
    finding: { version: undefined },
    says: 'denied',
  },
  {
    name: 'what Kubernetes itself refuses stays denied',
    promises: [{ rules: ['NoScopeChange'], mode: 'audit' }],
    finding: { rule: 'NoScopeChange', effect: undefined },
    says: 'denied',
  },
  {
    name: 'an entry wins over modes',
    promises: [{ versions: ['v1'], mode: 'deny' }],
    policy: { modes: new Map([['crd-upgrade-safety', 'audit']]) },
    finding: {},
    says: 'denied',
    by: 'promise 1 of the policy (versions v1): deny',
  },
  {
    name: 'deny raises harm of which is only warned',
    promises: [{ versions: ['v1'], mode: 'deny' }],
    finding: { harm: 'StatusHarmed', path: '^.status.phase' },
    says: 'denied',
  },
  {
    name: 'deny does not deny what is proven safe',
    promises: [{ versions: ['v1'], mode: 'deny' }],
    finding: { effect: 'safe', proof: 'the field takes more values' },
    says: 'warned',
  },
  {
    name: 'deny leaves columns and words alone',
    promises: [{ versions: ['v1'], mode: 'deny' }],
    finding: {
      rule: 'PrinterColumnRemoved',
      family: 'display',
      audience: 'display',
      severity: 'warning',
    },
    says: 'audited',
  },
  {
    name: 'unless the entry names the rule',
    promises: [{ rules: ['PrinterColumnRemoved'], mode: 'deny' }],
    finding: {
      rule: 'PrinterColumnRemoved',
      family: 'display',
      audience: 'display',
      severity: 'warning',
    },
    says: 'denied',
  },
  {
    name: 'a widened type goes by TypeWidened whichever rule refuses it',
    promises: [{ paths: ['^.status.**'], rules: ['TypeWidened'], mode: 'audit' }],
    policy: { enforce: 'all' },
    finding: { message: 'type changed from "integer" to "number"', path: '^.status.count' },
    beside: [finding({ rule: 'TypeWidened', family: 'reader-contract', path: '^.status.count' })],
    says: 'audited',
  },
  {
    name: 'a type that is another does not',
    promises: [{ paths: ['^.status.**'], rules: ['TypeWidened'], mode: 'audit' }],
    policy: { enforce: 'all' },
    finding: { message: 'type changed from "integer" to "string"', path: '^.status.count' },
    says: 'denied',
  },
  {
    name: 'a field whose old description begins with Deprecated may go',
    promises: [{ deprecated: true, mode: 'warn' }],
    old: deprecated,
    finding: { rule: 'NoExistingFieldRemoved', effect: 'data-loss' },
    says: 'warned',
    by: 'promise 1 of the policy (deprecated): warn',
  },
  {
    name: 'and what is beneath one',
    promises: [{ deprecated: true, mode: 'warn' }],
    old: deprecated,
    finding: { path: '^.spec.inner.a' },
    says: 'warned',
  },
  {
    name: 'a description that only mentions it does not count',
    promises: [{ deprecated: true, mode: 'warn' }],
    old: deprecated,
    finding: { path: '^.spec.count' },
    says: 'denied',
  },
  {
    name: 'nothing is deprecated where the old definition is not known',
    promises: [{ deprecated: true, mode: 'warn' }],
    finding: {},
    says: 'denied',
  },
  {
    name: 'no branch is known at the gate',
    promises: [{ branches: ['*'], mode: 'audit' }],
    finding: {},
    says: 'denied',
  },
  {
    name: 'a branch for which the change is',
    promises: [{ branches: ['dev-*'], mode: 'audit' }],
    policy: { branch: { name: 'dev-2', isCertain: true } },
    finding: {},
    says: 'audited',
  },
  {
    name: 'a name that its author may have chosen excuses nothing',
    promises: [{ branches: ['dev-*'], mode: 'audit' }],
    policy: { branch: { name: 'dev-2', isCertain: false } },
    finding: {},
    says: 'denied',
  },
  {
    name: 'exemptions still count',
    promises: [{ versions: ['v1'], mode: 'deny' }],
    policy: { exemptions: [{ paths: ['^.spec.size'], reason: 'unused' }] },
    finding: {},
    says: 'audited',
  },
];

describe('the promises of a policy', () => {
  for (const { name, promises, finding: fields, beside = [], policy, old, says, by } of rows) {
    it(name, () => {
      const findings = [finding(fields), ...beside];
      const request = { subject, ruleNamed, definitions: [{ old }] };
      const { decided } = decide(findings, withPromises(promises, policy), request, now);
      expect(decided[0]?.disposition).to.equal(says);
      if (by !== undefined) expect(decided[0]?.finding.decidedBy).to.equal(by);
    });
  }

  it('are said where they made a finding milder', () => {
    const request = { subject, ruleNamed };
    const { decided } = decide(
      [finding({ version: 'v1alpha1' })],
      withPromises([alpha]),
      request,
      now,
    );
    expect(decided[0]?.because).to.equal('promise 1 of the policy (versions v*alpha*): audit');
    expect(decided[0]?.wouldDeny).to.equal(false);
  });
});

describe('coversPath', () => {
  const cases: readonly (readonly [pattern: string, path: string, covers: boolean])[] = [
    ['^.status.**', '^.status.a.b', true],
    ['^.status.**', '^.status', true],
    ['^.status', '^.status.a', true],
    ['^.status.**', '^.spec.status', false],
    ['^.status.**', '^.statusOfOthers', false],
    ['^.status.**', '^["status.a"]', false],
    ['^["status.a"]', '^["status.a"].b', true],
    ['^.*.size', '^.spec.size', true],
    ['^.*.size', '^.spec.a.size', false],
    ['^.**.size', '^.spec.a[*].size', true],
    ['^.spec.list[*].a', '^.spec.list[*].a', true],
    ['^.spec.list[*].a', '^.spec.list[*].b', false],
    ['^.spec.repl*', '^.spec.replicas', true],
    ['^', '^.spec', true],
    ['^.spec.size', '^.spec', false],
  ];
  for (const [pattern, path, covers] of cases) {
    it(`${pattern} ${covers ? 'covers' : 'leaves'} ${path}`, () => {
      expect(coversPath(stepsOf(pattern), stepsOf(path))).to.equal(covers);
    });
  }

  it('ends for a pattern that backtracking would not end', () => {
    const path = `^.${Array.from({ length: 20_000 }, () => 'a').join('.')}`;
    const covers = (pattern: string, of: string): boolean =>
      coversPath(stepsOf(pattern), stepsOf(of));
    expect(covers(`^.${'**.a*.'.repeat(80)}b`, path)).to.equal(false);
    expect(covers(`^.${'*a'.repeat(240)}b`, `^.${'a'.repeat(5_000)}`)).to.equal(false);
  });

  it('parses a pattern once, however many findings there are', () => {
    let parsed = 0;
    const paths: readonly string[] = Object.assign(['^.spec'], {
      map: (read: (pattern: string) => unknown) => {
        parsed++;
        return ['^.spec'].map(read);
      },
      some: () => expect.fail('reads the text again'),
    });
    const promises = new SubjectPromises({ ...defaultPolicy, promises: [{ paths, mode: 'warn' }] });
    for (let count = 0; count < 100; count++) {
      expect(promises.find(finding({ path: `^.spec.f${count}` }))?.mode).to.equal('warn');
    }
    expect(parsed).to.equal(1);
  });
});

describe('what is frozen', () => {
  const frozen: ApiPromise = { branches: ['release-*'], mode: 'frozen' };
  const policy = withPromises([alpha, frozen], {
    branch: { name: 'release-1.2', isCertain: false },
  });
  const old = definition('properties: { a: { type: string, description: before } }');

  function verdictOn(next: JsonObject | undefined, by: Policy = policy, before = old) {
    const request = { object: next, oldObject: before };
    return checkOffline({ subject, findings: [], request }, by, ruleNamed);
  }

  it('denies every change but of descriptions', () => {
    const words = definition('properties: { a: { type: string, description: after } }');
    expect(verdictOn(words)).to.include({ allowed: true });
    const changed = [
      definition('properties: { a: { type: string }, b: { type: string } }'),
      definition('properties: { a: { type: string, maxLength: 5 } }'),
      definition('properties: { a: { type: string } }', 'served: true, deprecated: true'),
      { ...old, spec: { ...(old['spec'] as JsonObject), scope: 'Cluster' } },
    ];
    for (const next of changed) {
      const { allowed, findings } = verdictOn(next);
      expect(allowed).to.equal(false);
      expect(findings[0]).to.include({ rule: 'FrozenChanged', severity: 'error' });
      expect(findings[0]?.decidedBy).to.equal(
        'promise 2 of the policy (branches release-*): frozen',
      );
    }
  });

  it('denies a definition that goes, and one that comes to a frozen branch', () => {
    expect(verdictOn(undefined)).to.include({ allowed: false });
    const added = checkOffline(
      { subject, findings: [], request: { object: old } },
      policy,
      ruleNamed,
    );
    expect(added.allowed).to.equal(false);
    const ofVersions = withPromises([{ versions: ['v1'], mode: 'frozen' }]);
    expect(frozenFindings(ofVersions, { next: old })).to.deep.equal([]);
    expect(verdictOn(undefined, ofVersions)).to.include({ allowed: false });
  });

  it('is nothing on another branch', () => {
    const next = definition('properties: { b: { type: string } }');
    const elsewhere = { ...policy, branch: { name: 'main', isCertain: true } };
    expect(verdictOn(next, elsewhere)).to.include({ allowed: true });
    expect(verdictOn(next, withPromises(policy.promises))).to.include({
      allowed: true,
    });
  });

  it('is as mild as an entry before it says, and a description of a field is no description', () => {
    const milder = withPromises([{ paths: ['^.a'], mode: 'audit' }, ...policy.promises], policy);
    const both = { ...milder, promises: [{ paths: ['^.a'], mode: 'audit' as const }, frozen] };
    const next = definition('properties: { a: { type: string, maxLength: 5 } }');
    expect(verdictOn(next, both)).to.include({ allowed: true });
    const field = definition('properties: { description: { type: string } }');
    expect(verdictOn(field)).to.include({ allowed: false });
  });

  it('reads each schema of a deep definition once or twice, not once for each level above it', () => {
    let reads = 0;
    const deep = (type: string): JsonObject => {
      let schema: JsonObject = { type };
      const get = (): string => {
        reads += 1;
        return 'int32';
      };
      Object.defineProperty(schema, 'format', { enumerable: true, get });
      for (let level = 0; level < 300; level++) schema = { properties: { a: schema } };
      return {
        kind: 'CustomResourceDefinition',
        apiVersion: 'apiextensions.k8s.io/v1',
        metadata: { name: 'widgets.example.com' },
        spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
      };
    };
    const sides = { old: deep('string'), next: deep('integer') };
    reads = 0;
    expect(frozenFindings(policy, sides)).to.have.lengthOf(1);
    expect(reads).to.be.within(1, 20);
  });

  it('counts what is more than a hundred changes, with what is denied among those that are told', () => {
    const many = Array.from({ length: 150 }, (_, index) => `f${index}: { type: string }`).join();
    const next = definition(`properties: { ${many} }`);
    const by: Policy = {
      ...policy,
      promises: [{ paths: ['^.f*'], mode: 'audit' }, frozen],
    };
    const { allowed, findings } = verdictOn(next, by);
    expect(findings).to.have.lengthOf(100);
    expect(allowed).to.equal(false);
    expect(findings.map(({ message }) => message).join()).to.include('(and 51 more changes)');
  });
});
