import { type JsonObject, metaOf, stringifyJson } from '../../../text/documents/index.js';
import type { Catalog, ObjectPlace } from '../../catalogs/catalog.js';
import {
  describeStoredWrites,
  type Effect,
  type Finding,
  type StoredWrites,
} from '../../../rule/index.js';
import { writesOf } from '../../../upgrade/index.js';
import { asBefore, type DiffCost } from './channels.js';
import { edgesOf } from '../../catalogs/upgrades/edges.js';
import { groupBy } from '../../../text/group.js';
import { within } from '../../catalogs/upgrades/graph.js';
import { type PackageState, readPackages } from '../../catalogs/upgrades/package-state.js';
import { originsOf } from './replacements.js';
import { type Circumstances, diffFinding, type DiffRuleName, namesText } from './rules.js';

/** The verdict of CRD upgrade safety and of the proof on one definition. */
export interface CrdVerdict extends StoredWrites {
  readonly effect: Effect | undefined;
  /** Of what kind, where a policy only warns of that kind. */
  readonly harm?: Finding['harm'];
  readonly reason: string;
  readonly witness?: unknown;
  /** Whose check refuses; OLM v1's, where it is left out. */
  readonly refusedBy?: string;
  readonly refusals: readonly string[];
  /** The API server refuses one of these by itself. */
  readonly isRefusedByServer?: boolean;
  /** Warnings about clients and server-side apply; empty where they were not requested. */
  readonly contract?: readonly Finding[];
}

export interface CrdQuestion {
  /** The definitions of a bundle; undefined when they are unknown. */
  readonly crdsOf: (
    bundle: string,
    packageName: string,
    side: 'old' | 'new',
  ) => readonly JsonObject[] | undefined;
  readonly judge: (old: JsonObject, next: JsonObject) => CrdVerdict;
  readonly isOldCounted?: boolean;
}

interface EdgeFound {
  readonly package: string;
  readonly channel: string;
  readonly from: string;
  readonly to: string;
  readonly isOld: boolean;
}

interface Pair {
  readonly name: string;
  /** Undefined: the new bundle does not bring it any more. */
  readonly verdict: CrdVerdict | undefined;
  readonly edges: EdgeFound[];
}

export function crdEdges(
  old: PackageState,
  now: PackageState,
  question: CrdQuestion,
  cost: DiffCost,
): { readonly pairs: readonly Pair[]; readonly judged: number; readonly unknown: number } {
  const definitions = new Definitions(old, now, question);
  const pairs = new Map<string, Pair>();
  let judged = 0;
  let unknown = 0;
  for (const { channel, from, targets, isOld } of updatesOf(old, now, cost)) {
    const before = definitions.of(from);
    for (const to of targets) {
      const after = before && definitions.of(to);
      if (before === undefined || after === undefined) {
        unknown++;
        continue;
      }
      judged++;
      for (const [name, definition] of before) {
        const next = after.get(name);
        if (next?.id === definition.id) continue;
        cost.spend('changedDefinition', 1, now.name);
        const edge = { package: now.name, channel, from, to, isOld: isOld(to) };
        const key = `${definition.id} ${next?.id ?? ''}`;
        const pair = pairs.get(key);
        if (pair !== undefined) {
          pair.edges.push(edge);
          continue;
        }
        cost.spend('judgement', 1, now.name);
        const verdict = next && question.judge(definition.value, next.value);
        pairs.set(key, { name, verdict, edges: [edge] });
      }
    }
  }
  return { pairs: [...pairs.values()], judged, unknown };
}

/** Updates of one catalog's package that break something, asked one by one, for pictures. */
export class BreakingUpdates {
  private readonly definitions: Definitions | undefined;
  private readonly verdicts = new Map<string, CrdVerdict>();
  /** Updates whose definitions were not compared, because too many had been. */
  unjudged = 0;

  /** @param most pairs of definitions that are compared; the same pair counts once */
  constructor(
    catalog: Catalog,
    packageName: string,
    private readonly question: CrdQuestion,
    private readonly most = 2_000,
  ) {
    const state = readPackages(catalog).get(packageName);
    this.definitions = state && new Definitions(state, state, question);
  }

  /** Along which stored objects break or lose data: a sentence for each definition. */
  reason(from: string, to: string): string | undefined {
    const before = this.definitions?.of(from) ?? new Map<string, Definition>();
    const after = this.definitions?.of(to);
    if (after === undefined) return undefined;
    const reasons: string[] = [];
    for (const [name, definition] of before) {
      const next = after.get(name);
      if (next === undefined || next.id === definition.id) continue;
      const verdict = this.judge(definition, next);
      if (verdict === undefined) {
        this.unjudged++;
        return undefined;
      }
      if (ruleFor(verdict) === 'CatalogEdgeBreaks') reasons.push(`${name}: ${verdict.reason}`);
    }
    return reasons.length === 0 ? undefined : reasons.join('; ');
  }

  /** Undefined when too many pairs were compared before. */
  private judge(old: Definition, next: Definition): CrdVerdict | undefined {
    const key = `${old.id} ${next.id}`;
    const known = this.verdicts.get(key);
    if (known !== undefined || this.verdicts.size >= this.most) return known;
    const verdict = this.question.judge(old.value, next.value);
    this.verdicts.set(key, verdict);
    return verdict;
  }
}

interface Updates {
  readonly channel: string;
  readonly from: string;
  readonly targets: readonly string[];
  readonly isOld: (target: string) => boolean;
}

function* updatesOf(old: PackageState, now: PackageState, cost: DiffCost): Generator<Updates> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    const [edges, oldEdges] = [edgesOf(channel.entries), edgesOf(before?.entries ?? [])];
    const origins = originsOf(channel, before, old, now);
    cost.spend('comparison', edges.comparisons * origins.length, now.name);
    for (const origin of origins) {
      const targets = namesOf(edges.from(origin)).filter((name) => name !== origin.name);
      cost.spend('update', targets.length, now.name);
      let oldTargets: ReadonlySet<string> | undefined;
      const isOld = (target: string): boolean => {
        oldTargets ??= new Set(namesOf(oldEdges.from(origin)));
        return oldTargets.has(target);
      };
      yield { channel: channel.name, from: origin.name, targets, isOld };
    }
  }
}

function namesOf(entries: readonly { readonly name: string }[]): string[] {
  return entries.map(({ name }) => name);
}

interface Definition {
  readonly value: JsonObject;
  readonly id: number;
}

class Definitions {
  private readonly known = new Map<string, ReadonlyMap<string, Definition> | undefined>();
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly old: PackageState,
    private readonly now: PackageState,
    private readonly question: CrdQuestion,
  ) {}

  of(bundle: string): ReadonlyMap<string, Definition> | undefined {
    if (this.known.has(bundle)) return this.known.get(bundle);
    const { crdsOf } = this.question;
    const found =
      (this.now.bundles.has(bundle) ? crdsOf(bundle, this.now.name, 'new') : undefined) ??
      (this.old.bundles.has(bundle) ? crdsOf(bundle, this.old.name, 'old') : undefined);
    const definitions = found && new Map(found.map((value) => this.read(value)));
    this.known.set(bundle, definitions);
    return definitions;
  }

  private read(value: JsonObject): [string, Definition] {
    const text = stringifyJson(value);
    const id = this.ids.get(text) ?? this.ids.size;
    this.ids.set(text, id);
    return [metaOf(value).name, { value, id }];
  }
}

/** One line per definition for refusals of the old catalog that break nothing known. */
export function* crdFindings(
  pairs: readonly Pair[],
  now: PackageState,
  { isOldCounted = false }: Pick<CrdQuestion, 'isOldCounted'>,
): Generator<Finding> {
  const before: Pair[] = [];
  for (const pair of pairs) {
    const rule = ruleFor(pair.verdict);
    if (rule === undefined) continue;
    const isOld = !isOldCounted && pair.edges.every((edge) => edge.isOld);
    const isMinor = rule === 'CatalogEdgeRefused' || rule === 'CatalogEdgeUndecided';
    if (isOld && isMinor) before.push(pair);
    else yield crdFinding(rule, pair, isOld, now);
  }
  for (const [name, same] of groupBy(before, (pair) => pair.name)) {
    const edges = same.flatMap((pair) => pair.edges);
    yield diffFinding('CatalogEdgeRefused', {
      id: 'asBefore',
      data: {
        definition: name,
        updates: edgesText(edges),
        by: same[0].verdict?.refusedBy ?? 'OLM v1',
      },
      place: placeOf(edges, now),
      about: `${now.name} ${name} before`,
      severity: 'info',
    });
  }
}

/** One finding for each of the contract's warnings about new updates, with all that it happens along. */
export function* contractFindings(pairs: readonly Pair[], now: PackageState): Generator<Finding> {
  const said = pairs.flatMap(({ name, verdict, edges }) =>
    edges.every(({ isOld }) => isOld)
      ? []
      : (verdict?.contract ?? []).map((finding) => ({ name, finding, edges })),
  );
  const alike = groupBy(said, ({ name, finding: { rule, version, path, message } }) =>
    JSON.stringify([name, rule, version, path, message]),
  );
  for (const same of alike.values()) {
    const [{ name, finding }] = same as [(typeof same)[number]];
    const edges = same.flatMap((each) => each.edges);
    const updates = edgesText(edges);
    yield {
      ...finding,
      place: placeOf(edges, now),
      message: `${name} along ${updates}: ${finding.message}`,
      data: { ...finding.data, definition: name, updates },
      cause: `${finding.rule} ${now.name} ${finding.cause ?? finding.message}`,
    };
  }
}

function crdFinding(
  rule: DiffRuleName,
  { name, verdict, edges }: Pair,
  isOld: boolean,
  now: PackageState,
): Finding {
  const names = { definition: name, updates: edgesText(edges), asBefore: asBefore(isOld) };
  const circumstances: Circumstances = {
    place: placeOf(edges, now),
    about: `${now.name} ${name} ${edges[0]?.from ?? ''} ${edges[0]?.to ?? ''}`,
    isAsBefore: isOld,
    ...(rule === 'CatalogEdgeBreaks' && isOld && { severity: 'warning' }),
    // No proof shows it, and no switch-off of OLM's check lets it through.
    ...(verdict?.isRefusedByServer === true && { unprovable: true }),
    ...(verdict?.effect !== undefined && { effect: verdict.effect }),
    ...(verdict?.harm !== undefined && { harm: verdict.harm }),
    ...(verdict?.witness !== undefined && { witness: verdict.witness }),
    ...(verdict && writesOf(verdict)),
  };
  if (verdict === undefined) {
    return diffFinding('CatalogEdgeDropsCrd', { id: 'dropped', data: names, ...circumstances });
  }
  const { effect, reason, refusedBy: by = 'OLM v1' } = verdict;
  const refusals = firstOf(verdict.refusals);
  if (rule === 'CatalogEdgeRefused') {
    const data = { ...names, by, refusals, reason };
    const id = effect === 'undecided' ? 'undecided' : 'refused';
    return diffFinding(rule, { id, data, ...circumstances });
  }
  const refusal = refusals === '' ? '' : `. ${by} refuses it: ${refusals}`;
  if (rule === 'CatalogEdgeUndecided') {
    const data = { ...names, reason, refusal };
    return diffFinding(rule, { id: 'undecided', data, ...circumstances });
  }
  const writes = effect === 'breaking' ? (describeStoredWrites(verdict) ?? []) : [];
  return diffFinding('CatalogEdgeBreaks', {
    id: effect === 'breaking' ? 'breaks' : 'loses',
    data: { ...names, reason: [reason, writes].flat().join('; '), refusal },
    ...circumstances,
  });
}

function firstOf([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}

function placeOf([first]: readonly EdgeFound[], now: PackageState): ObjectPlace | undefined {
  return now.channels.get(first?.channel ?? '')?.place;
}

function edgesText(edges: readonly EdgeFound[]): string {
  const texts = edges.map(
    ({ package: owner, from, to }) => `${within(owner, from)} → ${within(owner, to)}`,
  );
  return namesText([...new Set(texts)]);
}

function ruleFor(verdict: CrdVerdict | undefined): DiffRuleName | undefined {
  if (verdict === undefined) return 'CatalogEdgeDropsCrd';
  const { effect, refusals } = verdict;
  if (effect === 'breaking' || effect === 'data-loss') return 'CatalogEdgeBreaks';
  if (refusals.length > 0) return 'CatalogEdgeRefused';
  return effect === 'undecided' ? 'CatalogEdgeUndecided' : undefined;
}
