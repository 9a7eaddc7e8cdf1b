/** One definition before and after, as `check crd` tells of it: judged, mended, and decided as at the gate. */
import { ClusterError, type ClusterView } from '../../../facts/cluster/view.js';
import { readCsv } from '../../../olm/cluster-service-version.js';
import { servedVersionRemoved } from '../../../rules/contract/served-version-removed.js';
import { heedOwners } from '../../../rules/olm/shared-definition.js';
import type { FoundCrd } from '../../../crd/collect.js';
import type { AskedMinors } from '../../../definition/index.js';
import { addBounds } from '../../../proof/fixes/add-bounds.js';
import { differenceOf, repairUpgrade } from '../../../proof/fixes/repair.js';
import { judgeForServers, type ServersJudgement } from '../../../rules/definition/index.js';
import { judgeRollback } from '../../../rules/contract/rollback.js';
import { withWayOut } from '../../../rules/crd/way-out.js';
import { type HarmedObject } from '../../../crd/stored/index.js';
import { isObject, own, type JsonObject, type Place } from '../../../text/documents/index.js';
import type { Finding } from '../../../finding.js';
import { check, type Checked } from '../../../check/check.js';
import {
  exemptedBy,
  exemptionComments,
  misspeltComments,
  type ExemptionComment,
} from '../../../check/exemption-comments.js';
import type { Subject } from '../../../check/exemptions.js';
import type { Policy, Profile } from '../../../check/policy.js';
import type { CheckResult, FindingNote } from '../../report/check-report.js';
import { codeFrames, type CodeFrame } from '../../report/code-frame.js';
import { judgePair, previousOf, type PairJudgement } from './crd-judgement.js';
import { placeOf } from '../options/crd-source.js';
import type { Repaired } from './fix-file.js';
import type { JudgedPair } from './judged-before.js';
import { checkObjects } from './stored-objects.js';

export interface Judged {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
}

export interface PairContext {
  readonly profile: Profile;
  readonly policy: Policy;
  /** Whether comments in the new definition exempt, as a repository's own policy does. */
  readonly areCommentsHeard: boolean;
  readonly view: ClusterView | undefined;
  /** Where the owners of the definitions are looked up. */
  readonly owners: ClusterView | undefined;
  /** What was found in each definition, as it comes. */
  readonly judged: Judged[];
  readonly isFixWanted: boolean;
  /** Where the ways out are kept for `--fix`. */
  readonly repaired: Repaired[];
  readonly objects: string | undefined;
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: AskedMinors;
  /** What looking for hints may still cost, for all definitions together. */
  readonly hints: { values: number };
  /** Whether the way back is judged too. */
  readonly isRollbackWanted: boolean;
  /** What a thread has found out about a pair; undefined where nobody has. */
  readonly judgedAhead?: () => Promise<JudgedPair | undefined>;
  /** Told of each stored object that comes to harm, by the definition's name. */
  readonly onHarmed: ((name: string, object: HarmedObject) => Promise<void>) | undefined;
}

/** Without `--fix` the ways out are a hint: few are tried, so that a large bundle does not wait. */
const limits = {
  hint: { most: 24, values: 200_000, atRandom: 40 },
  wanted: { most: 400, values: 40_000_000 },
};
export const hintsForAll = 400_000;

/** @throws InvalidInputError for a definition that cannot be judged */
export async function checkPair(
  old: FoundCrd,
  next: FoundCrd,
  context: PairContext,
): Promise<CheckResult> {
  const { profile, policy } = context;
  const ahead = await context.judgedAhead?.();
  const pair =
    ahead === undefined
      ? judgePair(old, next, { profile, enforce: policy.enforce })
      : { ...ahead.pair, previous: previousOf(old.crd, profile, ahead.pair.findings) };
  const judgement = withFixes(old, next, pair, context);
  const sides = judgement.stands.map(({ side }) => (side === 'old' ? old : next));
  const ofRules = judgement.stands.map(({ keys }, index) => placeOf(sides[index] ?? next, keys));
  const frames = { old: codeFrames(old.document), new: codeFrames(next.document) };
  const notes = judgement.proofs.map((proof, index) => ({
    ...(proof === undefined ? {} : { proof: proof.reason }),
    ...(judgement.ways[index] === undefined ? {} : { fix: judgement.ways[index] }),
    frame: frames[judgement.stands[index]?.side ?? 'new'](ofRules[index]?.line),
  }));
  const stored =
    context.objects === undefined
      ? undefined
      : await checkObjects(context.objects, old.crd, next.crd, {
          view: context.view,
          onHarmed: async (object) => context.onHarmed?.(next.name, object),
        });
  const rollback = context.isRollbackWanted ? await judgeWayBack(old, next, context) : undefined;
  const servers = ahead?.servers ?? judgeForServers(next.crd, old.crd, context.minors);
  mendCosts(next, old, servers, context);
  const before = [
    ...(stored?.findings ?? []),
    ...(rollback === undefined ? [] : [rollback.finding]),
  ];
  const shared = await withSharedOwners(judgement.findings.map(withWayOut), old.name, context);
  const findings = [...shared.findings, ...before, ...servers.findings];
  const ofServers = servers.stands.map((keys) => placeOf(next, keys));
  const places: Place[] = [...ofRules, ...before.map(() => ({})), ...ofServers];
  const heeded = await heedComments(next, findings, places, context);
  const { verdict, decided } = await decideAsWebhook(
    old,
    next,
    { ...judgement, findings, unchecked: [...shared.unchecked, ...servers.unchecked] },
    { ...context, policy: heeded.policy },
  );
  const warnings = [
    ...verdict.warnings,
    ...heeded.warnings,
    ...(stored?.tally.checked === 0 && stored.findings.length === 0
      ? [`--objects ${context.objects} holds none of ${next.name}: no object was judged`]
      : []),
  ];
  const explained = decided.map((each, index) => ({
    ...(notes[index] ?? noteOf(findings[index], servers, frames.new(places[index]?.line))),
    ...exemptNote(each),
  }));
  const output = {
    ...judgement.output,
    ...(stored === undefined ? {} : { storedObjects: stored.tally }),
    ...(rollback === undefined ? {} : { rollback: rollback.output }),
  };
  const subject = { groups: groupsOf(old.crd), name: next.name };
  context.judged.push({ subject, findings: verdict.findings });
  return {
    name: next.name,
    verdict: { ...verdict, warnings },
    output,
    places,
    definitions: { old: old.crd, new: next.crd },
    notes: explained,
  };
}

/** The policy with what comments in the new definition exempt, and what is to be said of comments. */
async function heedComments(
  { document: { text, line: first, file } }: FoundCrd,
  findings: readonly Finding[],
  places: readonly Place[],
  { policy, areCommentsHeard }: Pick<PairContext, 'policy' | 'areCommentsHeard'>,
): Promise<{ readonly policy: Policy; readonly warnings: readonly string[] }> {
  const comments = exemptionComments(text, first, file);
  const misspelt = misspeltComments(text, first).map(
    ({ line, written }) =>
      `the comment in ${placed(line, file)} does not count: it says "${written}" and not "olm-guard:exempt RULE: REASON"`,
  );
  if (!areCommentsHeard) {
    const unheard = comments.map(
      ({ line }) => `the comment in line ${line} does not count beside --policy`,
    );
    return { policy, warnings: [...unheard, ...misspelt] };
  }
  const { exemptions, unused } = exemptedBy(comments, findings, places);
  return {
    policy: { ...policy, exemptions: [...policy.exemptions, ...exemptions] },
    warnings: [...(await idleComments(unused, file)), ...misspelt],
  };
}

/** Every rule is read for their names, so only when there is something to say. */
async function idleComments(
  unused: readonly ExemptionComment[],
  file: string | undefined,
): Promise<string[]> {
  if (unused.length === 0) return [];
  const { knownOrGuess } = await import('../../../check/known-name.js');
  return unused.map(
    ({ line, rules }) =>
      `the comment in ${placed(line, file)} exempts nothing (${rules.map(knownOrGuess).join(', ')})`,
  );
}

function placed(line: number, file: string | undefined): string {
  return [file, line].filter((part) => part !== undefined).join(':');
}

/** As at the gate: a version that goes is an error where several operators own the definition. */
async function withSharedOwners(
  findings: readonly Finding[],
  name: string,
  { owners: view }: PairContext,
): Promise<{ readonly findings: readonly Finding[]; readonly unchecked: readonly string[] }> {
  const isAsked = findings.some(({ rule }) => rule === servedVersionRemoved.id);
  if (!isAsked || view === undefined) return { findings, unchecked: [] };
  try {
    const resource = { group: 'operators.coreos.com', resource: 'clusterserviceversions' };
    const csvs = await view.list(resource, { labelSelector: '!olm.copiedFrom' });
    const owners = csvs
      .map(readCsv)
      .filter(({ ownedCrds }) => ownedCrds.some((crd) => crd.name === name));
    return { findings: heedOwners(findings, () => owners), unchecked: [] };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const unknown = `whether several ClusterServiceVersions own it is not known: ${error.message}`;
    return { findings, unchecked: [unknown] };
  }
}

/** The way back, and with `--objects` which objects have closed it already. */
async function judgeWayBack(
  old: FoundCrd,
  next: FoundCrd,
  { objects, view }: PairContext,
): Promise<{ readonly finding: Finding; readonly output: object }> {
  const { finding, ...back } = judgeRollback(old.crd, next.crd);
  // Standard input is read once, for the way there.
  if (objects === undefined || objects === '-') return { finding, output: back };
  const stored = await checkObjects(objects, next.crd, old.crd, { view });
  if (stored === undefined) return { finding, output: back };
  const { refused, pruned, checked } = stored.tally;
  const already =
    refused + pruned === 0
      ? `none of ${checked} stored objects does so far`
      : stored.findings.map(({ message }) => message).join('; ');
  const message = `${finding.message}; ${already}`;
  return { finding: { ...finding, message }, output: { ...back, storedObjects: stored.tally } };
}

/** A definition that is only in NEW: whether servers would take it. */
export async function checkAdded(next: FoundCrd, context: PairContext): Promise<CheckResult> {
  const { view, minors } = context;
  const { name, crd, document } = next;
  const servers = judgeForServers(crd, undefined, minors);
  const { findings, stands, unchecked } = servers;
  mendCosts(next, undefined, servers, context);
  const places = stands.map((keys) => placeOf(next, keys));
  const heeded = await heedComments(next, findings, places, context);
  const { verdict, decided } = await check(
    {
      subject: { groups: groupsOf(crd), name },
      findings,
      unchecked,
      request: { object: crd },
    },
    heeded.policy,
    { now: new Date(), view },
  );
  const frame = codeFrames(document);
  const notes = places.map(({ line }, index) => ({
    ...noteOf(findings[index], servers, frame(line)),
    ...exemptNote(decided[index]),
  }));
  const warnings = [...verdict.warnings, ...heeded.warnings];
  return { name, verdict: { ...verdict, warnings }, output: {}, places, notes };
}

function exemptNote(decided: Checked['decided'][number] | undefined): FindingNote {
  const because = decided?.because;
  return because?.startsWith('exemption') === true ? { exempt: because } : {};
}

function noteOf(
  finding: Finding | undefined,
  { cheaper }: ServersJudgement,
  frame: CodeFrame | undefined,
): FindingNote {
  const way = cheaper.find(({ title }) => finding?.message.endsWith(title));
  return { frame, ...(way === undefined ? {} : { fix: way.title }) };
}

/** With `--fix`: bounds that make rules cheap enough, unless an object is found that has more. */
function mendCosts(
  next: FoundCrd,
  old: FoundCrd | undefined,
  { cheaper }: ServersJudgement,
  { isFixWanted, repaired }: PairContext,
): void {
  if (!isFixWanted || cheaper.length === 0) return;
  const index = repaired.findIndex((each) => each.next === next);
  const before = repaired[index]?.repair ?? { fixes: [], patched: next.crd, left: [], cost: 0 };
  const { repair, refused } = addBounds(old?.crd, before, cheaper);
  repaired.splice(index < 0 ? repaired.length : index, index < 0 ? 0 : 1, {
    next,
    repair,
    refused,
  });
}

/** Gives each finding that does harm the patch that ends it, where one is found. */
function withFixes(
  old: FoundCrd,
  next: FoundCrd,
  judgement: PairJudgement,
  { isFixWanted, repaired, hints }: PairContext,
): PairJudgement & { readonly ways: readonly (string | undefined)[] } {
  const isHarmful = judgement.findings.some(
    ({ effect }) => effect === 'breaking' || effect === 'data-loss',
  );
  if (!isHarmful || (!isFixWanted && hints.values <= 0)) return { ...judgement, ways: [] };
  const { results } = judgement;
  const repair = repairUpgrade(old.crd, next.crd, {
    ...(isFixWanted ? limits.wanted : limits.hint),
    ...(results === undefined ? {} : { proof: { results } }),
  });
  hints.values -= repair.cost;
  repaired.push({ next, repair });
  const bySolved = new Map(
    repair.fixes.flatMap((fix) => fix.solves.map((difference) => [difference, fix] as const)),
  );
  const fixes = judgement.proofs.map((proof) => proof && bySolved.get(differenceOf(proof)));
  return {
    ...judgement,
    findings: judgement.findings.map((finding, index) => {
      const fix = fixes[index];
      return fix === undefined ? finding : { ...finding, fix: fix.patch };
    }),
    ways: fixes.map((fix) => fix?.title),
  };
}

/** The old definition stands for the one the cluster has: what switches checks off there counts. */
async function decideAsWebhook(
  { crd: stored }: FoundCrd,
  { crd: requested, name }: FoundCrd,
  { findings, previous, unchecked }: PairJudgement & { readonly unchecked: readonly string[] },
  { policy, owners }: PairContext,
): Promise<Pick<Checked, 'verdict' | 'decided'>> {
  return check(
    {
      subject: { groups: groupsOf(stored), name },
      findings,
      previous,
      unchecked,
      request: { object: requested, oldObject: stored },
    },
    policy,
    { now: new Date(), view: owners },
  );
}

function groupsOf(definition: JsonObject): string[] {
  const spec = own(definition, 'spec');
  const group = isObject(spec) ? own(spec, 'group') : undefined;
  return typeof group === 'string' ? [group] : [];
}
