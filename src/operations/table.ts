/** Every question that olm-guard answers, in one list. Doors, OpenAPI and help are derived from it. */
import type { Operation } from './operation.js';

export const operations: readonly Operation[] = [];
