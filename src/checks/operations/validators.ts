import { ValidatorCache } from '../../kubernetes/index.js';

/** One for the process: a definition's compiled validator serves every question that brings it. */
export const validators = new ValidatorCache();
