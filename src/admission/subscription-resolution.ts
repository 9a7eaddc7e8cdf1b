/** Warns of a Subscription with which OLM would resolve nothing more in its namespace. */
import type { ClusterView } from '../cluster/view.js';
import { ClusterError } from '../cluster/view.js';
import { isObject, own, type JsonObject } from '../documents/index.js';
import type { Finding } from '../finding.js';
import { namespaceState } from '../olm/namespace-state.js';
import { textAt } from '../olm/fields.js';
import {
  subscriptionChannel,
  subscriptionPackage,
  subscriptionStartingCsv,
} from '../olm/rules/subscription-catalog-rules.js';
import {
  explain,
  findingsOf,
  resolutionRules,
  resolve,
  type LoadedCatalogs,
  type NamespaceState,
} from '../resolver/index.js';
import type { AdmissionRequest } from './admission-review.js';
import type { Reviewer } from './reviewer.js';

/** The catalogs that every namespace sees. */
export interface KnownCatalogs {
  /** As they are now; undefined until they are known. */
  readonly loaded: () => LoadedCatalogs | undefined;
  readonly globalCatalogNamespace: string;
  /** Called with every resolution, for `olm_resolution_duration_seconds`. */
  readonly onResolved?: (outcome: 'succeeded' | 'failed', seconds: number) => void;
}

/** A gate that answers in time rather than always: real namespaces need a handful of conflicts. */
const conflictBudget = 2_000;
/** Milliseconds that must be left before a resolution is begun. */
const leastTime = 1_000;

const group = 'operators.coreos.com';
const missing: ReadonlySet<string> = new Set(
  [subscriptionPackage, subscriptionChannel, subscriptionStartingCsv].map(({ name }) => name),
);
const rules: ReadonlySet<string> = new Set(Object.values(resolutionRules).map(({ name }) => name));

/** The same reviewer, which also asks what becomes of the namespace. */
export function withResolution(reviewer: Reviewer, catalogs: KnownCatalogs): Reviewer {
  return {
    ...reviewer,
    familyOf: (rule) => (rules.has(rule) ? 'resolution' : reviewer.familyOf(rule)),
    async assess(request, context) {
      const assessment = await reviewer.assess(request, context);
      const { object, operation } = request;
      const concerns = operation === 'CREATE' || operation === 'UPDATE';
      if (assessment === undefined || !concerns || !isObject(object)) return assessment;
      const loaded = catalogs.loaded();
      if (loaded === undefined) {
        return withMore(assessment, [], ['resolution: the catalogs are not known yet']);
      }
      // What the catalog does not have stops the namespace, and has been said.
      if (assessment.findings.some(({ rule }) => missing.has(rule))) return assessment;
      const { until } = context;
      if (until !== undefined && until - performance.now() < leastTime) {
        return withMore(assessment, [], ['resolution: there was no time left to try it']);
      }
      try {
        const findings = await failures(object, request, context.view, loaded, catalogs);
        return withMore(assessment, findings, []);
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        return withMore(assessment, [], [`resolution: ${error.message}`]);
      }
    },
  };
}

type Assessed = NonNullable<Awaited<ReturnType<Reviewer['assess']>>>;

function withMore(
  assessment: Assessed,
  findings: readonly Finding[],
  unchecked: readonly string[],
): Assessed {
  return {
    ...assessment,
    findings: [...assessment.findings, ...findings],
    unchecked: [...(assessment.unchecked ?? []), ...unchecked],
  };
}

/** Nothing when the namespace failed without the Subscription too, or stands on catalogs not known. */
async function failures(
  object: JsonObject,
  request: AdmissionRequest,
  view: ClusterView,
  loaded: LoadedCatalogs,
  { globalCatalogNamespace, onResolved }: KnownCatalogs,
): Promise<Finding[]> {
  const namespace = textAt(object, 'metadata', 'namespace') ?? request.namespace ?? '';
  const list = (resource: string) => view.list({ group, resource }, { namespace });
  const [operatorGroups, subscriptions, csvs] = await Promise.all([
    list('operatorgroups'),
    list('subscriptions'),
    list('clusterserviceversions'),
  ]);
  const name = textAt(object, 'metadata', 'name') ?? '';
  const others = subscriptions.filter((each) => textAt(each, 'metadata', 'name') !== name);
  const stateOf = (all: readonly JsonObject[]): NamespaceState =>
    namespaceState({
      namespace,
      globalCatalogNamespace,
      operatorGroups,
      subscriptions: all,
      csvs,
      catalogs: [],
    });
  const after = stateOf([...others, placed(object, namespace)]);
  const known = new Set(loaded.catalogs.map(({ key }) => `${key.namespace}/${key.name}`));
  const isKnown = (after.subscriptions ?? []).every((each) =>
    known.has(`${each.catalogNamespace}/${each.catalog}`),
  );
  if (!isKnown) return [];
  const begin = performance.now();
  const resolution = resolve(after, loaded, { budget: conflictBudget });
  const { outcome } = resolution;
  onResolved?.(outcome.ok ? 'succeeded' : 'failed', (performance.now() - begin) / 1000);
  if (outcome.ok || !resolve(stateOf(others), loaded, { budget: conflictBudget }).outcome.ok) {
    return [];
  }
  const found = findingsOf(after, resolution, explain(after, resolution, loaded));
  // Catalogs change, and what is missing may come later: a warning, whatever the rule says elsewhere.
  return found.map((finding) => ({ ...finding, severity: 'warning' }));
}

function placed(object: JsonObject, namespace: string): JsonObject {
  const metadata = own(object, 'metadata');
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), namespace } };
}
