import { exampleExtension } from '../example-objects.js';
import type { JsonValue } from '../../../../text/documents/index.js';
import { hiddenMistakes } from '../../../catalogs/upgrades/index.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

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
