/** The constraints of bundles, judged as `check bundle` judges them: one that OLM cannot read stops every namespace that sees the catalog. */
import type { Catalog } from '../../catalogs/catalog.js';
import type { Finding } from '../../../rule/index.js';
import { lintConstraintProperty } from '../bundle/lints.js';
import { stringifyJson } from '../../../text/documents/index.js';
import { quote } from '../../../text/go/index.js';

/** Warnings all of them: opm accepts the catalog. */
export function constraintFindings({ bundles }: Catalog): Finding[] {
  // The bundles of a package mostly repeat the same few.
  const known = new Map<string, readonly Finding[]>();
  return bundles.flatMap(({ name, properties, place }) =>
    properties.flatMap(({ type, value = null }, index) => {
      if (type !== 'olm.constraint') return [];
      const text = stringifyJson(value);
      const found = known.get(text) ?? lintConstraintProperty({ type, value }, '$');
      known.set(text, found);
      return found.map(({ message, path: _, ...finding }) => ({
        ...finding,
        severity: finding.severity === 'error' ? 'warning' : finding.severity,
        message: `bundle ${quote(name)}, properties[${index}]: ${message}`,
        place,
      }));
    }),
  );
}
