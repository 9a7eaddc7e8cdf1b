/** Options for denials and listings, as every check of definitions takes them: `--strict` and `--all`. */
import { strictPolicy, type Policy } from '../../policy/index.js';
import { invalidInput } from '../../text/documents/index.js';
import type { LoadedPolicy } from './policy-option.js';

export interface DecisionOptions {
  readonly strict?: boolean;
  readonly all?: boolean;
  readonly acknowledge?: string;
}

export const strictOption = [
  '--strict',
  'deny everything that the profile refuses, as its reference does (enforce: all, ratchet: false)',
] as const;

export const allOption = [
  '--all',
  'list everything: also each change that is proven harmless, and more lines than a page',
] as const;

export const acknowledgeOption = [
  '--acknowledge <reason>',
  'warn in place of denying, with this reason; what Kubernetes itself refuses stays denied',
] as const;

/** The policy, unless the command line asks for more or less. @throws InvalidInputError for an empty reason */
export function decidingPolicy(
  { policy }: LoadedPolicy,
  { strict, acknowledge }: DecisionOptions,
): Policy {
  if (acknowledge?.trim() === '') {
    throw invalidInput('--acknowledge needs the reason, or the label that gives it');
  }
  const acknowledged = acknowledge === undefined ? {} : { acknowledged: acknowledge.trim() };
  return { ...(strict === true ? strictPolicy(policy) : policy), ...acknowledged };
}
