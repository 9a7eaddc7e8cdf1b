import { isObject, type JsonObject, metaOf, own, parseJson } from '../../text/documents/index.js';
import type {
  CatalogState,
  InstalledCsv,
  NamespaceState,
  OperatorGroupState,
  SubscriptionState,
} from '../resolver/namespace.js';
import type { Property } from '../resolver/requirement.js';
import { crdDescriptions } from './classic-objects.js';
import { objectsAt, textAt } from '../../text/documents/fields.js';

export interface NamespaceObjects {
  readonly namespace: string;
  readonly globalCatalogNamespace: string;
  readonly operatorGroups: readonly JsonObject[];
  readonly subscriptions: readonly JsonObject[];
  readonly csvs: readonly JsonObject[];
  /** Catalogs of the namespace and of the global catalog namespace. */
  readonly catalogs: readonly CatalogState[];
}

export function namespaceState(objects: NamespaceObjects): NamespaceState {
  const { namespace, globalCatalogNamespace, catalogs } = objects;
  return {
    namespace,
    globalCatalogNamespace,
    operatorGroups: objects.operatorGroups.map(groupState),
    subscriptions: objects.subscriptions.map(subscriptionState),
    installedCSVs: objects.csvs.map(installedCsv),
    catalogs,
  };
}

function groupState(object: JsonObject): OperatorGroupState {
  return {
    ...nameOf(object),
    annotations: Object.fromEntries(metaOf(object).annotations),
    upgradeStrategy: textAt(object, 'spec', 'upgradeStrategy') ?? '',
  };
}

function subscriptionState(object: JsonObject): SubscriptionState {
  return {
    ...nameOf(object),
    package: textAt(object, 'spec', 'name') ?? '',
    channel: textAt(object, 'spec', 'channel') ?? '',
    catalog: textAt(object, 'spec', 'source') ?? '',
    catalogNamespace: textAt(object, 'spec', 'sourceNamespace') ?? '',
    startingCSV: textAt(object, 'spec', 'startingCSV') ?? '',
    installedCSV: textAt(object, 'status', 'installedCSV') ?? '',
    currentCSV: textAt(object, 'status', 'currentCSV') ?? '',
    installPlanApproval: textAt(object, 'spec', 'installPlanApproval') ?? '',
  };
}

function installedCsv(object: JsonObject): InstalledCsv {
  const properties = annotatedProperties(object);
  return {
    ...nameOf(object),
    version: textAt(object, 'spec', 'version') ?? '',
    replaces: textAt(object, 'spec', 'replaces') ?? '',
    phase: textAt(object, 'status', 'phase') ?? '',
    copiedFrom: metaOf(object).label('olm.copiedFrom') ?? '',
    ownedCRDs: crdDescriptions(object, 'owned'),
    requiredCRDs: crdDescriptions(object, 'required'),
    properties,
  };
}

/** Rule: `operatorframework.io/properties` in `newOperatorFromV1Alpha1CSV` of OLM classic. */
function annotatedProperties(csv: JsonObject): Property[] | undefined {
  const text = metaOf(csv).annotation('operatorframework.io/properties');
  if (text === undefined || text === '') return undefined;
  let value;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  return objectsAt(value, 'properties').flatMap((entry) => {
    const type = textAt(entry, 'type');
    return type === undefined || !isObject(entry)
      ? []
      : [{ type, value: own(entry, 'value') ?? null }];
  });
}

/** The packages that OLM takes a ClusterServiceVersion for, by itself. */
export function packagesOf(csv: JsonObject): string[] {
  return (annotatedProperties(csv) ?? []).flatMap(({ type, value }) =>
    type === 'olm.package' ? (textAt(value, 'packageName') ?? []) : [],
  );
}

function nameOf(object: JsonObject): { name: string; namespace: string } {
  const { name, namespace } = metaOf(object);
  return { name, namespace };
}
