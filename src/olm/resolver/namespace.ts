import {
  type Catalog,
  type CatalogBundle,
  type ChannelEntry,
  contentsOf,
} from '../catalogs/catalog.js';
import type { Semantics } from './constraint.js';
import type { Property } from './requirement.js';

export interface OperatorGroupState {
  readonly name: string;
  readonly namespace: string;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly upgradeStrategy?: string | null;
}

export interface SubscriptionState {
  readonly name: string;
  readonly namespace: string;
  readonly package: string;
  /** Empty or absent: all channels, the default one first. */
  readonly channel?: string | null;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly startingCSV?: string | null;
  readonly installedCSV?: string | null;
  readonly currentCSV?: string | null;
  /** `Manual` keeps every InstallPlan of the namespace waiting for a person. */
  readonly installPlanApproval?: string | null;
}

/** A CustomResourceDefinition by its name, `<plural>.<group>`. */
export interface CrdReference {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
}

export interface InstalledCsv {
  readonly name: string;
  readonly namespace: string;
  readonly version?: string | null;
  readonly replaces?: string | null;
  /** Absent means Succeeded. */
  readonly phase?: string | null;
  readonly copiedFrom?: string | null;
  readonly ownedCRDs?: readonly CrdReference[] | null;
  readonly requiredCRDs?: readonly CrdReference[] | null;
  readonly properties?: readonly Property[] | null;
}

/** Fields may be left out of a question. */
type Optional<Value> = { readonly [Key in keyof Value]?: Value[Key] | null };

type GivenEntry = Pick<ChannelEntry, 'name'> & Optional<ChannelEntry>;

export interface GivenBundle {
  readonly name: string;
  readonly version?: string | null;
  readonly properties?: readonly Property[] | null;
  readonly dependencies?: readonly Property[] | null;
}

export interface GivenPackage {
  readonly name: string;
  readonly defaultChannel?: string | null;
  readonly channels?:
    readonly { readonly name: string; readonly entries?: readonly GivenEntry[] | null }[] | null;
  readonly bundles?: readonly GivenBundle[] | null;
}

export interface CatalogState {
  readonly name: string;
  readonly namespace: string;
  readonly priority?: number | null;
  /** The error of listing its bundles; absent for a healthy catalog. */
  readonly error?: string | null;
  /** No connection has been made to the catalog's pod. */
  readonly noClient?: boolean | null;
  readonly packages?: readonly GivenPackage[] | null;
}

export interface NamespaceState {
  readonly namespace: string;
  readonly globalCatalogNamespace: string;
  readonly operatorGroups?: readonly OperatorGroupState[] | null;
  readonly subscriptions?: readonly SubscriptionState[] | null;
  readonly installedCSVs?: readonly InstalledCsv[] | null;
  readonly catalogs?: readonly CatalogState[] | null;
  readonly semantics?: Semantics | null;
}

/** The annotation of an OperatorGroup that leaves the global catalogs out. */
export const excludeGlobal = 'olm.operatorframework.io/exclude-global-namespace-resolution';

/** Values that were not kept when the catalog was read are no dependencies, and left out. */
export function catalogState(
  catalog: Catalog,
  source: { readonly name: string; readonly namespace: string; readonly priority: number },
): CatalogState {
  const packages = catalog.packages.map(({ name, defaultChannel }): GivenPackage => {
    const { channels, bundles } = contentsOf(catalog, name);
    return { name, defaultChannel, channels, bundles: bundles.map(listed) };
  });
  return { ...source, packages };
}

function listed({ name, packageProperties, properties }: CatalogBundle): GivenBundle {
  return {
    name,
    version: packageProperties[0]?.version ?? '',
    properties: properties.flatMap(({ type, value }): Property[] =>
      value === undefined ? [] : [{ type, value }],
    ),
  };
}
