/** Errors that stop the resolution of a whole namespace before anything is chosen. */

/** `message` is OLM's text, reported with the reason ErrorPreventedResolution. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';

  constructor(
    message: string,
    /** Which bundle or catalog, where OLM's text does not say; whole sentences. */
    readonly places: readonly string[] = [],
    /** Ways to fix it, where they are known. */
    readonly remedies: readonly string[] = [],
  ) {
    super(message);
  }
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
