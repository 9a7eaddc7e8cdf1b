/** What is wrong with a catalog, as findings: opm's own complaints first, then what opm never checks. */
import type { Finding } from '../finding.js';
import { docsFor } from '../finding.js';
import type { LoadedCatalog } from './load.js';
import type { Complaint, Validation } from './validate.js';

/** A finding with the place of the object in its file; `place.line` counts from 1. */
export interface CatalogFinding extends Finding {
  readonly place?: Complaint['place'];
}

export function catalogFindings(loaded: LoadedCatalog, validation?: Validation): CatalogFinding[] {
  if (loaded.error !== undefined) {
    const { message, where } = loaded.error;
    return [finding('CatalogLoads', message, where)];
  }
  return (validation?.complaints ?? []).map(({ message, place, within }) =>
    finding('CatalogValid', [...within, message].join(': '), place),
  );
}

function finding(rule: string, message: string, place: Complaint['place']): CatalogFinding {
  return { rule, severity: 'error', message, place, docs: docsFor(rule) };
}
