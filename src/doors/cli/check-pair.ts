/** One definition before and after, as `check crd` tells of it: judged, mended, and decided as at the gate. */
import type { ClusterView } from '../../facts/cluster/view.js';
import type { FoundCrd } from '../../crd/collect.js';
import type { AskedMinors } from '../../definition/index.js';
import { addBounds } from '../../proof/fixes/add-bounds.js';
import { repairUpgrade } from '../../proof/fixes/repair.js';
import { refusedByKubernetes } from '../../rules/crd/index.js';
import {
  judgeForServers,
  refusedByServers,
  type ServersJudgement,
} from '../../rules/definition/index.js';
import { withWayOut } from '../../rules/crd/way-out.js';
import { type HarmedObject } from '../../crd/stored/index.js';
import { isObject, own, type JsonObject, type Place } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import { check, type Checked } from '../../check/check.js';
import type { Policy, Profile } from '../../check/policy.js';
import type { CheckResult, FindingNote } from '../report/check-report.js';
import { codeFrames, type CodeFrame } from '../report/code-frame.js';
import { judgePair, type PairJudgement } from './crd-judgement.js';
import { placeOf } from './crd-source.js';
import type { Repaired } from './fix-file.js';
import { checkObjects } from './stored-objects.js';

export interface PairContext {
  readonly profile: Profile;
  readonly policy: Policy;
  readonly view: ClusterView | undefined;
  /** Where the owners of the definitions are looked up. */
  readonly owners: ClusterView | undefined;
  readonly isFixWanted: boolean;
  /** Where the ways out are kept for `--fix`. */
  readonly repaired: Repaired[];
  readonly objects: string | undefined;
  /** Minors of Kubernetes that are asked whether they take the new definition. */
  readonly minors: AskedMinors;
  /** What looking for hints may still cost, for all definitions together. */
  readonly hints: { values: number };
  /** Told of each stored object that comes to harm, by the definition's name. */
  readonly onHarmed: ((name: string, object: HarmedObject) => Promise<void>) | undefined;
}

/** Without `--fix` the ways out are a hint: few are tried, so that a large bundle does not wait. */
const effort = {
  hint: { most: 24, values: 200_000, atRandom: 40 },
  wanted: { most: 400, values: 40_000_000 },
};
export const hintsForAll = 400_000;

/** @throws InvalidInputError for a definition that cannot be judged */
export async function checkPair(
  old: FoundCrd,
  fresh: FoundCrd,
  context: PairContext,
): Promise<CheckResult> {
  const judgement = withFixes(old, fresh, judgePair(old, fresh, context.profile), context);
  const sides = judgement.stands.map(({ side }) => (side === 'old' ? old : fresh));
  const ofRules = judgement.stands.map(({ keys }, index) => placeOf(sides[index] ?? fresh, keys));
  const frames = { old: codeFrames(old.document), new: codeFrames(fresh.document) };
  const notes = judgement.proofs.map((proof, index) => ({
    ...(proof === undefined ? {} : { proof: proof.reason }),
    ...(judgement.ways[index] === undefined ? {} : { fix: judgement.ways[index] }),
    frame: frames[judgement.stands[index]?.side ?? 'new'](ofRules[index]?.line),
  }));
  const stored =
    context.objects === undefined
      ? undefined
      : await checkObjects(context.objects, old.crd, fresh.crd, {
          view: context.view,
          onHarmed: async (object) => context.onHarmed?.(fresh.name, object),
        });
  const servers = judgeForServers(fresh.crd, old.crd, context.minors);
  mendCosts(fresh, old, servers, context);
  const ofObjects = stored?.findings ?? [];
  const findings = [...judgement.findings.map(withWayOut), ...ofObjects, ...servers.findings];
  const ofServers = servers.stands.map((keys) => placeOf(fresh, keys));
  const places: Place[] = [...ofRules, ...ofObjects.map(() => ({})), ...ofServers];
  const { verdict, decided } = await decideAsWebhook(
    old,
    fresh,
    { ...judgement, findings, unchecked: servers.unchecked },
    context,
  );
  const explained = decided.map(({ because }, index) => ({
    ...(notes[index] ?? noteOf(findings[index], servers, frames.new(places[index]?.line))),
    ...(because?.startsWith('exemption') === true ? { exempt: because } : {}),
  }));
  const output =
    stored === undefined ? judgement.output : { ...judgement.output, storedObjects: stored.tally };
  return { name: fresh.name, verdict, output, places, notes: explained };
}

/** A definition that is only in NEW: whether servers would take it. */
export async function checkAdded(fresh: FoundCrd, context: PairContext): Promise<CheckResult> {
  const { policy, view, minors } = context;
  const { name, crd, document } = fresh;
  const servers = judgeForServers(crd, undefined, minors);
  const { findings, stands, unchecked } = servers;
  mendCosts(fresh, undefined, servers, context);
  const { verdict } = await check(
    {
      subject: { groups: groupsOf(crd), name },
      findings,
      unchecked,
      request: { object: crd },
      refusedByKubernetes: refusedByServers,
    },
    policy,
    { now: new Date(), view },
  );
  const places = stands.map((keys) => placeOf(fresh, keys));
  const frame = codeFrames(document);
  const notes = places.map(({ line }, index) => noteOf(findings[index], servers, frame(line)));
  return { name, verdict, output: {}, places, notes };
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
  fresh: FoundCrd,
  old: FoundCrd | undefined,
  { cheaper }: ServersJudgement,
  { isFixWanted, repaired }: PairContext,
): void {
  if (!isFixWanted || cheaper.length === 0) return;
  const index = repaired.findIndex((each) => each.fresh === fresh);
  const before = repaired[index]?.repair ?? { fixes: [], patched: fresh.crd, left: [], cost: 0 };
  const { repair, refused } = addBounds(old?.crd, before, cheaper);
  repaired.splice(index < 0 ? repaired.length : index, index < 0 ? 0 : 1, {
    fresh,
    repair,
    refused,
  });
}

/** Gives each finding that does harm the patch that ends it, where one is found. */
function withFixes(
  old: FoundCrd,
  fresh: FoundCrd,
  judgement: PairJudgement,
  { isFixWanted, repaired, hints }: PairContext,
): PairJudgement & { readonly ways: readonly (string | undefined)[] } {
  const isHarmful = judgement.findings.some(
    ({ effect }) => effect === 'breaking' || effect === 'data-loss',
  );
  if (!isHarmful || (!isFixWanted && hints.values <= 0)) return { ...judgement, ways: [] };
  const { results } = judgement;
  const repair = repairUpgrade(old.crd, fresh.crd, {
    ...(isFixWanted ? effort.wanted : effort.hint),
    ...(results === undefined ? {} : { proof: { results } }),
  });
  hints.values -= repair.cost;
  repaired.push({ fresh, repair });
  const fixes = judgement.proofs.map((proof) =>
    repair.fixes.find(
      ({ trouble }) => trouble.version === proof?.version && trouble.path === proof?.path,
    ),
  );
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
      refusedByKubernetes: new Set([...refusedByKubernetes, ...refusedByServers]),
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
