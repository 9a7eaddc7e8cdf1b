/** What is wrong with a catalog, as findings: opm's own complaints first, then what opm never checks. */
import { docsFor } from '../../finding.js';
import type { ObjectPlace } from '../../catalogs/catalog.js';
import type { LoadedCatalog } from '../../catalogs/load.js';
import type { Validation } from '../../catalogs/validate.js';
import { blobSchemaFindings } from './catalog-blob-schema.js';
import { reservedSchemaFindings } from './catalog-reserved-schema.js';
import { constraintFindings } from './constraints.js';
import { catalogWarnings, type CatalogFinding } from './warnings.js';

/** Rules that opm has; the message of a finding is the text it prints. */
export const validationRules = {
  CatalogLoads: 'every file of the catalog can be read',
  CatalogValid: 'packages, channels, bundles and deprecations fit together',
} as const;

export function catalogFindings(loaded: LoadedCatalog, validation?: Validation): CatalogFinding[] {
  if (loaded.error !== undefined) {
    const { message, where } = loaded.error;
    return [refusal('CatalogLoads', message, where)];
  }
  const refusals = (validation?.complaints ?? []).map(({ message, place, within }) =>
    refusal('CatalogValid', [...within, message].join(': '), place),
  );
  const { catalog } = loaded;
  return [
    ...refusals,
    ...blobSchemaFindings(catalog),
    ...reservedSchemaFindings(catalog),
    ...catalogWarnings(catalog),
    ...constraintFindings(catalog),
  ];
}

function refusal(
  rule: keyof typeof validationRules,
  message: string,
  place: ObjectPlace,
): CatalogFinding {
  return { rule, family: 'catalogs', severity: 'error', message, place, docs: docsFor(rule) };
}
