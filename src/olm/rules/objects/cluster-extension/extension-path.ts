import { exampleExtension } from '../examples.js';
import { type ExtensionOutcome, outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { candidateText, edgesText } from './extension-request.js';
import type { JsonValue } from '../../../../text/documents/index.js';
import type { Candidate } from '../../../catalogs/upgrades/resolve-v1.js';
import { hiddenMistakes } from '../../../catalogs/upgrades/extension-config.js';
import { installedAs } from '../../../catalogs/upgrades/v1-path.js';
import { limitAhead } from '../cluster-version/cluster-update-blocked.js';
import { compareVersions, readVersion } from '../../../../text/versions/index.js';

export const clusterExtensionUpgradePath = defineExtensionRule({
  id: 'ClusterExtensionUpgradePath',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'An update edge of the catalog leads from the installed version of a ClusterExtension to one that its range admits.',
  why: 'Bundles satisfy the range and the channels, but none of them replaces, skips or covers by skipRange what is installed, and what is installed is not among them.',
  otherwise:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  instead: 'Go by a version that the catalog leads to, or widen the range.',
  source: from.operatorController(
    'internal/operator-controller/catalogmetadata/filter/successors.go',
    'SuccessorsOf',
  ),
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.2.0', { installed: '1.0.0' }),
    says: 'the catalog leads to queue.v1.1.0 (1.1.0)',
    accepted: exampleExtension('version: 1.1.0', { installed: '1.0.0' }),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'no-path' || forcedStep(found)) return;
    const { extension, outcome, ask } = found;
    const way = wayIntoRange(found);
    const next = ask({ version: '' });
    const first = next === undefined || next.stays ? [] : [next.chosen];
    const steps = (way.length > 0 ? way : first).map(candidateText);
    const leads =
      steps.length === 0
        ? 'the catalog leads nowhere from it'
        : `the catalog leads to ${steps.join(', and from there to ')}`;
    yield { message: `${outcome.message}; ${leads}`, path: extension.versionPath };
  },
});

export const clusterExtensionForcing = defineExtensionRule({
  id: 'ClusterExtensionForcing',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'The range of a ClusterExtension asks for no lower version, and for no next major version to which the catalog has no edge.',
  why: 'OLM v1 goes to neither by itself: the ClusterExtension stays where it is.',
  otherwise:
    'error upgrading from currently installed version "…": no bundles found for package "…"',
  instead:
    'Ask for a version that an update edge leads to. upgradeConstraintPolicy: SelfCertified forces the step, after you have made sure that the data survives.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.openShift('Update paths'),
  ),
  messages: {
    forced:
      '{step} from {from} needs upgradeConstraintPolicy SelfCertified: OLM v1 does not go there by itself ({refusal})',
  },
  example: {
    before: queueCatalog,
    after: exampleExtension('version: 1.0.0', { installed: '1.1.0' }),
    says: 'going back to queue.v1.0.0 (1.0.0) from 1.1.0 needs upgradeConstraintPolicy SelfCertified',
    accepted: exampleExtension("version: '>=1.1.0'", { installed: '1.1.0' }),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    const step = found === undefined ? undefined : forcedStep(found);
    if (found?.outcome.kind !== 'no-path' || step === undefined) return;
    const { extension, outcome } = found;
    const to = outcome.best === undefined ? '' : ` ${candidateText(outcome.best.chosen)}`;
    yield {
      id: 'forced',
      data: {
        step: `${step}${to}`,
        from: extension.installed?.version ?? '',
        refusal: outcome.message,
      },
      path: extension.versionPath,
    };
  },
});

export const clusterExtensionUnresolvable = defineExtensionRule({
  id: 'ClusterExtensionUnresolvable',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'OLM v1 can choose a bundle for a ClusterExtension among those that it finds, and install it.',
  why: 'It cannot when several catalogs of one priority have one, when a catalog that it selects is not served, when the bundle declares a dependency, owns an APIService or does not support AllNamespaces, or when spec.config does not fit the bundle.',
  otherwise: 'found bundles for package "…" in multiple catalogs with the same priority […]',
  instead: 'Give the catalogs priorities, or use a selector; name a version without dependencies.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController('internal/operator-controller/applier/provider.go', 'Get'),
    from.operatorController(
      'internal/operator-controller/resolve/validation.go',
      'NoDependencyValidation',
    ),
  ),
  example: {
    before: queueCatalog,
    after: exampleExtension('', { package: 'topic' }),
    says: 'which is currently not supported',
    accepted: exampleExtension(),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'failed') return;
    const { message } = found.outcome;
    const fix = remedy(message, found.extension.config);
    yield { message, path: found.extension.packagePath, ...(fix !== undefined && { fix }) };
  },
});

function remedy(message: string, config: JsonValue | undefined): string | undefined {
  if (message.includes('invalid ClusterExtension configuration: ')) {
    const [hidden] = message.includes(': invalid configuration: ') ? hiddenMistakes(config) : [];
    return hidden === undefined
      ? 'Correct spec.config.inline.'
      : `Correct spec.config.inline: ${hidden}`;
  }
  if (message.includes(': unsupported bundle: ')) {
    return 'Name a version whose bundle OLM v1 installs, or install the package by OLM classic.';
  }
  const [, catalog] = /catalog "([^"]*)" is not being served$/.exec(message) ?? [];
  return catalog && `See why it is not served: kubectl describe clustercatalog ${catalog}`;
}

export const clusterExtensionResolution = defineExtensionRule({
  id: 'ClusterExtensionResolution',
  severity: 'warning',
  checks: 'What the catalogs, as they are known here, would give a ClusterExtension now.',
  why: 'OLM v1 installs or updates it at once. It is a warning when the request brings another bundle than the one that is installed; otherwise only an audit annotation, resolves-to.',
  otherwise: 'OLM reports no error: OLM v1 installs or updates it at once',
  instead: 'Name the version in spec.source.catalog.version when the installed one is to stay.',
  source: sources(
    from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
    from.operatorController(
      'internal/operator-controller/catalogmetadata/filter/successors.go',
      'SuccessorsOf',
    ),
  ),
  messages: {
    installs: 'installs {bundle} of catalog {catalog}{edges}{assumption}',
    stays: 'stays at {bundle} of catalog {catalog}{edges}{assumption}',
    replaces: 'replaces {from} by {bundle} of catalog {catalog}{edges}{assumption}',
  },
  example: {
    before: queueCatalog,
    after: exampleExtension('', { installed: '1.0.0' }),
    says: 'replaces 1.0.0 by queue.v1.1.0 (1.1.0) of catalog community: replaces in channel stable',
    accepted: exampleExtension('version: 1.0.0', { installed: '1.0.0' }),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'resolved') return;
    const { chosen, stays } = found.outcome.resolution;
    const { installed, packagePath: path } = found.extension;
    const edges = edgesText(chosen);
    const from = found.catalogs.filter(({ name }) => name === chosen.catalog);
    const ahead = stays ? undefined : limitAhead(from, chosen.name, context.view);
    const data = {
      bundle: candidateText(chosen),
      catalog: chosen.catalog,
      edges: edges === '' ? '' : `: ${edges}`,
      assumption: `${assumptionText(found)}${ahead === undefined ? '' : `; ${ahead}`}`,
    };
    const severity = stays ? 'info' : 'warning';
    if (installed === undefined) yield { id: 'installs', data, path, severity };
    else if (stays) yield { id: 'stays', data, path, severity };
    else yield { id: 'replaces', data: { ...data, from: installed.version }, path, severity };
  },
});

/** Catalogs that are not available, or were not looked into, may make it another bundle or none. */
function assumptionText({ assumed }: ExtensionOutcome): string {
  const all = [...assumed, 'no other ClusterCatalog has the package'];
  return `; this assumes that ${all.join(' and ')}`;
}

/** From further away than this, only the first step is named. */
const maxSteps = 20;

/** By which versions update edges lead into the range, one after the other; empty where they do not. */
function wayIntoRange({ extension, ask }: ExtensionOutcome): readonly Candidate[] {
  const way: Candidate[] = [];
  let { installed } = extension;
  while (installed !== undefined && way.length < maxSteps) {
    const there = ask({ installed });
    if (there !== undefined) return [...way, there.chosen];
    const next = ask({ version: '', installed });
    if (next === undefined || next.stays) return [];
    way.push(next.chosen);
    installed = installedAs(next, false);
  }
  return [];
}

/** The step that reaches the range by force alone: it has nothing higher of the same major, and no update edges lead there. */
function forcedStep(found: ExtensionOutcome): string | undefined {
  const { extension, outcome } = found;
  const asksFor = extension.version !== '' && extension.installed !== undefined;
  if (outcome.kind !== 'no-path' || outcome.best === undefined || !asksFor) return undefined;
  const from = readVersion(extension.installed.version);
  if (from === undefined) return undefined;
  const { chosen, passedOver } = outcome.best;
  const higher = [chosen, ...passedOver].flatMap(({ versionRelease }) =>
    versionRelease !== undefined && compareVersions(versionRelease.version, from) > 0
      ? [versionRelease.version]
      : [],
  );
  if (higher.some(({ major }) => major === from.major)) return undefined;
  if (wayIntoRange(found).length > 0) return undefined;
  return compareVersions(chosen.versionRelease.version, from) < 0
    ? 'going back to'
    : 'going to the next major version';
}
