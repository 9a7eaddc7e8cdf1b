/** Decides a verdict from findings and policy: a pure function, the same for every entry point. */
import type { Family, Finding, Rule, Verdict } from '../rule/index.js';
import { expiredWarning, nameOf, SubjectExemptions, type Subject } from './exemptions.js';
import { isAboutAnnotations, isRefusedByServer, type RuleIndex } from '../upgrade/index.js';
import { type DefinitionChange, SubjectPromises, type DecidingPromise } from './promises.js';
import {
  contractModes,
  mildHarm,
  usualMode,
  type BypassSource,
  type Mode,
  type Policy,
} from './policy.js';

/** A switch-off that counts: it is in a place that only someone with the right to set it can write. */
export interface Bypass {
  readonly by: BypassSource;
  readonly families: readonly Family[] | 'all';
  /** The annotation and its place, for the caller: `annotation "…" on CustomResourceDefinition "…"`. */
  readonly description: string;
  readonly reason?: string;
}

export interface DecisionRequest {
  readonly subject: Subject;
  readonly ruleNamed: RuleIndex;
  readonly definitions?: readonly DefinitionChange[];
  /** Findings of the old object; identical ones are not held against the request. */
  readonly previous?: readonly Finding[];
  readonly bypasses?: readonly Bypass[];
  /** Why this request is never denied, if so: see `guarantees.ts`. */
  readonly neverDenied?: string;
  /** Why findings about the object's content are never denied, if so; those about its bookkeeping may be. */
  readonly onlyBookkeeping?: string;
}

type Disposition = 'denied' | 'warned' | 'audited';

export interface DecidedFinding {
  readonly finding: Finding;
  readonly disposition: Disposition;
  /** Whether this policy denies it, or would if the mode that it names for it were `deny`. */
  readonly wouldDeny: boolean;
  readonly because?: string;
  readonly isUnproven?: true;
  readonly bypass?: Bypass;
  readonly isExempt?: true;
}

export interface Decision extends Verdict {
  readonly outcome: 'allowed' | 'warned' | 'denied' | 'bypassed';
  readonly decided: readonly DecidedFinding[];
  /** One entry per switch-off and family that let something through. */
  readonly bypassed: readonly { readonly bypass: Bypass; readonly family: Family }[];
}

/** Where the owner of one namespace can write a switch-off. */
const ofOneNamespace: ReadonlySet<BypassSource> = new Set(['operatorgroup', 'subscription', 'csv']);

const dispositions: Record<Mode, Disposition> = {
  deny: 'denied',
  warn: 'warned',
  audit: 'audited',
};

/**
 * Decides the disposition of each finding, and whether the request passes. In this order: the mode of
 * the rule or its family, `enforce` and `undecided`, requests that are never denied, the ratchet,
 * exemptions, and switch-offs.
 */
export function decide(
  findings: readonly Finding[],
  policy: Policy,
  request: DecisionRequest,
  now: Date,
): Decision {
  const { ruleNamed } = request;
  const old = new Set(policy.ratchet ? (request.previous ?? []).map(identity) : []);
  const exemptions = new SubjectExemptions(policy.exemptions, request.subject, now);
  const promises = new SubjectPromises(policy, request.definitions, findings);
  const warnings = new Set<string>();
  const decided = findings.map((found) => {
    const promise = promises.find(found);
    const finding = promise === undefined ? found : { ...found, decidedBy: promise.name };
    const byPolicy = disposition(finding, policy, ruleNamed, promise);
    if (byPolicy.disposition === 'denied') return downgrade(finding);
    const wouldDeny = byPolicy.wouldDeny && downgrade(finding, new Set()).wouldDeny;
    return { finding, ...byPolicy, wouldDeny };
  });

  function downgrade(finding: Finding, remarks = warnings): DecidedFinding {
    const downgraded = (because: string, disposition: Disposition = 'warned'): DecidedFinding => ({
      finding,
      disposition,
      wouldDeny: false,
      because,
    });
    const { rule } = finding;
    const { about, subject } = ruleNamed(rule) ?? {};
    const because =
      request.neverDenied ?? (about === 'bookkeeping' ? undefined : request.onlyBookkeeping);
    if (because !== undefined) return downgraded(because);
    if (old.size > 0 && old.has(identity(finding)))
      return downgraded('the old object has this already');
    const match = exemptions.find(finding);
    if (match !== undefined) {
      if (!match.expired)
        return { ...downgraded(nameOf(match.exemption), 'audited'), isExempt: true };
      remarks.add(expiredWarning(match.exemption));
    }
    // A switch-off cannot allow setting another one.
    const found = (request.bypasses ?? []).filter(
      ({ families }) =>
        subject !== 'switch-off' && (families === 'all' || families.includes(finding.family)),
    );
    const bypass = found.find(({ by }) => isReached(finding, by, policy, ruleNamed));
    if (bypass !== undefined) return { ...downgraded(bypass.description), bypass };
    for (const { description } of found) {
      remarks.add(
        `${description} does not count for ${rule}, which protects other namespaces (bypass.clusterWide in the policy)`,
      );
    }
    if (policy.acknowledged === undefined || isRefusedByServer(rule))
      return { finding, disposition: 'denied', wouldDeny: true };
    const decidedBy = acknowledgedBy(policy.acknowledged);
    return { ...downgraded(decidedBy), finding: { ...finding, decidedBy } };
  }

  const denied = decided.some(({ disposition }) => disposition === 'denied');
  const bypassed = usedBypasses(decided);
  const warned = decided.some(({ disposition }) => disposition === 'warned') || warnings.size > 0;
  return {
    allowed: !denied,
    outcome: denied ? 'denied' : bypassed.length > 0 ? 'bypassed' : warned ? 'warned' : 'allowed',
    findings: decided.map(withSeverity),
    warnings: [...warnings],
    ...(bypassed.length > 0 && !denied
      ? { bypassedBy: [...new Set(bypassed.map((each) => each.bypass.description))].join('; ') }
      : {}),
    decided,
    bypassed,
  };
}

export function acknowledgedBy(reason: string): string {
  return `acknowledged: ${reason}`;
}

export function isReached(
  { rule, foundBy = rule }: Pick<Finding, 'rule' | 'foundBy'>,
  by: BypassSource,
  policy: Policy,
  ruleNamed: RuleIndex,
): boolean {
  if (ruleNamed(rule)?.subject === 'switch-off') return false;
  const { protects = 'own-namespace' } = ruleNamed(foundBy) ?? {};
  return !ofOneNamespace.has(by) || protects === 'own-namespace' || policy.bypass.clusterWide;
}

/** The disposition by the rule, its family and its proof, before exceptions for the request are applied. */
function disposition(
  finding: Finding,
  policy: Policy,
  ruleNamed: RuleIndex,
  promise: DecidingPromise | undefined,
): Pick<DecidedFinding, 'disposition' | 'wouldDeny' | 'because' | 'isUnproven'> {
  const usual = contractModes.get(finding.family);
  const byPromise = promise?.mode;
  const ofRule = promise?.isOfRule === true ? byPromise : policy.modes.get(finding.rule);
  const named = byPromise ?? ofRule ?? policy.modes.get(finding.family);
  if (usual !== undefined) {
    // These findings break no object, so there is no proof to wait for: the mode alone decides.
    const disposition = dispositions[named ?? (finding.severity === 'error' ? 'deny' : usual)];
    // Under `audit` a rollback goes into the audit log alone, so it is counted under no mode.
    const isCounted =
      byPromise === undefined && named !== undefined && finding.family !== 'rollback';
    const wouldDeny = disposition === 'denied' || isCounted;
    return { disposition, wouldDeny };
  }
  const mode = named ?? usualMode(finding.family);
  const rule = ruleNamed(finding.rule);
  const enforced = isEnforced(finding, policy, { ofRule, byPromise, rule });
  if (enforced !== true) {
    const { at, ...rest } = enforced;
    return { disposition: milder(dispositions[mode], at), ...rest };
  }
  if (mode === 'deny') return { disposition: 'denied', wouldDeny: true };
  return {
    disposition: dispositions[mode],
    wouldDeny: byPromise === undefined && named !== undefined,
    because: byPromise === undefined ? `mode ${mode} of the policy` : promise?.name,
  };
}

interface Unenforced {
  readonly at: Disposition;
  readonly wouldDeny: boolean;
  readonly because?: string;
  readonly isUnproven?: true;
}

interface NamedModes {
  readonly ofRule: Mode | undefined;
  readonly byPromise: Mode | undefined;
  readonly rule: Rule | undefined;
}

function isEnforced(finding: Finding, policy: Policy, named: NamedModes): true | Unenforced {
  const { ofRule, rule } = named;
  const { severity, effect } = finding;
  const isUnjudgeable = finding.unprovable === true || isRefusedByServer(finding.rule);
  if (isUnjudgeable && severity === 'error') return true;
  if (effect === 'undecided' && policy.undecided === 'deny') return true;
  if (effect === 'undecided' && severity !== 'error') return { at: 'warned', wouldDeny: false };
  if (severity === 'info') return { at: 'audited', wouldDeny: false };
  // A warning becomes a denial only where the policy names that very rule.
  if (severity === 'warning' && ofRule !== 'deny') return { at: 'warned', wouldDeny: false };
  if (policy.enforce === 'all' || !awaitsProof(finding, rule)) return true;
  return byPrinciple(finding, policy, named);
}

/**
 * The principle of docs/verdicts.md: a change is denied if it is shown to do harm, even if the profile
 * allows it, and passes if it is shown to do none, even if the profile refuses it; the profile's rule
 * decides the rest.
 */
function byPrinciple(
  finding: Finding,
  policy: Policy,
  { rule, byPromise }: NamedModes,
): true | Unenforced {
  const { effect } = finding;
  if (effect === undefined || effect === 'safe') {
    const at = isOfWords(finding, rule) ? 'audited' : 'warned';
    const because = unproven[effect ?? 'none'];
    return { at, wouldDeny: false, because, isUnproven: true };
  }
  const kind = effect === 'behavior' ? 'BehaviorChanged' : finding.harm;
  // A status that blocks updates of its object is no harm to status alone.
  const isBlocking =
    kind === 'StatusHarmed' && effect === 'breaking' && !isUpdatable(finding, policy);
  if (kind !== undefined && !isBlocking) {
    const mode = byPromise ?? policy.modes.get(kind) ?? 'warn';
    if (mode === 'deny') return true;
    const because = `${kind}: ${mildHarm[kind]}`;
    const isUnproven = effect === 'behavior' ? ({ isUnproven: true } as const) : {};
    const wouldDeny = byPromise === undefined && policy.modes.has(kind);
    return { at: dispositions[mode], wouldDeny, because, ...isUnproven };
  }
  if (effect === 'undecided') {
    return policy.undecided === 'rule' || { at: 'warned', wouldDeny: false, isUnproven: true };
  }
  if (effect === 'data-loss' || policy.enforce !== 'stuck' || !isUpdatable(finding, policy))
    return true;
  const because = 'stored objects can still be updated, and the policy enforces only what is stuck';
  return { at: 'warned', wouldDeny: false, because };
}

/** The proof sees no difference but of words: a release changes those in every version. */
function isOfWords({ effect, proof: reason }: Finding, rule: Rule | undefined): boolean {
  return (
    effect === 'safe' &&
    rule?.subject === 'CustomResourceDefinition' &&
    (reason === undefined || isAboutAnnotations({ reason }))
  );
}

const unproven = {
  safe: 'it is proven that no object breaks, and the policy enforces only what does',
  none: 'the policy enforces only what is proven to break objects',
} as const;

/** Whether stored objects can be updated, also under the oldest minor that the policy names. */
function isUpdatable({ stored, storedFrom }: Finding, { kubernetes = '' }: Policy): boolean {
  if (stored === undefined || stored.update === 'refused') return false;
  if (storedFrom === undefined) return true;
  const named = kubernetes.match(/\d+\.\d+/g) ?? [];
  return named.every((minor) => minor.localeCompare(storedFrom, 'en', { numeric: true }) >= 0);
}

/** Whether a proof could confirm the finding: only findings about a definition and its objects have one. */
function awaitsProof({ family, effect, audience }: Finding, rule: Rule | undefined): boolean {
  // An InstallPlan's findings include those for clients and tools, which are about no stored object.
  if (audience !== undefined && audience !== 'objects') return false;
  const { about, awaitsProof = family === 'crd-upgrade-safety' } = rule ?? {};
  return about !== 'bookkeeping' && (effect !== undefined || awaitsProof);
}

function milder(a: Disposition, b: Disposition): Disposition {
  const order: readonly Disposition[] = ['audited', 'warned', 'denied'];
  return order.indexOf(a) < order.indexOf(b) ? a : b;
}

/** Two findings are the same when rule, object, version, place, text and cause are. */
export function identity({ rule, object, version, path, message, cause }: Finding): string {
  return JSON.stringify([rule, object, version, path, message, cause]);
}

function usedBypasses(decided: readonly DecidedFinding[]): Decision['bypassed'] {
  const used = new Map<string, { bypass: Bypass; family: Family }>();
  for (const { bypass, finding } of decided) {
    const { family } = finding;
    if (bypass !== undefined) used.set(`${bypass.by} ${family}`, { bypass, family });
  }
  return [...used.values()];
}

function withSeverity({ finding, disposition }: DecidedFinding): Finding {
  const severity =
    disposition === 'denied' ? 'error' : disposition === 'warned' ? 'warning' : 'info';
  return finding.severity === severity ? finding : { ...finding, severity };
}
