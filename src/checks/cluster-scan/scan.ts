/** Every rule over everything there is: what the gate would have said, and what concerns the whole. */
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { storedResource } from '../../upgrade/index.js';
import {
  objectPages,
  readPage,
  formatResource,
  type ClusterView,
  type ResourceName,
  type OlmState,
  ReviewView,
} from '../../cluster/index.js';
import { type Finding, formatReference, referenceTo, type Verdict } from '../../rule/index.js';
import { judgeKnownConsumers, ofPlan, readSides } from './consumers.js';
import { judgeOlmObject, type OlmAnswer } from './olm-object.js';
import {
  foreignOwners,
  type OlmKind,
  ownedInUse,
  type ScanContext,
  scanRules,
} from '../../olm/index.js';
import { objectAt, textAt } from '../../text/documents/fields.js';
import { evaluateBypasses, check, policyForCluster, type Policy } from '../../policy/index.js';
import { withMeantName } from './meant-names.js';
import { append } from '../../text/long-lists.js';
import { addTo, compareValues, groupBy } from '../../text/group.js';

export interface ScanOptions {
  readonly policy: Policy;
  readonly now: Date;
  /** Objects to judge in place of stored ones, because an upgrade changes them. */
  readonly planned?: ReadonlyMap<JsonObject, JsonObject>;
  readonly onProgress?: (done: number, all: number) => void;
}

export interface ScanResult {
  readonly objects: number;
  /** One per object that something was found about, in the order of kinds and names. */
  readonly results: readonly { readonly name: string; readonly verdict: Verdict }[];
  /** Checks that could not be made and why, a sentence each; a cause that several kinds share is listed once. */
  readonly unchecked: readonly string[];
  /** Nothing of what is judged could be read: that nothing was found says nothing. */
  readonly isBlind: boolean;
}

const kinds: readonly OlmKind[] = [
  'OperatorGroup',
  'ClusterServiceVersion',
  'Subscription',
  'InstallPlan',
  'CatalogSource',
  'ClusterExtension',
];
/** Look-ups that wait for the API server at the same time. */
const concurrency = 8;

export async function scan(state: OlmState, options: ScanOptions): Promise<ScanResult> {
  const queue = kinds.flatMap((kind) =>
    [...state.objects(kind)].map((object) => ({
      kind,
      object: options.planned?.get(object) ?? object,
    })),
  );
  const findings: Finding[] = [];
  const unchecked = new Set<string>();
  const cluster = listedOnce(state.cluster);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < queue.length; index = next++) {
      const item = queue[index];
      if (item === undefined) return;
      const answer = await judgeStored(state, item.kind, item.object, {
        policy: options.policy,
        cluster,
      });
      append(findings, answer.findings);
      for (const sentence of answer.unchecked) unchecked.add(sentence);
      if (index % 50 === 49) options.onProgress?.(index + 1, queue.length);
      // Other work, such as answering a scrape, goes on between objects.
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  options.onProgress?.(queue.length, queue.length);
  const whole = await judgeWhole(state, options);
  const gaps = [...whole.gaps];
  for (const kind of kinds) {
    const reason = state.unknown(kind);
    if (reason !== undefined) gaps.push({ what: kind, how: 'not judged', reason });
  }
  for (const sentence of byCause(gaps, sharedCauses(state))) unchecked.add(sentence);
  const results = await byObject([...findings, ...whole.findings], options);
  // A definition that is switched off, for one: it is reported, and so looked at.
  const others = results.filter(({ name }) => !kinds.some((kind) => name.startsWith(`${kind} `)));
  return {
    objects: queue.length + others.length,
    results,
    unchecked: [...unchecked].sort(),
    isBlind: isBlind(state),
  };
}

interface Gap {
  readonly what: string;
  readonly how: 'not judged' | 'not checked';
  readonly reason: string;
}

/** Causes that keep several kinds from being read: a cluster that does not answer, a token that has expired. */
function sharedCauses(state: OlmState): ReadonlyMap<string, readonly string[]> {
  const causes = new Map<string, string[]>();
  for (const { kind, reason } of state.kindStates()) {
    if (reason === undefined || state.unknown(kind) === undefined) continue;
    addTo(causes, reason, kind);
  }
  return new Map([...causes].filter(([, unread]) => unread.length > 1));
}

function byCause(gaps: readonly Gap[], causes: ReadonlyMap<string, readonly string[]>): string[] {
  const lines: string[] = [];
  let left = gaps;
  for (const [cause, unread] of causes) {
    const isOfIt = ({ reason }: Gap): boolean => reason.endsWith(cause);
    const of = (wanted: Gap['how']): string => {
      const whats = left.filter((gap) => gap.how === wanted && isOfIt(gap)).map(({ what }) => what);
      const names = [...new Set(whats)].sort().join(', ');
      return names === '' ? '' : `; ${wanted}: ${names}`;
    };
    const parts = `${of('not judged')}${of('not checked')}`;
    if (parts !== '')
      lines.push(`${cause}: cannot be read: ${unread.toSorted().join(', ')}${parts}`);
    left = left.filter((gap) => !isOfIt(gap));
  }
  return [...lines, ...left.map(({ what, how, reason }) => `${what} ${how}: ${reason}`)];
}

/** Kinds that the cluster does not serve have no objects, which is as good as having read them. */
function isBlind(state: OlmState): boolean {
  const unread = kinds.filter((kind) => state.unknown(kind) !== undefined);
  const read = state
    .kindStates()
    .filter(({ kind, state: how }) => how === 'current' && kinds.some((each) => each === kind))
    .filter(({ kind }) => state.unknown(kind) === undefined);
  return unread.length > 0 && read.length === 0;
}

/** The gate's findings if the object came now. A plan that waits is judged as if approved. */
async function judgeStored(
  state: OlmState,
  kind: OlmKind,
  object: JsonObject,
  { policy, cluster }: { readonly policy: Policy; readonly cluster: Pick<ClusterView, 'list'> },
): Promise<{ findings: readonly Finding[]; unchecked: readonly string[] }> {
  const waits = kind === 'InstallPlan' && textAt(object, 'status', 'phase') === 'RequiresApproval';
  const isDone =
    kind === 'InstallPlan' &&
    ['Complete', 'Failed'].includes(textAt(object, 'status', 'phase') ?? '');
  if (isDone) return { findings: [], unchecked: [] };
  const judged = waits
    ? { ...object, spec: { ...objectAt(object, 'spec'), approved: true } }
    : object;
  // A stored copy is a copy for OLM by its content.
  const isByOlm = true;
  const question = { kind, request: 'CREATE', object: judged, oldObject: null, isByOlm } as const;
  const answer = await judgeOlmObject(state, question, {
    policy: policyForCluster(policy, state.kubernetesVersion),
    purpose: 'scan',
  });
  const lost = await lostByPlan(judged, answer, cluster);
  const unchecked = [...answer.unchecked, ...lost.unchecked];
  const findings = [
    ...answer.findings.map((finding) => withMeantName(finding, judged, state)),
    ...lost.findings,
  ];
  if (!waits) return { findings, unchecked };
  const later = findings.map((finding): Finding => ({
    ...finding,
    severity: finding.severity === 'error' ? 'warning' : finding.severity,
    message: `once approved: ${finding.message}`,
  }));
  return { findings: later, unchecked };
}

/** The losses of consumers by the definitions that a plan brings. */
async function lostByPlan(
  plan: JsonObject,
  { compared }: OlmAnswer,
  cluster: Pick<ClusterView, 'list'>,
): Promise<{ findings: Finding[]; unchecked: string[] }> {
  const findings: Finding[] = [];
  const unchecked: string[] = [];
  for (const { current, next } of compared) {
    const { name } = metaOf(current);
    const sides = readSides({ old: current, next });
    if (sides === undefined) continue;
    const lost = await judgeKnownConsumers(sides.old, sides.next, cluster);
    for (const finding of lost.found) {
      findings.push({ ...ofPlan(name, finding), object: referenceTo(plan) });
    }
    append(unchecked, lost.unchecked);
  }
  return { findings, unchecked };
}

function listedOnce(cluster: ClusterView): Pick<ClusterView, 'list'> {
  const listed = new Map<string, Promise<readonly JsonObject[]>>();
  return {
    list: (resource, options) => {
      const key = formatResource(resource);
      const known = listed.get(key) ?? cluster.list(resource, options);
      listed.set(key, known);
      return known;
    },
  };
}

async function judgeWhole(
  state: OlmState,
  { policy, now }: ScanOptions,
): Promise<{ findings: Finding[]; gaps: Gap[] }> {
  const gaps: Gap[] = [];
  const listed = await listForScan(state, gaps);
  const context: ScanContext = {
    view: new ReviewView(state, new Map(), { groups: undefined, takesFollowed: true }),
    objects: (kind) => listed.get(kind) ?? state.objects(kind),
    clusterVersion: await clusterVersion(state, gaps),
    now,
    switchOffs: (object) =>
      evaluateBypasses({ stored: object }, { bypass: policy.bypass, now, isAdmission: false }),
  };
  const needsCatalogs = context.clusterVersion !== null && state.count('ClusterExtension') > 0;
  if (needsCatalogs && state.knownCatalogs === null) {
    gaps.push({
      what: 'BlocksClusterUpgrade of ClusterExtensions',
      how: 'not checked',
      reason: 'what their bundles declare is in catalogs; name them by --catalog',
    });
  }
  const findings = scanRules.flatMap((rule) => {
    const reasons = rule.kinds.flatMap((kind) =>
      isOptional(kind) ? [] : (state.unknown(kind) ?? []),
    );
    if (reasons.length === 0) return rule.judge(context);
    append(
      gaps,
      reasons.map((reason): Gap => ({ what: rule.id, how: 'not checked', reason })),
    );
    return [];
  });
  return { findings, gaps };
}

/** A switch-off that was not exported is none that we could name. */
function isOptional(kind: string): boolean {
  return kind === 'CustomResourceDefinition' || kind === 'ClusterExtension';
}

const v1 = 'olm.operatorframework.io';

/** Kinds that no review asks about, so that they are not followed. */
const scannedOnly: ReadonlyMap<string, ResourceName> = new Map([
  ['ClusterCatalog', { group: v1, resource: 'clustercatalogs' }],
  ['ClusterObjectSet', { group: v1, resource: 'clusterobjectsets' }],
  ['ClusterExtensionRevision', { group: v1, resource: 'clusterextensionrevisions' }],
]);

async function listForScan(
  state: OlmState,
  gaps: Gap[],
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const listed = new Map<string, readonly JsonObject[]>();
  for (const [kind, resource] of scannedOnly) {
    try {
      listed.set(kind, await state.cluster.list(resource));
    } catch (error) {
      listed.set(kind, []);
      const reason = error instanceof Error ? error.message : String(error);
      gaps.push({ what: kind, how: 'not judged', reason });
    }
  }
  listed.set(ownedInUse, await readOwnedInUse(state, gaps));
  return listed;
}

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

async function readOwnedInUse(state: OlmState, gaps: Gap[]): Promise<JsonObject[]> {
  const owned = [...state.objects('CustomResourceDefinition')].filter(
    (each) => foreignOwners(each).length > 0,
  );
  const inUse: JsonObject[] = [];
  for (const object of owned) {
    const { name } = metaOf(object);
    try {
      const definition = await state.cluster.get(definitions, name);
      const resource = definition && storedResource(definition);
      if (resource === undefined) continue;
      const pages = objectPages(state.cluster, resource, readPage, { first: 1 });
      const page = await pages.next();
      await pages.return();
      if (page.done !== true && page.value.objects.length > 0) inUse.push(object);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      gaps.push({ what: `DefinitionOwned of ${name}`, how: 'not checked', reason });
    }
  }
  return inUse;
}

const clusterVersions = { group: 'config.openshift.io', resource: 'clusterversions' };

async function clusterVersion(state: OlmState, gaps: Gap[]): Promise<string | null> {
  try {
    const object = await state.cluster.get(clusterVersions, 'version');
    return textAt(object, 'status', 'desired', 'version') ?? null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    gaps.push({ what: 'BlocksClusterUpgrade', how: 'not checked', reason });
    return null;
  }
}

async function byObject(
  findings: readonly Finding[],
  { policy, now }: ScanOptions,
): Promise<ScanResult['results']> {
  const groups = groupBy(findings, ({ object }) => formatReference(object ?? referenceTo({})));
  const results: ScanResult['results'][number][] = [];
  for (const [name, found] of [...groups].sort(([a], [b]) => compareValues(a, b))) {
    const { object } = found[0];
    const subject = { groups: [object?.apiVersion.split('/')[0] ?? ''], name: object?.name ?? '' };
    const { verdict } = await check({ subject, findings: found }, policy, { now });
    results.push({ name, verdict });
  }
  return results;
}
