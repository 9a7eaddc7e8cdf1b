import { defaultChannelOf } from '../catalog/catalog-path.js';
import {
  ignoreClusterError,
  openShiftLimits,
  type KnownCatalog,
  supportDates,
} from '../options/known-catalogs.js';
import type { ClusterView } from '../../cluster/index.js';
import type { Finding, Verdict } from '../../rule/index.js';
import {
  bundleCrds,
  deprecationsOf,
  explain,
  type Explanation,
  findingsOf,
  IndexedView,
  installFailures,
  loadCatalogs,
  packageOf,
  updateDeadEnd,
  type NamespaceState,
  type Outcome,
  resolve,
  scanRules,
} from '../../olm/index.js';
import { check, policyForCluster, type Policy } from '../../policy/index.js';
import { append } from '../../text/long-lists.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import { Judge } from '../../upgrade/index.js';
import { definitions } from '../options/crd-source.js';
import { type FoundNamespace, readNamespace, type ResolveSource } from './resolve-source.js';

export interface ResolveAnswer {
  readonly verdict: Verdict;
  readonly output: Outcome & { readonly explanation: Explanation };
}

/** @throws InvalidInputError, ClusterError */
export async function answerResolve(
  view: ClusterView,
  source: ResolveSource,
  policy: Policy,
): Promise<ResolveAnswer> {
  const found = await readNamespace(view, source);
  const { state, warnings } = found;
  const loaded = loadCatalogs(state.catalogs ?? [], state.semantics ?? 'olm');
  const resolution = resolve(state, loaded);
  const explanation = explain(state, resolution, loaded);
  const failing = await failures(found, resolution.outcome, {
    ...{ catalogs: source.catalogs, view, policy },
  });
  const subject = { groups: [], name: state.namespace };
  const findings = [...findingsOf(state, resolution, explanation), ...failing.findings];
  const { verdict } = await check({ subject, findings }, policy);
  return {
    verdict: {
      ...verdict,
      warnings: [
        ...warnings,
        ...failing.warnings,
        ...heldUp(found, resolution.outcome),
        ...deadEnds(state, explanation, source.catalogs),
        ...deprecated(resolution.outcome, source.catalogs),
        ...supported(resolution.outcome, source.catalogs),
        ...(await openShiftLimits(
          resolution.outcome.installPlan.map(({ name }) => name),
          source.catalogs,
          view,
        )),
        ...verdict.warnings,
      ],
    },
    output: { ...resolution.outcome, explanation },
  };
}

/** Why what stays is never updated, where the channel of its Subscription has something higher. */
function deadEnds(
  { subscriptions }: NamespaceState,
  explanation: Explanation,
  catalogs: readonly KnownCatalog[],
): string[] {
  if (explanation.kind !== 'solution') return [];
  return explanation.operators.flatMap(({ name: installed, action }) => {
    const owner = subscriptions?.find(({ installedCSV }) => installedCSV === installed);
    const named = catalogs.find(({ name }) => name === owner?.catalog);
    if (action !== 'keep' || owner === undefined || named === undefined) return [];
    const { package: packageName } = owner;
    const contents = packageOf(named.catalog, packageName, named);
    const channel = owner.channel || (defaultChannelOf(packageName, [named]) ?? '');
    const sentence = contents && updateDeadEnd(contents, { packageName, channel, installed });
    return sentence === undefined ? [] : [sentence];
  });
}

/** Resolution does not ask how earlier steps went, and what it chooses waits for them. */
const ofEarlierSteps = ['InstallPlanFailed', 'OperatorFailing', 'OperatorNotUpgradeable'];

function heldUp({ history, state }: FoundNamespace, { installPlan }: Outcome): string[] {
  if (installPlan.length === 0) return [];
  const { globalCatalogNamespace } = state;
  const context = {
    view: new IndexedView({ globalCatalogNamespace, kubernetesVersion: null }, []),
    objects: (kind: string) => history.get(kind) ?? [],
    clusterVersion: null,
    now: new Date(),
    switchOffs: () => ({ bypasses: [], problems: [] }),
  };
  return scanRules
    .filter(({ id }) => ofEarlierSteps.includes(id))
    .flatMap((rule) => rule.judge(context))
    .map(({ rule, object, message }) => {
      const who = object === undefined ? '' : `${object.kind} ${object.name}: `;
      return `before anything comes of it, see to ${rule}: ${who}${message}`;
    });
}

/** Findings about bundles that OLM installs and that do not come up then, or break definitions: resolution looks at neither. */
async function failures(
  { state, operatorGroups, kubernetesVersion }: FoundNamespace,
  { installPlan }: Outcome,
  {
    catalogs,
    view: cluster,
    policy,
  }: {
    readonly catalogs: readonly KnownCatalog[];
    readonly view: ClusterView;
    readonly policy: Policy;
  },
): Promise<Pick<Verdict, 'findings' | 'warnings'>> {
  const { namespace, globalCatalogNamespace, subscriptions } = state;
  const findings: Finding[] = [];
  const warnings: string[] = [];
  for (const operator of installPlan) {
    const { name: csv, package: packageName, catalog, catalogNamespace, channel } = operator;
    const bundle = catalogs
      .filter(({ name }) => name === catalog)
      .flatMap((named) => named.catalog.bundles)
      .find((each) => each.name === csv && each.package === packageName);
    if (bundle === undefined) continue;
    // OLM makes a Subscription of its own for what it pulls in.
    const name =
      subscriptions?.find((each) => each.package === packageName)?.name ??
      [packageName, channel, catalog, catalogNamespace].join('-');
    const known = [...operatorGroups];
    for (const brought of bundleCrds(bundle) ?? []) {
      const read = cluster.get(definitions, metaOf(brought).name);
      const stored = await read.catch(ignoreClusterError);
      if (stored) known.push(stored);
      else if (
        await read.then(
          () => false,
          () => true,
        )
      )
        warnings.push(
          `CustomResourceDefinition ${metaOf(brought).name} could not be read: whether ${csv} breaks it was not asked`,
        );
    }
    const view = new IndexedView({ globalCatalogNamespace, kubernetesVersion }, known);
    const judge = Judge.for(policyForCluster(policy, kubernetesVersion), 'review');
    const crdSafety = (current: JsonObject, next: JsonObject) =>
      judge.upgrade(current, next).findings;
    append(findings, installFailures(bundle, { namespace, name }, { view, crdSafety }));
  }
  return { findings, warnings };
}

function supported({ installPlan }: Outcome, catalogs: readonly KnownCatalog[]): string[] {
  return installPlan.flatMap(({ name, package: packageName, catalog }) => {
    const own = catalogs.filter((named) => named.name === catalog);
    return supportDates(packageName, [name], own, new Date());
  });
}

function deprecated({ installPlan }: Outcome, catalogs: readonly KnownCatalog[]): string[] {
  return installPlan.flatMap((operator) => {
    const named = catalogs.find(({ name }) => name === operator.catalog);
    if (named === undefined) return [];
    const messages = deprecationsOf(named.catalog, operator.package);
    const parts = [
      [`package ${operator.package}`, messages.get('olm.package/')],
      [`channel ${operator.channel}`, messages.get(`olm.channel/${operator.channel}`)],
      [operator.name, messages.get(`olm.bundle/${operator.name}`)],
    ];
    return parts.flatMap(([what, message]) =>
      message === undefined ? [] : [`${what} is deprecated: ${message.trim()}`],
    );
  });
}
