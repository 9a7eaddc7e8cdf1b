import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { InvalidInputError } from '../text/documents/index.js';
import { parsePolicy } from './parse.js';
import { policyWarnings } from './policy-warnings.js';
import { reasonToFillIn } from './schema.js';
import { defaultPolicy } from './policy.js';

const rules = new Set(['NoScopeChange', 'ChangeValidator', 'enum']);
const header = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';

function error(text: string): InvalidInputError {
  try {
    parsePolicy(text, 'policy.yaml', rules);
  } catch (caught) {
    if (caught instanceof InvalidInputError) return caught;
    throw caught;
  }
  throw new Error('the policy was accepted');
}

describe('parsePolicy', () => {
  it('fills in what the file leaves out', () => {
    expect(parsePolicy(header, 'policy.yaml', rules)).to.deep.equal(defaultPolicy);
  });

  it('takes the policy that comes with the gate as what holds without one', () => {
    const file = 'manifests/base/policy.yaml';
    expect(parsePolicy(readFileSync(file, 'utf8'), file, rules)).to.deep.equal(defaultPolicy);
  });

  it('reads every field', () => {
    const policy = parsePolicy(
      `${header}profile: crdify
enforce: proven
undecided: deny
unjudged: deny
ratchet: false
modes:
  crd-upgrade-safety: audit
  NoScopeChange: warn
promises:
  - { versions: ["v*alpha*"], paths: ["^.status.**"], rules: [enum], deprecated: true, branches: ["release-*"], mode: frozen }
exemptions:
  - { families: [crd-upgrade-safety], groups: ["*.example.com"], names: ["a*"], rules: [enum],
      paths: [^.spec], reason: "migrated by hand", until: "2026-12-31T00:00:00Z" }
bypass:
  allowed: false
  sources: [subscription, csv]
  groups: [admins]
  managers: [{ name: argocd-controller, users: ["system:serviceaccount:argocd:a"], groups: [b] }]
budgets: { storedObjectsSeconds: 2.5, conversionSeconds: 1, messageBytes: 1024, causes: 3, concurrentReviews: 2.0 }
trusted: { olmServiceAccounts: ["system:serviceaccount:a:b"] }
`,
      'policy.yaml',
      rules,
    );
    expect(policy).to.deep.equal({
      profile: 'crdify',
      enforce: 'proven',
      undecided: 'deny',
      unjudged: 'deny',
      ratchet: false,
      modes: new Map([
        ['crd-upgrade-safety', 'audit'],
        ['NoScopeChange', 'warn'],
      ]),
      promises: [
        {
          versions: ['v*alpha*'],
          paths: ['^.status.**'],
          rules: ['enum'],
          deprecated: true,
          branches: ['release-*'],
          mode: 'frozen',
        },
      ],
      exemptions: [
        {
          families: ['crd-upgrade-safety'],
          groups: ['*.example.com'],
          names: ['a*'],
          rules: ['enum'],
          paths: ['^.spec'],
          reason: 'migrated by hand',
          until: '2026-12-31T00:00:00Z',
        },
      ],
      bypass: {
        allowed: false,
        sources: ['subscription', 'csv'],
        clusterWide: false,
        groups: ['admins'],
        managers: [
          {
            name: 'argocd-controller',
            users: ['system:serviceaccount:argocd:a'],
            groups: ['b'],
          },
        ],
      },
      budgets: {
        storedObjectsSeconds: 2.5,
        conversionSeconds: 1,
        messageBytes: 1024,
        causes: 3,
        concurrentReviews: 2,
      },
      trusted: { olmServiceAccounts: ['system:serviceaccount:a:b'] },
    });
  });

  it('takes a repository’s own file without apiVersion and kind', () => {
    for (const file of ['.olm-guard.yaml', 'a/.olm-guard.yml', 'git:main:.olm-guard.yaml']) {
      expect(parsePolicy('profile: proof\n', file, rules)).to.include({ profile: 'proof' });
    }
    expect(() => parsePolicy('kind: Pod\n', '.olm-guard.yaml', rules)).to.throw(/kind must be/);
    expect(() => parsePolicy('profile: proof\n', 'x.olm-guard.yaml', rules)).to.throw(/apiVersion/);
  });

  it('keeps the defaults of the fields beside one that is given', () => {
    const { budgets } = parsePolicy(`${header}budgets: { causes: 1 }\n`, 'policy.yaml', rules);
    expect(budgets).to.deep.equal({ ...defaultPolicy.budgets, causes: 1 });
  });

  const refused: [name: string, text: string, line: number | undefined, message: RegExp][] = [
    ['nothing', '', undefined, /is empty/],
    ['two documents', `${header}---\n${header}`, 4, /second document/],
    ['something behind its end', `${header}...\n${header}`, 4, /more than one document/],
    ['a list', '- a\n', 1, /mapping/],
    ['YAML that does not parse', `${header}modes: [\n`, undefined, /./],
    ['another kind', 'apiVersion: olm-guard.io/v1alpha1\nkind: Pod\n', 2, /kind must be Policy/],
    [
      'no apiVersion',
      'kind: Policy\n',
      1,
      /needs the field "apiVersion"; begin it with "apiVersion: olm-guard.io\/v1alpha1"/,
    ],
    ['an unknown field', `${header}profil: proof\n`, 3, /"profil".*did you mean "profile"/],
    [
      'an unknown profile',
      `${header}profile: strict\n`,
      3,
      /must be one of olm-v1, crdify, olm-v1.10, proof/,
    ],
    ['an unknown mode', `${header}modes:\n  NoScopeChange: block\n`, 4, /deny, warn, audit/],
    [
      'an unknown rule',
      `${header}modes:\n  enum: deny\n  NoScopeChanges: deny\n`,
      5,
      /"NoScopeChanges" is not a check family or rule \(did you mean "NoScopeChange"\?\)/,
    ],
    [
      'an unknown family',
      `${header}exemptions:\n  - families: [crd-upgrade-saftey]\n`,
      4,
      /did you mean "crd-upgrade-safety"/,
    ],
    [
      'an unknown rule in an exemption',
      `${header}exemptions:\n  - rules:\n    - enum\n    - enums\n`,
      6,
      /"enums" is not a rule/,
    ],
    [
      'an exemption for everything',
      `${header}exemptions:\n  - reason: because\n`,
      4,
      /would exempt everything/,
    ],
    [
      'an expiry that is no time',
      `${header}exemptions:\n  - names: [a]\n    until: tomorrow\n`,
      5,
      /"tomorrow" is neither a date such as 2026-12-31 nor an RFC 3339 time/,
    ],
    [
      'a day that does not exist',
      `${header}exemptions:\n  - names: [a]\n    until: 2026-02-30T00:00:00Z\n`,
      5,
      /nor an RFC 3339 time/,
    ],
    ...[reasonToFillIn, 'FILL IN', ' FILL IN why'].map(
      (reason): [string, string, number, RegExp] => [
        `the reason "${reason}"`,
        `${header}exemptions:\n  - names: [a]\n    reason: "${reason}"\n`,
        5,
        /^exemptions\.0\.reason still says FILL IN: write there why no object or client is affected/,
      ],
    ),
    [
      'a promise for everything',
      `${header}promises:\n  - mode: audit\n`,
      4,
      /^promises\.0 would match everything; give versions, paths, rules, deprecated or branches$/,
    ],
    [
      'a promise without a mode',
      `${header}promises:\n  - versions: [v1]\n`,
      4,
      /^promises\.0 needs the field "mode"$/,
    ],
    [
      'a promise with an unknown mode',
      `${header}promises:\n  - versions: [v1]\n    mode: strict\n`,
      5,
      /^promises\.0\.mode must be one of deny, warn, audit, frozen$/,
    ],
    [
      'a promise about an unknown rule',
      `${header}promises:\n  - { mode: warn, rules: [TypeWidend] }\n`,
      4,
      /"TypeWidend" is not a rule/,
    ],
    [
      'a promise with an unknown field',
      `${header}promises:\n  - { mode: warn, rules: [enum], version: [v1] }\n`,
      4,
      /there is no field "version" in promises\.0 \(did you mean "versions"\?\)/,
    ],
    [
      'a glob that is longer than any name',
      `${header}promises:\n  - { mode: warn, versions: ["${'*a'.repeat(300)}"] }\n`,
      4,
      /^promises\.0\.versions\.0 must NOT have more than 500 characters$/,
    ],
    [
      'a text in place of globs',
      `${header}promises:\n  - { mode: warn, versions: v1 }\n`,
      4,
      /^promises\.0\.versions must be array$/,
    ],
    [
      'a promise about what is not deprecated',
      `${header}promises:\n  - { mode: warn, deprecated: false }\n`,
      4,
      /^promises\.0\.deprecated must be true$/,
    ],
    ['a budget below its minimum', `${header}budgets: { concurrentReviews: 0 }\n`, 3, />= 1/],
    [
      'the bare name of a field manager',
      `${header}bypass: { managers: [argocd-controller] }\n`,
      3,
      /bypass\.managers\.0 is a bare name, which any requester may write; name its users too: \{ name: argocd-controller, users: \[system:serviceaccount:NAMESPACE:NAME\] \}/,
    ],
    [
      'a field manager that nobody is bound to',
      `${header}bypass:\n  managers:\n    - name: argocd-controller\n`,
      5,
      /bypass\.managers\.0 binds nobody; give users or groups/,
    ],
    [
      'a field manager bound to an empty list',
      `${header}bypass: { managers: [{ name: a, users: [] }] }\n`,
      3,
      /bypass\.managers\.0\.users must NOT have fewer than 1 items/,
    ],
    [
      'a field manager of everybody',
      `${header}bypass: { managers: [{ name: a, groups: [sre, "system:authenticated"] }] }\n`,
      3,
      /bypass\.managers\.0\.groups\.1: system:authenticated is nearly everybody/,
    ],
    [
      'a field manager without its name',
      `${header}bypass: { managers: [{ users: [a] }] }\n`,
      3,
      /bypass\.managers\.0 needs the field "name"/,
    ],
    ['an unknown source', `${header}bypass: { sources: [namespace] }\n`, 3, /must be one of crd/],
  ];
  for (const [name, text, line, message] of refused) {
    it(`refuses ${name}`, () => {
      const { where, message: said } = error(text);
      expect(said).to.match(message);
      expect(where.file).to.equal('policy.yaml');
      if (line !== undefined) expect(where.line).to.equal(line);
    });
  }

  it('knows a rule as reports print it', () => {
    const { exemptions } = parsePolicy(
      `${header}exemptions:\n  - { rules: [ChangeValidator/MinimumRaised], reason: FILL INTERVALS }\n`,
      'policy.yaml',
      new Set(['ChangeValidator']),
    );
    expect(exemptions).to.have.length(1);
    for (const name of [
      'ChangeValidator/Made',
      'NoScopeChange/MinimumRaised',
      'maximum/MinimumRaised',
    ]) {
      const text = `${header}exemptions:\n  - { rules: [${name}] }\n`;
      const known = new Set(['ChangeValidator', 'NoScopeChange', 'maximum']);
      expect(() => parsePolicy(text, 'policy.yaml', known)).to.throw(`"${name}" is not a rule`);
    }
  });

  it('says which exemptions have expired', () => {
    const policy = parsePolicy(
      `${header}exemptions:\n  - { names: [a], reason: old, until: 2020-01-01T00:00:00Z }\n  - { names: [b] }\n`,
      'policy.yaml',
      rules,
    );
    expect(policyWarnings(policy, new Date('2026-01-01'))).to.deep.equal([
      'exemption 1 "old" expired at 2020-01-01T00:00:00Z and no longer counts',
    ]);
  });
});
