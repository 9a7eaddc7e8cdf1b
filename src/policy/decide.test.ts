import { expect } from 'chai';
import type { Finding } from '../rule/finding.js';
import { ruleNamed } from './rules/registry.js';
import { decide, type Bypass, type DecisionRequest } from './decide.js';
import { defaultPolicy, mildHarm, type Policy } from './policy.js';

const now = new Date('2026-06-01T00:00:00Z');
const request: DecisionRequest = {
  subject: { groups: ['example.com'], name: 'widgets.example.com' },
  ruleNamed,
};

function finding(fields: Partial<Finding> = {}): Finding {
  return {
    rule: 'ChangeValidator',
    family: fields.rule === 'StoredObject' ? 'stored-objects' : 'crd-upgrade-safety',
    severity: 'error',
    message: 'type changed',
    version: 'v1',
    path: '^.spec.size',
    docs: 'docs/rules/ChangeValidator.md',
    ...fields,
  };
}

const bypass: Bypass = {
  by: 'crd',
  families: ['crd-upgrade-safety'],
  description:
    'annotation "olm-guard.io/disable" on CustomResourceDefinition "widgets.example.com"',
};

/** Without waiting for what a proof shows; that is decided in the rows that ask for it. */
const strict: Policy = { ...defaultPolicy, enforce: 'all' };

interface Row {
  readonly name: string;
  readonly findings?: readonly Finding[];
  readonly policy?: Partial<Policy>;
  readonly request?: Partial<DecisionRequest>;
  readonly outcome: string;
  readonly dispositions?: readonly string[];
  readonly because?: string;
}

const exemptions = (exemption: object): Partial<Policy> => ({ exemptions: [exemption] });
const modes = (entries: Record<string, 'deny' | 'warn' | 'audit'>): Partial<Policy> => ({
  modes: new Map(Object.entries(entries)),
});

const updatable = { create: 'refused', update: 'accepted' } as const;

const rows: Row[] = [
  { name: 'nothing found', findings: [], outcome: 'allowed', dispositions: [] },
  { name: 'an error is denied', outcome: 'denied', dispositions: ['denied'] },
  {
    name: 'a warning warns',
    findings: [finding({ severity: 'warning' })],
    outcome: 'warned',
    dispositions: ['warned'],
  },
  {
    name: 'a rule decides where no proof can be looked for, whatever is enforced',
    findings: [finding({ effect: 'undecided', unprovable: true })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
    dispositions: ['denied'],
  },
  {
    name: 'an info is kept for the record',
    findings: [finding({ severity: 'info' })],
    outcome: 'allowed',
    dispositions: ['audited'],
  },
  {
    name: 'mode warn of the family',
    policy: modes({ 'crd-upgrade-safety': 'warn' }),
    outcome: 'warned',
    because: 'mode warn of the policy',
  },
  {
    name: 'mode audit of the rule wins over its family',
    policy: modes({ 'crd-upgrade-safety': 'deny', ChangeValidator: 'audit' }),
    outcome: 'allowed',
    dispositions: ['audited'],
  },
  {
    name: "mode deny of the rule wins over its family's warn",
    policy: modes({ 'crd-upgrade-safety': 'warn', ChangeValidator: 'deny' }),
    outcome: 'denied',
  },
  {
    name: 'mode deny of a family leaves warnings warnings',
    findings: [finding({ severity: 'warning' })],
    policy: modes({ 'crd-upgrade-safety': 'deny' }),
    outcome: 'warned',
  },
  {
    name: 'mode deny of the rule itself raises its warnings',
    findings: [finding({ severity: 'warning' })],
    policy: modes({ ChangeValidator: 'deny' }),
    outcome: 'denied',
  },
  {
    name: 'mode audit silences warnings',
    findings: [finding({ severity: 'warning' })],
    policy: modes({ 'crd-upgrade-safety': 'audit' }),
    outcome: 'allowed',
    dispositions: ['audited'],
  },
  {
    name: 'enforce proven denies breakage',
    findings: [finding({ effect: 'breaking' })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
  },
  {
    name: 'enforce proven denies data loss',
    findings: [finding({ effect: 'data-loss' })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
  },
  {
    name: 'enforce proven warns about what nobody proved',
    policy: { enforce: 'proven' },
    outcome: 'warned',
  },
  {
    name: 'enforce proven leaves rules alone that no proof is about',
    findings: [
      finding({ rule: 'OperatorGroupIntersection', family: 'operator-groups' }),
      finding({ rule: 'NewSwitchOff' }),
    ],
    policy: { enforce: 'proven' },
    outcome: 'denied',
    dispositions: ['denied', 'denied'],
  },
  {
    name: 'a warning that is undecided stays one by default',
    findings: [finding({ effect: 'undecided', severity: 'warning' })],
    outcome: 'warned',
  },
  {
    name: 'the verdict of a rule does not wait for a proof',
    findings: [finding({ effect: 'undecided' })],
    outcome: 'denied',
  },
  {
    name: 'the rule decides what is undecided',
    findings: [finding({ effect: 'undecided' })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
  },
  {
    name: 'undecided is warned of on request',
    findings: [finding({ effect: 'undecided' })],
    policy: { enforce: 'proven', undecided: 'warn' },
    outcome: 'warned',
  },
  {
    name: 'harm is denied though no reference refuses it',
    findings: [finding({ rule: 'Proof', effect: 'data-loss' })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
  },
  {
    name: 'harm of a mild kind warns, and says why',
    findings: [finding({ effect: 'data-loss', harm: 'StatusHarmed' })],
    policy: { enforce: 'proven' },
    outcome: 'warned',
    because: `StatusHarmed: ${mildHarm.StatusHarmed}`,
  },
  ...(['StatusHarmed', 'AbsurdValue'] as const).map((kind): Row => ({
    name: `harm of a mild kind is denied where the policy raises it: ${kind}`,
    findings: [finding({ effect: 'breaking', harm: kind, stored: updatable })],
    policy: { enforce: 'proven', ...modes({ [kind]: 'deny' }) },
    outcome: 'denied',
  })),
  {
    name: 'a changed default is denied where the policy raises it',
    findings: [finding({ effect: 'behavior' })],
    policy: { enforce: 'proven', ...modes({ BehaviorChanged: 'deny' }) },
    outcome: 'denied',
  },
  {
    name: 'harm of a mild kind is not raised by another kind',
    findings: [finding({ effect: 'breaking', harm: 'AbsurdValue' })],
    policy: { enforce: 'proven', ...modes({ StatusHarmed: 'deny' }) },
    outcome: 'warned',
  },
  {
    name: 'a list that becomes atomic harms appliers',
    findings: [finding({ rule: 'ListTypeChanged', family: 'apply-contract', audience: 'apply' })],
    policy: { enforce: 'proven' },
    outcome: 'denied',
  },
  {
    name: 'undecided is denied on request, whatever its severity',
    findings: [finding({ effect: 'undecided', severity: 'warning' })],
    policy: { undecided: 'deny' },
    outcome: 'denied',
  },
  {
    name: 'what the old object has is a warning at most',
    request: { previous: [finding()] },
    outcome: 'warned',
    because: 'the old object has this already',
  },
  {
    name: 'the same rule elsewhere is new',
    request: { previous: [finding({ path: '^.spec.other' })] },
    outcome: 'denied',
  },
  {
    name: 'without ratchet the past does not matter',
    request: { previous: [finding()] },
    policy: { ratchet: false },
    outcome: 'denied',
  },
  {
    name: 'what is never denied warns',
    request: { neverDenied: 'the object is being deleted' },
    outcome: 'warned',
    because: 'the object is being deleted',
  },
  {
    name: 'an exemption by family and group',
    policy: exemptions({ families: ['crd-upgrade-safety'], groups: ['example.com'] }),
    outcome: 'allowed',
    dispositions: ['audited'],
    because: 'exemption of the policy',
  },
  {
    name: 'an exemption names its reason',
    policy: exemptions({ rules: ['ChangeValidator'], reason: 'by hand' }),
    outcome: 'allowed',
    because: 'exemption "by hand" of the policy',
  },
  {
    name: 'an exemption of another group',
    policy: exemptions({ groups: ['example.org'] }),
    outcome: 'denied',
  },
  {
    name: 'an exemption of subdomains leaves the domain itself out',
    policy: exemptions({ groups: ['*.example.com'] }),
    outcome: 'denied',
  },
  {
    name: 'an exemption by a pattern of names',
    policy: exemptions({ names: ['wid*.example.*'] }),
    outcome: 'allowed',
  },
  {
    name: 'a pattern whose ends overlap in the name',
    policy: exemptions({ names: ['widgets.example.com*com'] }),
    outcome: 'denied',
  },
  {
    name: 'an exemption by path covers what is beneath',
    policy: exemptions({ paths: ['^.spec'] }),
    outcome: 'allowed',
  },
  {
    name: 'a path is not a prefix of names',
    policy: exemptions({ paths: ['^.spec.si'] }),
    outcome: 'denied',
  },
  {
    name: 'every list of an exemption must match',
    policy: exemptions({ paths: ['^.spec'], rules: ['NoScopeChange'] }),
    outcome: 'denied',
  },
  {
    name: 'an exemption until later',
    policy: exemptions({ names: ['*'], until: '2026-06-01T00:00:01Z' }),
    outcome: 'allowed',
  },
  {
    name: 'an exemption until now',
    policy: exemptions({ names: ['*'], until: '2026-06-01T00:00:00Z' }),
    outcome: 'denied',
  },
  {
    name: 'a switch-off of the family',
    request: { bypasses: [bypass] },
    outcome: 'bypassed',
    dispositions: ['warned'],
    because: bypass.description,
  },
  {
    name: 'a switch-off of all families',
    request: { bypasses: [{ ...bypass, families: 'all' }] },
    outcome: 'bypassed',
  },
  {
    name: 'a switch-off of another family',
    request: { bypasses: [{ ...bypass, families: ['stored-objects'] }] },
    outcome: 'denied',
  },
  {
    name: 'a switch-off of one of two families',
    findings: [finding(), finding({ rule: 'StoredObject' })],
    request: { bypasses: [bypass] },
    outcome: 'denied',
    dispositions: ['warned', 'denied'],
  },
  {
    name: 'a switch-off that lets nothing through is not used',
    findings: [finding({ severity: 'warning' })],
    request: { bypasses: [bypass] },
    outcome: 'warned',
  },
];

describe('decide', () => {
  const breaking = finding({ effect: 'breaking' });
  const observe = modes({ 'crd-upgrade-safety': 'audit' });
  const would: [
    name: string,
    wouldDeny: boolean,
    finding: Finding,
    more?: Partial<Policy>,
    asked?: Partial<DecisionRequest>,
  ][] = [
    ['proven harm', true, breaking],
    ['proven harm under warn', true, breaking, modes({ 'crd-upgrade-safety': 'warn' })],
    ['a change of a description', false, finding({ effect: 'safe' })],
    ['the same, where all is enforced', true, finding({ effect: 'safe' }), { enforce: 'all' }],
    [
      'what can still be updated, where only what is stuck is enforced',
      false,
      finding({
        effect: 'breaking',
        stored: { create: 'refused', update: 'accepted', status: 'accepted' },
      }),
      { enforce: 'stuck' },
    ],
    ['what is undecided', true, finding({ effect: 'undecided' })],
    ['the same under warn', false, finding({ effect: 'undecided' }), { undecided: 'warn' }],
    ['what is exempt', false, breaking, exemptions({ names: ['*'] })],
    ['what the old object has', false, breaking, {}, { previous: [breaking] }],
    ['what is switched off', false, breaking, {}, { bypasses: [bypass] }],
    ['what is never denied', false, breaking, {}, { neverDenied: 'status' }],
    [
      'a family that warns by default',
      false,
      finding({ family: 'client-contract', rule: 'ServedVersionRemoved', severity: 'warning' }),
    ],
    [
      'a family that the policy has warn',
      true,
      finding({ family: 'client-contract', rule: 'ServedVersionRemoved', severity: 'warning' }),
      modes({ 'client-contract': 'warn' }),
    ],
  ];
  for (const [name, wouldDeny, found, more = {}, asked = {}] of would) {
    it(`observing, counts ${wouldDeny ? '' : 'not '}${name}`, () => {
      const policy = { ...defaultPolicy, ...observe, ...more };
      const observed = decide([found], policy, { ...request, ...asked }, now);
      expect(observed.allowed).to.equal(true);
      expect(observed.decided.map((each) => each.wouldDeny)).to.deep.equal([wouldDeny]);
      expect(observed.warnings).to.deep.equal([]);
      const denying = new Map([...policy.modes].map(([key]) => [key, 'deny' as const]));
      const denied = decide([found], { ...policy, modes: denying }, { ...request, ...asked }, now);
      expect(denied.allowed).to.equal(!wouldDeny);
    });
  }

  it('by default denies only what is shown to harm', () => {
    const outcome = (effect: Finding['effect']): string =>
      decide([finding({ effect, proof: 'a bound' })], defaultPolicy, request, now).outcome;
    expect(outcome('breaking')).to.equal('denied');
    expect(outcome('data-loss')).to.equal('denied');
    expect(outcome('safe')).to.equal('warned');
    expect(outcome('behavior')).to.equal('warned');
    expect(outcome(undefined)).to.equal('warned');
  });

  it('denies harm to status where a named minor refuses updates of the object for it', () => {
    const stored = { create: 'accepted', update: 'accepted', status: 'ratcheted' } as const;
    const harmed = finding({
      ...{ effect: 'breaking', harm: 'StatusHarmed', stored, storedFrom: '1.30' },
    });
    const outcome = (kubernetes: string): string =>
      decide([harmed], { ...defaultPolicy, kubernetes }, request, now).outcome;
    expect(outcome('1.30+')).to.equal('warned');
    expect(outcome('1.29+')).to.equal('denied');
  });

  it('says nothing of words, and of what the proof sees no difference in', () => {
    const dispositions = ['description only', undefined, 'a bound is looser'].flatMap((proof) =>
      decide([finding({ effect: 'safe', proof })], defaultPolicy, request, now).decided.map(
        ({ disposition, wouldDeny }) => [disposition, wouldDeny],
      ),
    );
    expect(dispositions).to.deep.equal([
      ['audited', false],
      ['audited', false],
      ['warned', false],
    ]);
  });

  it('under enforce: stuck denies what is stuck or loses data, for the minors that are named', () => {
    const outcome = (more: Partial<Finding>, kubernetes?: string): string => {
      const policy: Policy = { ...defaultPolicy, enforce: 'stuck' };
      const asked = kubernetes === undefined ? policy : { ...policy, kubernetes };
      return decide([finding({ effect: 'breaking', ...more })], asked, request, now).outcome;
    };
    const ratcheted = { stored: { create: 'refused', update: 'ratcheted' } } as const;
    const updatable = { ...ratcheted, storedFrom: '1.30' } as const;
    expect(outcome({ stored: { create: 'refused', update: 'refused' } })).to.equal('denied');
    expect(outcome({})).to.equal('denied');
    expect(outcome({ effect: 'data-loss' })).to.equal('denied');
    expect(outcome({ effect: 'safe', proof: 'a bound' })).to.equal('warned');
    expect(outcome(updatable)).to.equal('warned');
    expect(outcome(updatable, '1.30..1.36')).to.equal('warned');
    expect(outcome(updatable, 'cluster')).to.equal('warned');
    expect(outcome(updatable, '1.29..1.36')).to.equal('denied');
    expect(outcome(updatable, '1.33, 1.29')).to.equal('denied');
    expect(outcome(ratcheted, '1.29+')).to.equal('warned');
  });

  for (const row of rows) {
    it(row.name, () => {
      const decision = decide(
        row.findings ?? [finding()],
        { ...strict, ...row.policy },
        { ...request, ...row.request },
        now,
      );
      expect(decision.outcome).to.equal(row.outcome);
      expect(decision.allowed).to.equal(row.outcome !== 'denied');
      if (row.dispositions !== undefined) {
        expect(decision.decided.map((each) => each.disposition)).to.deep.equal(row.dispositions);
      }
      if (row.because !== undefined) expect(decision.decided[0]?.because).to.equal(row.because);
    });
  }

  it('says in the severity what each finding was worth', () => {
    const policy = { ...strict, modes: new Map([['NoScopeChange', 'warn' as const]]) };
    const findings = [finding(), finding({ rule: 'NoScopeChange' })];
    const { findings: said } = decide(findings, policy, request, now);
    expect(said.map(({ severity }) => severity)).to.deep.equal(['error', 'warning']);
  });

  it('warns about an expired exemption that would have mattered, once', () => {
    const policy: Policy = {
      ...strict,
      exemptions: [{ names: ['*'], reason: 'by hand', until: '2026-01-01T00:00:00Z' }],
    };
    const { warnings } = decide([finding(), finding({ path: '^.a' })], policy, request, now);
    expect(warnings).to.deep.equal([
      'exemption "by hand" of the policy expired at 2026-01-01T00:00:00Z and no longer counts',
    ]);
  });

  it('names the switch-off, and counts it once per family', () => {
    const findings = [finding(), finding({ path: '^.a' }), finding({ rule: 'StoredObject' })];
    const decision = decide(
      findings,
      strict,
      { ...request, bypasses: [{ ...bypass, families: 'all' }] },
      now,
    );
    expect(decision.bypassedBy).to.equal(bypass.description);
    expect(decision.bypassed.map(({ family }) => family)).to.deep.equal([
      'crd-upgrade-safety',
      'stored-objects',
    ]);
  });

  for (const rule of [
    'GroupRoleCollision',
    'InterOperatorGroupOwnerConflict',
    'OperatorGroupIntersection',
    'OwnerConflict',
    'StaticProtectionLost',
  ]) {
    it(`lets no object of one namespace speak for ${rule}, unless the policy says so`, () => {
      const families = ['operator-groups'] as const;
      for (const by of ['operatorgroup', 'subscription', 'csv'] as const) {
        const asked = { ...request, bypasses: [{ ...bypass, by, families }] };
        const findings = [finding({ rule, family: 'operator-groups' })];
        const refused = decide(findings, strict, asked, now);
        expect(refused.outcome, by).to.equal('denied');
        expect(refused.warnings.join()).to.include(
          `does not count for ${rule}, which protects other namespaces`,
        );
        const wide = { ...strict, bypass: { ...strict.bypass, clusterWide: true } };
        expect(decide(findings, wide, asked, now).outcome, by).to.equal('bypassed');
      }
    });
  }

  it('lets none speak for what such a rule finds in the step of an InstallPlan', () => {
    const bypasses = [
      { ...bypass, by: 'subscription' as const, families: ['install-plans'] as const },
    ];
    const outcome = (foundBy: string): string =>
      decide(
        [finding({ rule: 'InstallPlanCSV', foundBy, family: 'install-plans' })],
        strict,
        { ...request, bypasses },
        now,
      ).outcome;
    expect(outcome('InterOperatorGroupOwnerConflict')).to.equal('denied');
    expect(outcome('UnsupportedOperatorGroup')).to.equal('bypassed');
  });
});
