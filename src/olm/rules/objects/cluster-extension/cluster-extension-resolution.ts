import { exampleExtension } from '../example-objects.js';
import { type ExtensionOutcome, outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { limitAhead } from '../cluster-version/catalog-limit.js';
import { defineExtensionRule } from '../rule.js';
import { candidateText, edgesText } from './extension-words.js';

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
