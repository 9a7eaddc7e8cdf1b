/** `olm-guard plan`: one page before an upgrade, from what the other checks find out. */
import { Command } from 'commander';
import { check } from '../../policy/index.js';
import { minorsByDefault } from '../../kubernetes/index.js';
import { invalidInput, stringifyJson } from '../../text/documents/index.js';
import {
  headlineOf,
  isUnknown,
  type UpgradePlan,
  renderPlanMarkdown,
  renderPlanPage,
  renderPlanText,
} from '../../report/index.js';
import { minorsFor, withMinors } from '../options/kubernetes-option.js';
import { formOf, print, printError } from '../output.js';
import {
  actionsOf,
  type FoundPlan,
  type PlanQuestion,
  type PackageQuestion,
} from './plan-actions.js';
import { planManifests } from './plan-manifests.js';
import { planPackage } from './plan-package.js';
import { openPolicy, policyWarning } from '../options/policy-option.js';
import { catalogFlag } from '../catalog/catalog-path.js';
import { eitherOlm } from '../catalog/catalog-path.js';
import { flags, withFlags } from '../options/flags.js';

type Format = 'text' | 'markdown' | 'html' | 'json';

interface Options extends Omit<PackageQuestion, 'package' | 'policy' | 'minors' | 'given'> {
  readonly package?: string;
  readonly kubernetes?: string;
  readonly policy?: string;
  readonly output: Format;
}

const renderers: Record<Format, (plan: UpgradePlan) => string> = {
  text: renderPlanText,
  markdown: renderPlanMarkdown,
  html: renderPlanPage,
  json: (plan) => `${stringifyJson(plan, 2)}\n`,
};

export function planCommand(): Command {
  const command = new Command('plan').description(
    'plan an upgrade: what to do in which order, and what cannot be undone',
  );
  return withFlags(command, {
    '[old]': 'the installed release: as for check crd, or cluster: for what the cluster has',
    '[new]': 'the release to upgrade to: a file, folder, chart, bundle or git:REF:path',
    '--package <name>': 'an OLM package, instead of OLD and NEW',
    '--from <version>': "the installed version, or the name of its bundle (default: the cluster's)",
    '--to <version>': 'the version to upgrade to, or the name of its bundle (default: the newest)',
    '--channel <channel>':
      "the channel (default for OLM classic: the Subscription's, else the package's; for OLM v1: any)",
    ...catalogFlag,
    '--bundles <folder>': 'bundle folders with the definitions that the catalogs leave out',
    ...eitherOlm(
      'upgrade as OLM v1 does',
      'upgrade as OLM classic does (default: the OLM that the cluster has)',
    ),
    '-n, --namespace <namespace>': 'the namespace of the Subscription, if the package has several',
    ...flags.state,
    ...flags.kubeconfig('connect to this cluster'),
    ...{ ...flags.webhookPolicy, ...flags.network, ...flags.kubernetes() },
    ...flags.output(Object.keys(renderers)),
  }).action(async (old: string | undefined, next: string | undefined, options: Options) => {
    const loaded = await openPolicy(options.policy);
    const asked = await minorsFor(options.kubernetes ?? loaded.policy.kubernetes, options);
    const policy = withMinors(loaded.policy, asked);
    const given = (['policy', 'kubernetes'] as const).flatMap((name) => {
      const value = options[name];
      return value === undefined ? [] : [`--${name}`, value];
    });
    const question: PlanQuestion = {
      ...{ ...options, policy, given },
      minors: asked ?? minorsByDefault(),
    };
    const found = await find(old, next, options, question);
    const warnings = [
      ...(asked?.warnings ?? []),
      ...(await policyWarning(options.policy, loaded, old, options.output)),
    ];
    const judged = await decided(found, question);
    const plan = warnings.length === 0 ? judged : { ...judged, warnings };
    await print(renderers[options.output](plan), formOf(options.output));
    if (isUnknown(plan)) printError('olm-guard: no step could be checked');
    process.exitCode = plan.isClear ? 0 : isUnknown(plan) ? 2 : 1;
  });
}

/** @throws InvalidInputError where it is not clear what is asked */
function find(
  old: string | undefined,
  next: string | undefined,
  options: Options,
  question: PlanQuestion,
): Promise<FoundPlan> {
  const { package: name } = options;
  if (name !== undefined && old === undefined) {
    return planPackage({ ...options, ...question, package: name });
  }
  if (name === undefined && old !== undefined && next !== undefined) {
    return planManifests({ old, new: next }, question);
  }
  const isPackage = name === undefined && old !== undefined && options.catalog.length > 0;
  const meant = isPackage ? ` (did you mean "--package ${old}"?)` : '';
  throw invalidInput(
    `name what is installed and what is wanted: plan OLD NEW; or plan --package NAME --from VERSION --catalog DIR${meant}`,
  );
}

/** The policy decides whether what was not checked is denied. */
async function decided(
  { delivery, commands, ...found }: FoundPlan,
  { policy }: PlanQuestion,
): Promise<UpgradePlan> {
  const actions = actionsOf(found, delivery, commands);
  const unseen = [...found.unchecked, ...found.steps.flatMap(({ unchecked }) => unchecked)];
  const subject = { groups: [], name: found.subject };
  const { verdict } = await check({ subject, findings: [], unchecked: unseen }, policy);
  return {
    headline: headlineOf(found),
    ...found,
    isClear:
      verdict.allowed &&
      !isUnknown({ steps: found.steps, actions }) &&
      !actions.some(({ isNeeded }) => isNeeded),
    actions,
  };
}
