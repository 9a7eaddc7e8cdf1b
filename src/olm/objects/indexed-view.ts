import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { ApiSet, apiText } from '../operator-groups/api-set.js';
import type { Api } from '../resolver/predicate.js';
import { allNamespaces, type Namespace, surfaceTargets } from '../operator-groups/surface.js';
import {
  isMarkedAsCopy,
  type OperatorGroup,
  withoutCopiedReason,
} from '../operator-groups/objects.js';
import { requiredVersions } from './consumers.js';
import {
  type CatalogSource,
  type Csv,
  readCatalogSource,
  readCsv,
  readOperatorGroup,
  readSubscription,
  type Subscription,
} from './classic-objects.js';
import { textAt } from '../../text/documents/fields.js';
import { type GrantedRule, MultiIndex, RoleIndex } from './roles.js';
import { manifestFrom } from './install-plan.js';
import {
  type ConsumerIndex,
  type FoundManifest,
  type KnownCatalog,
  type LookedUpKind,
  lookedUpKinds,
  type NamespacedName,
  type OlmView,
  type WantedManifest,
} from './view.js';

export interface ViewSettings {
  readonly globalCatalogNamespace: string | null;
  readonly kubernetesVersion: string | null;
  readonly knownCatalogs?: readonly KnownCatalog[];
  /** Kinds that the caller does not feed; look-ups of them answer that it is unknown. */
  readonly unknownKinds?: ReadonlySet<string>;
}

/** The namespaces that a group may cover; with a selector that is not evaluated yet, all of them. */
function reachOf({ statusNamespaces, targetNamespaces }: OperatorGroup): readonly string[] {
  if (statusNamespaces.length > 0) return statusNamespaces;
  return targetNamespaces.length > 0 ? targetNamespaces : [allNamespaces];
}

/** Kinds that no rule asks about are ignored, copies of ClusterServiceVersions too. */
export class IndexedView implements OlmView, ConsumerIndex {
  readonly globalCatalogNamespace: string | null;
  readonly kubernetesVersion: string | null;
  readonly knownCatalogs: readonly KnownCatalog[] | null;
  private readonly unknownKinds: ReadonlySet<string>;
  private readonly groups = new MultiIndex<OperatorGroup>({
    namespace: (group) => [group.namespace],
    target: (group) => surfaceTargets(group.namespace, reachOf(group)).names(),
    api: (group) => [...ApiSet.parse(group.providedAPIs ?? '')].map(apiText),
  });
  private readonly csvIndex = new MultiIndex<Csv>({
    namespace: (csv) => [csv.namespace],
    crd: (csv) => csv.ownedCrds.map((crd) => crd.name),
    required: (csv) => requiredVersions(csv.object),
  });
  private readonly subscriptions = new MultiIndex<Subscription>({
    namespace: (subscription) => [subscription.namespace],
  });
  private readonly catalogs = new MultiIndex<CatalogSource>({
    namespace: (catalog) => [catalog.namespace],
  });
  private readonly extensions = new Map<string, JsonObject>();
  private readonly namespaceLabels = new Map<string, Namespace>();
  private readonly roles = new RoleIndex();
  private readonly others = new Map<string, JsonObject>();

  constructor(settings: ViewSettings, objects: Iterable<JsonObject> = []) {
    this.globalCatalogNamespace = settings.globalCatalogNamespace;
    this.kubernetesVersion = settings.kubernetesVersion;
    this.knownCatalogs = settings.knownCatalogs ?? null;
    this.unknownKinds = settings.unknownKinds ?? new Set();
    for (const object of objects) this.set(object);
  }

  set(object: JsonObject): void {
    const kind = textAt(object, 'kind') ?? '';
    const key = metaOf(object).key;
    switch (kind) {
      case 'OperatorGroup':
        return this.groups.set(key, readOperatorGroup(object));
      case 'ClusterServiceVersion': {
        const csv = readCsv(object);
        return isMarkedAsCopy(csv)
          ? this.csvIndex.delete(key)
          : this.csvIndex.set(key, withoutCopiedReason(csv));
      }
      case 'Subscription':
        return this.subscriptions.set(key, readSubscription(object));
      case 'CatalogSource':
        return this.catalogs.set(key, readCatalogSource(object));
      case 'ClusterExtension':
        this.extensions.set(key, object);
        return;
      case 'Namespace': {
        const { name, labels } = metaOf(object);
        this.namespaceLabels.set(name, { name, labels });
        break;
      }
      default:
        this.roles.set(key, object);
    }
    if (lookedUp.has(kind)) this.others.set(`${kind}/${key}`, object);
  }

  delete(object: JsonObject): void {
    const key = metaOf(object).key;
    const kind = textAt(object, 'kind') ?? '';
    switch (kind) {
      case 'OperatorGroup':
        return this.groups.delete(key);
      case 'ClusterServiceVersion':
        return this.csvIndex.delete(key);
      case 'Subscription':
        return this.subscriptions.delete(key);
      case 'CatalogSource':
        return this.catalogs.delete(key);
      case 'ClusterExtension':
        this.extensions.delete(key);
        return;
      case 'Namespace':
        this.namespaceLabels.delete(metaOf(object).name);
        break;
      default:
        this.roles.delete(key, object);
    }
    this.others.delete(`${kind}/${key}`);
  }

  groupsIn(namespace: string): readonly OperatorGroup[] {
    return this.groups.get('namespace', [namespace]);
  }

  groupsCovering(namespaces: readonly string[]): readonly OperatorGroup[] {
    if (namespaces.length === 1 && namespaces[0] === allNamespaces) return this.groups.all();
    return this.groups.get('target', [...namespaces, allNamespaces]);
  }

  groupsProviding(api: Api): readonly OperatorGroup[] {
    return this.groups.get('api', [apiText(api)]);
  }

  csvsIn(namespace: string): readonly Csv[] {
    return this.csvIndex.get('namespace', [namespace]);
  }

  csvs(): Iterable<Csv> {
    return this.csvIndex.all();
  }

  csvsOwningCrd(name: string): readonly Csv[] {
    return this.csvIndex.get('crd', [name]);
  }

  csvsRequiring(definition: string, version: string): readonly JsonObject[] {
    const found = this.csvIndex.get('required', [`${definition}/${version}`]);
    return found.map(({ object }) => object);
  }

  rolesGranting(resource: string): readonly JsonObject[] {
    return this.roles.granting(resource);
  }

  subscriptionsIn(namespace: string): readonly Subscription[] {
    return this.subscriptions.get('namespace', [namespace]);
  }

  catalogsIn(namespace: string): readonly CatalogSource[] {
    return this.catalogs.get('namespace', [namespace]);
  }

  clusterExtensions(): Iterable<JsonObject> {
    return this.extensions.values();
  }

  namespaces(): Iterable<Namespace> {
    return this.namespaceLabels.values();
  }

  lookUp(kind: LookedUpKind, name: string, namespace = ''): JsonObject | undefined | null {
    if (this.unknownKinds.has(kind)) return null;
    return this.others.get(`${kind}/${namespace}/${name}`);
  }

  manifest(place: NamespacedName, wanted: WantedManifest): FoundManifest {
    return manifestFrom(this.lookUp('ConfigMap', place.name, place.namespace), place, wanted);
  }

  rulesOf(account: string, itsNamespace: string, namespace: string): readonly GrantedRule[] | null {
    if (rbacKinds.some((kind) => this.unknownKinds.has(kind))) return null;
    return this.roles.rulesOf(account, itsNamespace, namespace);
  }
}

const lookedUp: ReadonlySet<string> = new Set(lookedUpKinds);

const rbacKinds = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];
