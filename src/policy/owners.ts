/**
 * The owners of an object, as far as the owner confirms what the object claims. Labels alone prove
 * nothing: the author of the object writes them. For an OperatorGroup these are its members.
 *
 * Source: operator-controller gives every object of a bundle the labels `owner-kind` and
 * `owner-name`, and an owner reference with the uid of its ClusterExtension, or of a revision
 * (ClusterObjectSet, once ClusterExtensionRevision) that has one. OLM classic labels components
 * `operators.coreos.com/<package>.<namespace>`; a ClusterServiceVersion lists the definitions it owns.
 */
import type { Family } from '../rule/index.js';
import type { ClusterView, ResourceName } from '../cluster/index.js';
import { type JsonObject, metaOf, own, type OwnerReference } from '../text/documents/index.js';
import { textAt, objectsAt } from '../text/documents/fields.js';
import { bypassSources, type Policy } from './policy.js';
import { sourceOfKind, switchOffsOn } from './switch-off.js';

const v1 = 'olm.operatorframework.io';
const classic = 'operators.coreos.com';
const clusterExtensions = { group: v1, resource: 'clusterextensions' };
const subscriptions = { group: classic, resource: 'subscriptions' };
const serviceVersions = { group: classic, resource: 'clusterserviceversions' };
/** By kind; each belongs to a ClusterExtension and owns what the bundle brings. */
const revisions: ReadonlyMap<string, ResourceName> = new Map([
  ['ClusterObjectSet', { group: v1, resource: 'clusterobjectsets' }],
  ['ClusterExtensionRevision', { group: v1, resource: 'clusterextensionrevisions' }],
]);

export interface Owners {
  readonly objects: readonly JsonObject[];
  /** Owners that could not be read, or do not own it: what they say does not count. */
  readonly problems: readonly string[];
}

/** Owners that one object may name; what is past that is not looked up. */
const maxClaims = 10;

const nobody: Owners = { objects: [], problems: [] };

/** An owner that the labels of an object name. */
type Claim =
  { readonly extension: string } | { readonly package: string; readonly namespace: string };

/** As the cluster has them. Asks only for kinds that the policy accepts as a source. */
export async function ownersOf(
  object: JsonObject,
  context: { readonly policy: Policy; readonly view: ClusterView },
): Promise<Owners> {
  const claims = claimsOf(object, context.policy);
  const found = await Promise.all([
    ...claims.slice(0, maxClaims).map((claim) => verifyClaim(claim, object, context)),
    ...(own(object, 'kind') === 'OperatorGroup' ? [membersOf(object, context)] : []),
  ]);
  const more = `labels name ${claims.length} owners, of which ${maxClaims} are looked up`;
  return {
    objects: found.flatMap(({ objects }) => objects),
    problems: [
      ...found.flatMap(({ problems }) => problems),
      ...(claims.length > maxClaims ? [more] : []),
    ],
  };
}

/** Sentences that name nothing which the object does not: the asker may not read those kinds. */
export async function unlistedSwitchOffs(
  object: JsonObject,
  denied: ReadonlySet<Family>,
  {
    policy,
    view,
    now,
  }: { readonly policy: Policy; readonly view: ClusterView; readonly now: Date },
): Promise<string[]> {
  const { allowed, sources } = policy.bypass;
  const unlisted = bypassSources.filter((each) => !allowed || !sources.includes(each));
  const asIfListed = { ...policy, bypass: { ...policy.bypass, allowed: true, sources: unlisted } };
  // An owner that cannot be read could not have counted.
  const { objects } = await ownersOf(object, { policy: asIfListed, view });
  const sentences = objects.flatMap((owner) => {
    const kind = own(owner, 'kind');
    const by = typeof kind === 'string' ? sourceOfKind.get(kind) : undefined;
    if (typeof kind !== 'string' || by === undefined || !unlisted.includes(by)) return [];
    const { namespace } = metaOf(owner);
    const place = namespace === '' ? '' : ` in "${namespace}"`;
    const why = allowed
      ? `bypass.sources of the policy does not list ${by}`
      : 'the policy does not allow it';
    return switchOffsOn(owner, now)
      .filter(({ reading }) => 'problem' in reading || switchesOff(reading.families, denied))
      .map(({ where }) => `${where} on the ${kind}${place} does not count: ${why}`);
  });
  return [...new Set(sentences)];
}

/** The definition lacks OLM's label. They name no object, as {@link unlistedSwitchOffs}. */
export async function unlabelledSwitchOffs(
  definition: JsonObject,
  denied: ReadonlySet<Family>,
  { policy, view, now }: Parameters<typeof unlistedSwitchOffs>[2],
): Promise<string[]> {
  const { allowed, sources } = policy.bypass;
  const isAsked = allowed && sources.includes('csv');
  if (!isAsked || own(definition, 'kind') !== 'CustomResourceDefinition') return [];
  if (componentsOf(metaOf(definition).labels).length > 0) return [];
  const { name } = metaOf(definition);
  const csvs = await view.list(serviceVersions, {}).catch(() => []);
  const isWanted = csvs
    .filter((csv) => ownedDefinitions(csv).includes(name))
    .flatMap((csv) => switchOffsOn(csv, now))
    .some(({ reading }) => 'families' in reading && switchesOff(reading.families, denied));
  const sentence =
    'a switch-off on the ClusterServiceVersion that owns it does not count: the definition has no label operators.coreos.com/PACKAGE.NAMESPACE, by which OLM says whose it is';
  return isWanted ? [sentence] : [];
}

function switchesOff(families: readonly Family[] | 'all', denied: ReadonlySet<Family>): boolean {
  return families === 'all' || families.some((each) => denied.has(each));
}

/** Whether an object names owners that another did not, or in another way. */
export function claimsMore(next: JsonObject, old: JsonObject | undefined, policy: Policy): boolean {
  const claims = claimsOf(next, policy);
  if (claims.length === 0) return false;
  const textOf = (object: JsonObject): string =>
    JSON.stringify([claimsOf(object, policy), metaOf(object).ownerReferences]);
  return old === undefined || textOf(next) !== textOf(old);
}

function claimsOf(object: JsonObject, { bypass }: Policy): Claim[] {
  if (!bypass.allowed) return [];
  const labels = metaOf(object).labels;
  const { sources } = bypass;
  const extension =
    labels.get(`${v1}/owner-kind`) === 'ClusterExtension'
      ? labels.get(`${v1}/owner-name`)
      : undefined;
  return [
    ...(extension !== undefined && sources.includes('clusterextension') ? [{ extension }] : []),
    ...(sources.includes('subscription') || sources.includes('csv') ? componentsOf(labels) : []),
  ];
}

/** OLM classic's labels; namespaces have no dots. */
function componentsOf(
  labels: ReadonlyMap<string, string>,
): { readonly package: string; readonly namespace: string }[] {
  const prefix = `${classic}/`;
  return [...labels.keys()].flatMap((key) => {
    const dot = key.lastIndexOf('.');
    if (!key.startsWith(prefix) || dot <= prefix.length) return [];
    return [{ package: key.slice(prefix.length, dot), namespace: key.slice(dot + 1) }];
  });
}

/** Versions that run in the group's namespace, and the Subscriptions that installed them. */
async function membersOf(
  group: JsonObject,
  { policy, view }: { readonly policy: Policy; readonly view: ClusterView },
): Promise<Owners> {
  const { allowed, sources } = policy.bypass;
  if (!allowed || !(sources.includes('csv') || sources.includes('subscription'))) return nobody;
  const { namespace } = metaOf(group);
  try {
    const all = await view.list(serviceVersions, { namespace });
    const members = all.filter((csv) => metaOf(csv).label('olm.copiedFrom') === undefined);
    const names = new Set(members.map((csv) => metaOf(csv).name));
    const installing = sources.includes('subscription')
      ? (await view.list(subscriptions, { namespace })).filter((each) =>
          names.has(textAt(each, 'status', 'installedCSV') ?? ''),
        )
      : [];
    return { objects: [...(sources.includes('csv') ? members : []), ...installing], problems: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `the members of OperatorGroup "${metaOf(group).name}" could not be read, so a switch-off there does not count: ${reason}`;
    return { objects: [], problems: [problem] };
  }
}

async function verifyClaim(
  claim: Claim,
  object: JsonObject,
  { policy, view }: { readonly policy: Policy; readonly view: ClusterView },
): Promise<Owners> {
  const what =
    'extension' in claim
      ? `ClusterExtension "${claim.extension}"`
      : `the Subscription to "${claim.package}" in "${claim.namespace}"`;
  try {
    return 'extension' in claim
      ? await owningExtension(what, claim.extension, object, view)
      : await owningClassics(what, claim, object, { policy, view });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `${what} could not be read, so a switch-off there does not count: ${reason}`;
    return { objects: [], problems: [problem] };
  }
}

async function owningExtension(
  what: string,
  name: string,
  object: JsonObject,
  view: ClusterView,
): Promise<Owners> {
  const extension = await view.get(clusterExtensions, name);
  if (extension === undefined) return nobody;
  const uid = metaOf(extension).uid;
  // Every object of a cluster has one; a file says what its author wants it to say.
  if (uid === '') return { objects: [extension], problems: [] };
  const isOwner = ({ kind, uid: referred }: OwnerReference): boolean =>
    kind === 'ClusterExtension' && referred === uid;
  const references = metaOf(object).ownerReferences;
  if (references.some(isOwner)) return { objects: [extension], problems: [] };
  for (const reference of references.slice(0, maxClaims)) {
    const resource = revisions.get(reference.kind);
    if (resource === undefined) continue;
    const revision = await view.get(resource, reference.name);
    const { uid: known } = metaOf(revision);
    if (revision === undefined || known === '' || known !== reference.uid) continue;
    if (metaOf(revision).ownerReferences.some(isOwner))
      return { objects: [extension], problems: [] };
  }
  const problem = `${what} is named by a label and does not own it (no owner reference has its uid), so a switch-off there does not count`;
  return { objects: [], problems: [problem] };
}

async function owningClassics(
  what: string,
  { package: name, namespace }: { readonly package: string; readonly namespace: string },
  object: JsonObject,
  { policy, view }: { readonly policy: Policy; readonly view: ClusterView },
): Promise<Owners> {
  const all = await view.list(subscriptions, { namespace });
  const named = all.filter((each) => textAt(each, 'spec', 'name') === name);
  const owners: JsonObject[] = [];
  for (const subscription of named) {
    const installed = textAt(subscription, 'status', 'installedCSV');
    const csv =
      installed === undefined ? undefined : await view.get(serviceVersions, installed, namespace);
    if (!isOfSubscription(object, subscription, csv)) continue;
    owners.push(subscription);
    if (csv !== undefined && policy.bypass.sources.includes('csv')) owners.push(csv);
  }
  if (owners.length > 0 || named.length === 0) return { objects: owners, problems: [] };
  const problem = `${what} is named by a label and did not install it, so a switch-off there does not count`;
  return { objects: [], problems: [problem] };
}

/** Its installed version, a definition that this owns, or what has the Subscription's uid as an owner. */
function isOfSubscription(
  object: JsonObject,
  subscription: JsonObject,
  csv: JsonObject | undefined,
): boolean {
  const uid = metaOf(subscription).uid;
  if (uid === '') return true;
  if (metaOf(object).ownerReferences.some((each) => each.uid === uid)) return true;
  if (csv === undefined) return false;
  const { key, name } = metaOf(object);
  switch (own(object, 'kind')) {
    case 'CustomResourceDefinition':
      return ownedDefinitions(csv).includes(name);
    case 'ClusterServiceVersion':
      return key === metaOf(csv).key;
    default:
      return false;
  }
}

function ownedDefinitions(csv: JsonObject): unknown[] {
  return objectsAt(csv, 'spec', 'customresourcedefinitions', 'owned').map((each) =>
    own(each, 'name'),
  );
}
