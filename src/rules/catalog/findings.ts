/** What is wrong with a catalog, as findings: opm's own complaints first, then what opm never checks. */
import type { LoadedCatalog } from '../../catalogs/load.js';
import type { Validation } from '../../catalogs/validate.js';
import { catalogRules } from './rules.js';
import { catalogWarnings, type CatalogFinding } from './warnings.js';

export function catalogFindings(loaded: LoadedCatalog, validation?: Validation): CatalogFinding[] {
  if (loaded.error !== undefined) {
    const { message, where } = loaded.error;
    return [{ ...catalogRules.loads.finding({ message }), place: where }];
  }
  const refusals = (validation?.complaints ?? []).map(({ message, place, within }) => ({
    ...catalogRules.valid.finding({ message: [...within, message].join(': ') }),
    place,
  }));
  return [...refusals, ...catalogWarnings(loaded.catalog)];
}
