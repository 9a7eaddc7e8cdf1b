/** Warns about a Subscription that would make OLM's resolution of its namespace fail. */
import { type ClusterView, ClusterError } from '../../cluster/index.js';
import { inNamespace, isObject, type JsonObject, metaOf } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import {
  namespaceState,
  subscriptionChannel,
  subscriptionPackage,
  subscriptionStartingCsv,
} from '../../olm/index.js';
import type { AdmissionRequest } from './admission-review.js';
import type { ResolutionAnswer, ResolutionQuestion } from './resolution-question.js';
import { UnfinishedError, type AssessContext, type Reviewer } from './reviewer.js';
import { readableView, withholdDetails } from './disclosure.js';
import { readKinds } from './visible-state.js';

export interface KnownCatalogs {
  /** Each as `NAMESPACE/NAME`; undefined until they are known. */
  readonly names: () => ReadonlySet<string> | undefined;
  readonly globalCatalogNamespace: string;
  /** Resolves by them, off the event loop. @throws UnfinishedError when no answer will come */
  readonly resolve: (
    question: ResolutionQuestion,
    asking: { readonly asker: readonly string[]; readonly until: number },
  ) => Promise<ResolutionAnswer>;
  /** Called with every resolution, for `olm_resolution_duration_seconds`. */
  readonly onResolved?: (outcome: 'succeeded' | 'failed', seconds: number) => void;
}

/** Milliseconds that must be left before a resolution is begun. */
const leastTime = 1_000;
/** Milliseconds that are kept for deciding and answering after the resolution. */
const marginMilliseconds = 250;

const group = 'operators.coreos.com';
const missing: ReadonlySet<string> = new Set(
  [subscriptionPackage, subscriptionChannel, subscriptionStartingCsv].map(({ id }) => id),
);

/** Adds to a reviewer of Subscriptions a finding about the resolution of the namespace. */
export function withResolution(reviewer: Reviewer, catalogs: KnownCatalogs): Reviewer {
  return {
    ...reviewer,
    async assess(request, context) {
      const assessment = await reviewer.assess(request, context);
      const { object, operation } = request;
      const concerns = operation === 'CREATE' || operation === 'UPDATE';
      if (assessment === undefined || !concerns || !isObject(object)) return assessment;
      const names = catalogs.names();
      if (names === undefined) {
        return withMore(assessment, [], ['resolution: the catalogs are not known yet']);
      }
      // A package that the catalog does not have makes the resolution fail; there is a finding for it already.
      if (assessment.findings.some(({ rule }) => missing.has(rule))) return assessment;
      const { until = Infinity } = context;
      const left = until - performance.now();
      if (left < leastTime) {
        return withMore(assessment, [], ['resolution: there was no time left to try it']);
      }
      try {
        const asker = [request.userInfo?.username ?? '', request.namespace ?? ''];
        const asking = { asker, until: until - marginMilliseconds };
        const view = readableView(context.view, context.standing);
        const asked = failures(object, request, view, names, {
          ...catalogs,
          resolve: (question) => catalogs.resolve(question, asking),
        });
        const found = await within(left - marginMilliseconds, asked);
        const withheldBecause =
          found.length === 0 ? undefined : await reasonWithheld(request, context);
        return withMore(
          assessment,
          withheldBecause === undefined
            ? found
            : found.map((finding) => withoutReasons(finding, withheldBecause)),
          [],
        );
      } catch (error) {
        if (!(error instanceof ClusterError || error instanceof UnfinishedError)) throw error;
        return withMore(assessment, [], [`resolution: ${error.message}`]);
      }
    },
  };
}

/** Why the requester may not learn what is in the namespace, in a sentence. */
async function reasonWithheld(
  request: AdmissionRequest,
  { standing, mayRead }: AssessContext,
): Promise<string | undefined> {
  const { namesWithheld, isProven } = await standing();
  if (namesWithheld !== undefined) return namesWithheld;
  for (const kind of ['Subscription', 'ClusterServiceVersion', 'OperatorGroup'] as const) {
    const { may, why } = await mayRead(readKinds[kind], request.namespace);
    if (may === false || (may === 'unknown' && !isProven)) return why;
  }
  return undefined;
}

function withoutReasons(finding: Finding, withheldBecause: string): Finding {
  const message = `with this Subscription OLM would resolve nothing in its namespace; the reason is withheld: ${withheldBecause}`;
  return withholdDetails(finding, message);
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

interface Asked extends Omit<KnownCatalogs, 'resolve'> {
  readonly resolve: (question: ResolutionQuestion) => Promise<ResolutionAnswer>;
}

/** Empty if the resolution fails without the Subscription too, or depends on catalogs that are not known. */
async function failures(
  object: JsonObject,
  request: AdmissionRequest,
  view: ClusterView,
  names: ReadonlySet<string>,
  { globalCatalogNamespace, resolve, onResolved }: Asked,
): Promise<Finding[]> {
  const namespace = metaOf(object).namespace || (request.namespace ?? '');
  const list = (resource: string) => view.list({ group, resource }, { namespace });
  const [operatorGroups, subscriptions, csvs] = await Promise.all([
    list('operatorgroups'),
    list('subscriptions'),
    list('clusterserviceversions'),
  ]);
  const name = metaOf(object).name;
  const others = subscriptions.filter((each) => metaOf(each).name !== name);
  const stateOf = (all: readonly JsonObject[]): ReturnType<typeof namespaceState> =>
    namespaceState({
      namespace,
      globalCatalogNamespace,
      operatorGroups,
      subscriptions: all,
      csvs,
      catalogs: [],
    });
  const after = stateOf([...others, inNamespace(object, namespace)]);
  const isKnown = (after.subscriptions ?? []).every((each) =>
    names.has(`${each.catalogNamespace}/${each.catalog}`),
  );
  if (!isKnown) return [];
  const { outcome, seconds, findings } = await resolve({ before: stateOf(others), after });
  onResolved?.(outcome, seconds);
  // Always a warning: a catalog that lacks something now may have it later.
  return findings.map((finding) => ({ ...finding, severity: 'warning' }));
}

/** @throws UnfinishedError when the milliseconds are over first. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  if (milliseconds === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new UnfinishedError('was not finished in time')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
