/** What the API servers of several minors say to a definition. */
import type { FieldErrorType } from '../apiserver/field-error.js';
import type { JsonObject } from '../text/documents/index.js';
import { asReadBy, readDefinition, type Definition } from './custom-resource-definition.js';
import { DecodeError } from './decode.js';
import { traitsOf, type ServerTraits } from './minors.js';
import { validate } from './validate.js';

export interface Refusal {
  /** Minors that refuse for this reason, from the oldest to the newest. */
  readonly kubernetes: readonly string[];
  readonly on: 'create' | 'update';
  readonly field: string;
  /** `Decode` is an answer 400: the document was not even read. */
  readonly type: FieldErrorType | 'Decode';
  readonly message: string;
}

export type Problem = Pick<Refusal, 'field' | 'type' | 'message'>;

/**
 * Asks each of the minors about a create, or about an update of the old definition.
 *
 * @throws InvalidInputError for an unknown minor, and `E_LIMIT` for a schema that is too large
 */
export function judgeDefinition(
  definition: JsonObject,
  old: JsonObject | undefined,
  minors: readonly string[],
): Refusal[] {
  const on = old === undefined ? 'create' : 'update';
  const traits = minors.map(traitsOf);
  const [before, after] = [old && readOnce(old, 'old'), readOnce(definition, 'new')];
  for (const side of [before, after]) {
    if (side !== undefined && 'type' in side) return [{ kubernetes: minors, on, ...side }];
  }
  const asked = { old: before as Definition | undefined, new: after as Definition };
  const found = new Map<string, Problem & { kubernetes: string[] }>();
  minors.forEach((minor, index) => {
    const seen = new Set<string>();
    for (const problem of problemsOf(asked, traits[index] as ServerTraits)) {
      const key = JSON.stringify([problem.type, problem.field, problem.message]);
      if (seen.has(key)) continue;
      seen.add(key);
      const known = found.get(key);
      if (known === undefined) found.set(key, { ...problem, kubernetes: [minor] });
      else known.kubernetes.push(minor);
    }
  });
  return [...found.values()].map((problem) => ({ on, ...problem }));
}

const readBefore = new WeakMap<JsonObject, Definition>();

/** Whoever asks more than once has the schemas compiled once. */
export function readOnce(source: JsonObject, side: 'new' | 'old'): Definition | Problem {
  const known = readBefore.get(source);
  if (known !== undefined) return known;
  const definition = read(source, side);
  if (!('type' in definition)) readBefore.set(source, definition);
  return definition;
}

function read(source: JsonObject, side: 'new' | 'old'): Definition | Problem {
  try {
    return readDefinition(source);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { type: 'Decode', field: side, message: error.message };
  }
}

function problemsOf(
  { old, new: definition }: { readonly old: Definition | undefined; readonly new: Definition },
  traits: ServerTraits,
): Problem[] {
  const before = old && asReadBy(old, traits);
  return validate(asReadBy(definition, traits), before, traits).map(({ field, type, detail }) => ({
    field,
    type,
    message: detail === '' ? (plainDetails[type] ?? type) : detail,
  }));
}

const plainDetails: Readonly<Partial<Record<FieldErrorType, string>>> = {
  FieldValueRequired: 'required value',
  FieldValueDuplicate: 'duplicate value',
};
