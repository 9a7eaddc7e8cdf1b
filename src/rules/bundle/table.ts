/** The rules about a bundle that tell of themselves with an example. */
import type { Rule } from '../rule.js';
import { bundleServiceAccount } from './bundle-service-account.js';
import { removedApi } from './removed-api.js';
import { dependenciesMetApart } from './dependencies-met-apart.js';

export const bundleExampleRules: readonly Rule[] = [
  bundleServiceAccount,
  dependenciesMetApart,
  removedApi,
];
