import type { ObjectPlace } from '../../catalogs/catalog.js';
import type { Finding } from '../../../rule/index.js';

/** A finding with the place of the object in its file; `place.line` counts from 1. */
export interface CatalogFinding extends Finding {
  readonly place?: ObjectPlace;
}
