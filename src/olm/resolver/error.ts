import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';

/** A constraint that stops the resolution of the whole namespace; the message is OLM's. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
}

/** Several errors as Kubernetes' aggregate prints them: without repetitions, in brackets if more than one. */
export function aggregate(
  messages: readonly string[],
  places: readonly string[] = [],
  remedies: readonly string[] = [],
): ResolutionError {
  const distinct = [...new Set(messages)];
  const [only = ''] = distinct;
  return new ResolutionError(
    distinct.length === 1 ? only : `[${distinct.join(', ')}]`,
    [...new Set(places)],
    [...new Set(remedies)],
  );
}
