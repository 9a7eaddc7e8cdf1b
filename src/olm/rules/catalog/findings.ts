import type { Finding } from '../../../rule/index.js';
import type { LoadedCatalog } from '../../catalogs/load.js';
import type { Validation } from '../../catalogs/validate.js';
import { blobSchemaFindings, reservedSchemaFindings } from './blob-rules.js';
import { lifecycleFindings } from './catalog-lifecycle.js';
import { catalogRules } from './rules.js';
import { catalogWarnings } from './warnings.js';
import type { Catalog } from '../../catalogs/catalog.js';
import { lintConstraint } from '../bundle/lints.js';
import { stringifyJson } from '../../../text/documents/index.js';
import { quote } from '../../../text/go/index.js';

export function catalogFindings(loaded: LoadedCatalog, validation?: Validation): Finding[] {
  if (loaded.error !== undefined) {
    const { message, where } = loaded.error;
    return [{ ...catalogRules.loads.finding({ message }), place: where }];
  }
  const refusals = (validation?.complaints ?? []).map(({ message, place, within }) => ({
    ...catalogRules.valid.finding({ message: [...within, message].join(': ') }),
    place,
  }));
  const { catalog } = loaded;
  return [
    ...refusals,
    ...blobSchemaFindings(catalog),
    ...reservedSchemaFindings(catalog),
    ...lifecycleFindings(catalog),
    ...catalogWarnings(catalog),
    ...constraintFindings(catalog),
  ];
}

/** Warnings: opm accepts the catalog, and one constraint that OLM cannot read stops every namespace. */
function constraintFindings({ bundles }: Catalog): Finding[] {
  // The bundles of a package mostly repeat the same few.
  const known = new Map<string, readonly Finding[]>();
  return bundles.flatMap(({ name, properties, place }) =>
    properties.flatMap(({ type, value = null }, index) => {
      if (type !== 'olm.constraint') return [];
      const text = stringifyJson(value);
      const found = known.get(text) ?? lintConstraint(value);
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
