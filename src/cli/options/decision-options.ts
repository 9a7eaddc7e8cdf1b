/** Options for denials and listings, as every check of definitions takes them: `--strict` and `--all`. */
import { strictPolicy, type Policy } from '../../policy/index.js';
import type { LoadedPolicy } from './policy-option.js';

export interface DecisionOptions {
  readonly strict?: boolean;
  readonly all?: boolean;
}

export const strictOption = [
  '--strict',
  'deny everything that the profile refuses, as its reference does (enforce: all, ratchet: false)',
] as const;

export const allOption = [
  '--all',
  'list everything: also each change that is proven harmless, and more lines than a page',
] as const;

/** The policy, unless the command line asks for more. */
export function decidingPolicy({ policy }: LoadedPolicy, { strict }: DecisionOptions): Policy {
  return strict === true ? strictPolicy(policy) : policy;
}
