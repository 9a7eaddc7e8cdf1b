/** The rules about a catalog by itself that tell of themselves with an example. */
import type { Rule } from '../rule.js';
import { catalogBlobSchema } from './catalog-blob-schema.js';
import { catalogReservedSchema } from './catalog-reserved-schema.js';

export const catalogRules: readonly Rule[] = [catalogBlobSchema, catalogReservedSchema];
