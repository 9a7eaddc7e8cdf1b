/**
 * The only way from findings to a verdict. Every entry point calls it and decides nothing itself, so modes,
 * the ratchet, exemptions, switch-offs and guarantees are the same in a review, a command and a scan.
 */
import type { ClusterView } from '../cluster/index.js';
import { type RuleIndex, upgradeRuleNamed } from '../upgrade/index.js';
import type { Finding, Verdict } from '../rule/index.js';
import { guessPlural } from '../olm/index.js';
import { type JsonObject, metaOf, own } from '../text/documents/index.js';
import {
  evaluateBypasses,
  type BypassCandidates,
  type BypassEvaluation,
  type BypassRules,
} from './bypass.js';
import { decide, type DecidedFinding, type Decision } from './decide.js';
import type { Subject } from './exemptions.js';
import { explainDecision } from './explain.js';
import { guarantee, onlyBookkeepingChanges, type GuardedRequest } from './guarantees.js';
import { claimsMore, ownersOf, unlabelledSwitchOffs, unlistedSwitchOffs } from './owners.js';
import { type DefinitionChange, frozenFindings } from './promises.js';
import { newSwitchOffFinding, newSwitchOffs, type NewSwitchOff } from './new-switch-offs.js';
import type { Policy } from './policy.js';

export interface Question {
  /** API groups and a name, as exemptions name the subject. */
  readonly subject: Subject;
  readonly findings: readonly Finding[];
  /** Findings that the old object has by itself; asked for only when something would be denied. */
  readonly previous?: () => readonly Finding[] | Promise<readonly Finding[]>;
  /** Definitions before and after, where the request is not about one of them itself. */
  readonly definitions?: readonly DefinitionChange[];
  readonly request?: GuardedRequest;
  /** Why this request is never denied, beside the guarantees that hold for every request. */
  readonly neverDenied?: string | undefined;
  /** Checks that were not possible, with the reason, a sentence each. */
  readonly unchecked?: readonly string[];
}

/** Facts that the decision depends on, besides findings and policy. */
export interface CheckFacts {
  /** Now by default. */
  readonly now?: Date;
  /** Where the owners of the stored object are looked up; without a view no object has owners. */
  readonly view?: ClusterView | undefined;
  /** Whether an API server asks: only then are the stored object and the user known for certain. */
  readonly isAdmission?: boolean;
}

export interface Checked {
  readonly verdict: Verdict;
  readonly outcome: Decision['outcome'];
  readonly decided: readonly DecidedFinding[];
  readonly bypassed: Decision['bypassed'];
  readonly newSwitchOffs: readonly NewSwitchOff[];
  /** Checks that were not possible, if nothing else denies; under `unjudged: deny` this is a denial. */
  readonly unjudged?: string;
}

/** Decides the verdict on the findings under the policy; `verdict.warnings` has further remarks. */
export async function check(
  question: Question,
  policy: Policy,
  facts: CheckFacts = {},
): Promise<Checked> {
  const { request = {} } = question;
  const { oldObject: stored, object: requested } = request;
  const { now = new Date(), isAdmission = false } = facts;
  const rules: BypassRules = { bypass: policy.bypass, now, isAdmission };
  const { definitions, frozen } = changesIn(question, policy);
  const switchOffs = isAdmission ? await readNewSwitchOffs(request, policy, rules, facts.view) : [];
  const findings = [...question.findings, ...switchOffs.map(newSwitchOffFinding), ...frozen];
  const ruleNamed = await indexKnowing(findings);
  const plain = { subject: question.subject, ruleNamed, definitions };
  const inFiles = isAdmission ? await inFolder(stored, facts.view) : undefined;
  const candidates: BypassCandidates = {
    stored: inFiles ?? stored,
    requested,
    ...(facts.view?.isOfFiles === true && { areFiles: inFiles === undefined ? 'owners' : 'all' }),
  };
  let bypass = evaluateBypasses(candidates, rules);
  let decision = decide(findings, policy, plain, now);
  const isDenied = !decision.allowed;
  if (decision.decided.some(({ wouldDeny }) => wouldDeny)) {
    const withAll = await withOwners(bypass, candidates, policy, rules, facts.view);
    const previous = policy.ratchet ? await question.previous?.() : undefined;
    // Only a denial says why a switch-off does not count.
    if (isDenied) bypass = withAll;
    const full = { ...plain, ...exceptionsIn(question), bypasses: withAll.bypasses, previous };
    decision = decide(findings, policy, full, now);
    if (!decision.allowed && stored !== undefined && facts.view !== undefined) {
      const denied = decision.decided.filter(({ disposition }) => disposition === 'denied');
      const families = new Set(denied.map(({ finding }) => finding.family));
      const context = { policy, view: facts.view, now };
      const problems = [
        ...bypass.problems,
        ...(await unlistedSwitchOffs(stored, families, context)),
        ...(await unlabelledSwitchOffs(stored, families, context)),
      ];
      bypass = { ...bypass, problems };
    }
  }
  const checked = conclude(question, policy, decision, bypass);
  return { ...checked, newSwitchOffs: checked.verdict.allowed ? switchOffs : [] };
}

/** The same where there is no cluster: it waits for nothing. */
export function checkOffline(
  question: Omit<Question, 'previous'> & { readonly previous?: () => readonly Finding[] },
  policy: Policy,
  ruleNamed: RuleIndex,
): Verdict {
  const { subject, request = {} } = question;
  const { oldObject: stored, object: requested } = request;
  const { definitions, frozen } = changesIn(question, policy);
  const findings = [...question.findings, ...frozen];
  const now = new Date();
  const rules: BypassRules = { bypass: policy.bypass, now, isAdmission: false };
  const bypass = evaluateBypasses({ stored, requested }, rules);
  const plain = { subject, ruleNamed, definitions };
  let decision = decide(findings, policy, plain, now);
  if (!decision.allowed) {
    const previous = policy.ratchet ? question.previous?.() : undefined;
    const full = { ...plain, ...exceptionsIn(question), bypasses: bypass.bypasses, previous };
    decision = decide(findings, policy, full, now);
  }
  return conclude(question, policy, decision, bypass).verdict;
}

function changesIn(
  { request = {}, definitions }: Pick<Question, 'request' | 'definitions'>,
  policy: Policy,
): { readonly definitions: readonly DefinitionChange[]; readonly frozen: readonly Finding[] } {
  const changes = definitions ?? [{ old: request.oldObject, next: request.object }];
  const frozen = changes.flatMap((each) => frozenFindings(policy, each));
  return { definitions: changes, frozen };
}

/** Why a request is not denied, whatever is found. */
function exceptionsIn({ request = {}, neverDenied }: Pick<Question, 'request' | 'neverDenied'>) {
  return {
    neverDenied: guarantee(request) ?? neverDenied,
    onlyBookkeeping: onlyBookkeepingChanges(request),
  };
}

function conclude(
  question: Omit<Question, 'previous'>,
  policy: Policy,
  decision: Decision,
  bypass: BypassEvaluation,
): Omit<Checked, 'newSwitchOffs'> {
  const { request = {}, unchecked = [] } = question;
  const isUnjudged =
    decision.allowed &&
    unchecked.length > 0 &&
    (guarantee(request) ?? question.neverDenied ?? onlyBookkeepingChanges(request)) === undefined;
  const isAllowed = decision.allowed && !(isUnjudged && policy.unjudged === 'deny');
  const { bypassedBy, outcome, decided, bypassed, findings } = decision;
  const warnings = [...unchecked, ...explainDecision(decision, bypass)];
  return {
    verdict: { allowed: isAllowed, findings, warnings, bypassedBy },
    outcome,
    decided,
    bypassed,
    ...(isUnjudged ? { unjudged: unchecked.join('; ') } : {}),
  };
}

/** Includes switch-offs of owners that the object gains by the request: they count from then on. */
async function readNewSwitchOffs(
  request: GuardedRequest,
  policy: Policy,
  rules: BypassRules,
  view: ClusterView | undefined,
): Promise<NewSwitchOff[]> {
  const { object: next, oldObject: old } = request;
  const isClaiming = next !== undefined && claimsMore(next, old, policy);
  if (view === undefined || !isClaiming) return newSwitchOffs(request, rules);
  const [named, known] = await Promise.all([
    ownersOf(next, { policy, view }),
    old === undefined ? undefined : ownersOf(old, { policy, view }),
  ]);
  const before = new Set(known?.objects.map(identityOf));
  const owners = named.objects.filter((each) => !before.has(identityOf(each)));
  return newSwitchOffs(request, rules, owners);
}

function identityOf(object: JsonObject): string {
  return JSON.stringify([own(object, 'kind'), metaOf(object).key]);
}

/** The review's `oldObject` counts where the folder lacks it: the client may have made it up, so it needs a record. */
async function inFolder(
  stored: JsonObject | undefined,
  view: ClusterView | undefined,
): Promise<JsonObject | undefined> {
  if (stored === undefined || view?.isOfFiles !== true) return undefined;
  const { name, namespace } = metaOf(stored);
  const [kind, apiVersion] = [own(stored, 'kind'), own(stored, 'apiVersion')];
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return undefined;
  const group = apiVersion.split('/')[0] ?? '';
  return view.get({ group, resource: guessPlural(kind) }, name, namespace);
}

/** Owners are asked about only when something would be denied: it costs reads of the cluster. */
async function withOwners(
  bypass: BypassEvaluation,
  candidates: BypassCandidates,
  policy: Policy,
  rules: BypassRules,
  view: ClusterView | undefined,
): Promise<BypassEvaluation> {
  const { stored } = candidates;
  if (view === undefined || stored === undefined) return bypass;
  const { objects, problems } = await ownersOf(stored, { policy, view });
  const evaluated = evaluateBypasses({ ...candidates, owners: objects }, rules);
  return { ...evaluated, problems: [...evaluated.problems, ...problems] };
}

/** The rules about upgrades are loaded already; the index of all rules is loaded only if a finding needs it. */
async function indexKnowing(findings: readonly Finding[]): Promise<RuleIndex> {
  const isOfUpgrades = findings.every(
    ({ rule, foundBy = rule }) =>
      upgradeRuleNamed(rule) !== undefined && upgradeRuleNamed(foundBy) !== undefined,
  );
  return isOfUpgrades ? upgradeRuleNamed : (await import('./rules/registry.js')).ruleNamed;
}
