import { exampleExtension } from '../example-objects.js';
import { outcomeOf } from '../../../objects/extension-outcome.js';
import { didYouMean } from '../../../../text/nearest.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';
import { catalogsText } from './extension-words.js';

export const clusterExtensionPackage = defineExtensionRule({
  id: 'ClusterExtensionPackage',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'A catalog that is known here, and that the selector admits, has the package of a ClusterExtension.',
  why: 'Nothing is installed without one. A catalog may still come: OLM v1 tries again until there is one.',
  otherwise: 'no bundles found for package "…"',
  instead: 'Correct packageName, or create the ClusterCatalog first.',
  source: from.operatorController('internal/operator-controller/resolve/catalog.go', 'Resolve'),
  example: {
    before: queueCatalog,
    after: exampleExtension('', { package: 'quue' }),
    says: 'no bundles found for package "quue" in the known catalog community (did you mean "queue"?)',
    accepted: exampleExtension(),
  },
  *judge(context) {
    const found = context.fact(outcomeOf);
    if (found?.outcome.kind !== 'unknown-package') return;
    const { extension, catalogs, excluded, outcome } = found;
    const names = catalogs.flatMap(({ catalog }) => catalog.packages.map(({ name }) => name));
    const where = catalogs.length === 0 ? '' : ` in ${catalogsText(catalogs)}`;
    const others = excluded.length === 0 ? '' : `; ${excluded.join('; ')}`;
    yield {
      message: `${outcome.message}${where}${didYouMean(extension.packageName, names)}${others}`,
      path: extension.packagePath,
    };
  },
});
