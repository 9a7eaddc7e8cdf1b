/** `olm-guard resolve`: what OLM will do in a namespace, and why. */
import { Command } from 'commander';
import { invalidInput, writeYaml } from '../../text/documents/index.js';
import { renderResolution } from '../../report/index.js';
import type { Semantics } from '../../olm/index.js';
import { namedCatalogs } from '../catalog/catalog-path.js';
import {
  openCluster,
  openDefault,
  type ClusterOptions,
  type OpenCluster,
} from '../options/cluster-option.js';
import { loadPolicy } from '../options/policy-option.js';
import { answerResolve, type ResolveAnswer } from './resolve-answer.js';
import { readCatalogOption } from '../options/known-catalogs.js';
import { emptyNamespace, subscribedPackages, readCatalogs } from './resolve-source.js';
import { formOf, print, printError } from '../output.js';
import { catalogFlag } from '../catalog/catalog-path.js';
import { flags, withFlags, several, oneOf } from '../options/flags.js';

interface Options extends ClusterOptions {
  readonly namespace?: string;
  readonly catalog: readonly string[];
  readonly subscribe: readonly string[];
  readonly globalCatalogNamespace?: string;
  readonly semantics: Semantics;
  readonly policy?: string;
  readonly output: Format;
}

type Format = 'text' | 'json' | 'yaml';

const renderers: Record<Format, (answer: ResolveAnswer) => string> = {
  text: ({ verdict, output }) => renderResolution(output, output.explanation, verdict),
  json: (answer) => `${JSON.stringify(answer, undefined, 2)}\n`,
  yaml: (answer) => writeYaml(answer),
};

export function resolveCommand(): Command {
  const command = new Command('resolve').description(
    'say what OLM will install, upgrade or refuse in a namespace, and why',
  );
  return withFlags(command, {
    '-n, --namespace <namespace>':
      'the namespace to resolve (default without a cluster: operators)',
    ...{ ...catalogFlag, ...flags.state, ...flags.kubeconfig('connect to this cluster') },
    '--subscribe <package>': several(
      'resolve as if there were a Subscription to PACKAGE or PACKAGE@CHANNEL',
    ),
    '--global-catalog-namespace <namespace>':
      'whose catalogs every namespace sees (default: openshift-marketplace if it has any, else olm)',
    '--semantics <whose>': oneOf(
      ['olm', 'documents'],
      'read constraints as OLM does, or as OpenShift’s documentation describes',
      'olm',
    ),
    ...flags.webhookPolicy,
    ...flags.output(Object.keys(renderers)),
  }).action(async (options: Options) => {
    const policy = await loadPolicy(options.policy);
    const named = namedCatalogs(undefined, options.catalog);
    const { view, namespace, close } = await openNamespace(options, named);
    try {
      const { globalCatalogNamespace, subscribe } = options;
      const keep = await subscribedPackages(view, namespace);
      const catalogs = await readCatalogs(named, { keep });
      const source = {
        namespace,
        semantics: options.semantics,
        subscribe,
        catalogs,
        globalCatalogNamespace,
      };
      const answer = await answerResolve(view, source, policy);
      await print(renderers[options.output](answer), formOf(options.output));
      process.exitCode = answer.verdict.allowed ? 0 : 1;
    } finally {
      close();
    }
  });
}

/** The cluster that is named; without one, and with something to subscribe to, an empty namespace. */
async function openNamespace(
  options: Options,
  catalogs: readonly string[],
): Promise<OpenCluster & { readonly namespace: string }> {
  const { namespace = 'operators', subscribe } = options;
  const isAsked = options.namespace !== undefined && subscribe.length === 0;
  const cluster =
    (await openCluster(options)) ?? (isAsked ? await openDefault(options) : undefined);
  if (cluster !== undefined) {
    if (options.namespace !== undefined) return { ...cluster, namespace };
    cluster.close();
    throw invalidInput('name the namespace: --namespace NAMESPACE');
  }
  if (subscribe.length === 0) {
    throw invalidInput(
      'name the namespace: --namespace NAMESPACE; or ask what would come of a subscription: --subscribe PACKAGE',
    );
  }
  printError(
    `olm-guard: no cluster is named: namespace ${namespace} is taken to be empty, with one OperatorGroup for all namespaces`,
  );
  const { FolderCluster } = await import('../../cluster/view/folder.js');
  const view = FolderCluster.of(emptyNamespace(namespace, catalogs.map(readCatalogOption)));
  return { view, namespace, close: () => undefined };
}
