import type { Finding } from '../../../rule/index.js';
import type { LoadedCatalog } from '../../catalogs/load.js';
import type { Validation } from '../../catalogs/validate.js';
import { blobSchemaFindings } from './catalog-blob-schema.js';
import { lifecycleFindings } from './catalog-lifecycle.js';
import { reservedSchemaFindings } from './catalog-reserved-schema.js';
import { constraintFindings } from './constraints.js';
import { catalogRules } from './rules.js';
import { catalogWarnings } from './warnings.js';

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
