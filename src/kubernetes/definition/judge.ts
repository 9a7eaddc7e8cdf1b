/** What the API servers of several minors say to a definition. */
import type { FieldErrorType } from '../apiserver/field-error.js';
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
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
  const found = new Map<string, Problem & { kubernetes: string[] }>();
  minors.forEach((minor, index) => {
    const seen = new Set<string>();
    for (const problem of problemsOf(definition, old, traits[index] as ServerTraits)) {
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

const readBefore = new WeakMap<JsonObject, Definition | Problem>();
const strippedBefore = new WeakMap<JsonObject, JsonObject>();

/** As the server of a minor has it. Whoever asks more than once has the schemas compiled once. */
export function readOnce(
  source: JsonObject,
  side: 'new' | 'old',
  traits: ServerTraits,
): Definition | Problem {
  let read = readBefore.get(source);
  if (read === undefined) readBefore.set(source, (read = readSource(source, side)));
  if (!('type' in read)) return asReadBy(read, traits);
  if (traits.decodesSelectableFields) return { ...read, field: side };
  // What is wrong with a field that the API does not have, its server does not see.
  let stripped = strippedBefore.get(source);
  if (stripped === undefined) {
    strippedBefore.set(source, (stripped = withoutSelectableFields(source)));
  }
  return readOnce(stripped, side, { ...traits, decodesSelectableFields: true });
}

function withoutSelectableFields(source: JsonObject): JsonObject {
  const spec = own(source, 'spec');
  const versions = isObject(spec) ? own(spec, 'versions') : undefined;
  if (!isObject(spec) || !Array.isArray(versions)) return source;
  const stripped = versions.map((version) => {
    if (!isObject(version)) return version;
    return Object.fromEntries(
      Object.entries(version).filter(([key]) => key !== 'selectableFields'),
    );
  });
  return { ...source, spec: { ...spec, versions: stripped } };
}

function readSource(source: JsonObject, side: 'new' | 'old'): Definition | Problem {
  try {
    return readDefinition(source);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { type: 'Decode', field: side, message: error.message };
  }
}

function problemsOf(
  source: JsonObject,
  oldSource: JsonObject | undefined,
  traits: ServerTraits,
): Problem[] {
  const old = oldSource && readOnce(oldSource, 'old', traits);
  const definition = readOnce(source, 'new', traits);
  for (const side of [old, definition]) if (side !== undefined && 'type' in side) return [side];
  return validate(definition as Definition, old as Definition | undefined, traits).map(
    ({ field, type, detail }) => ({
      field,
      type,
      message: detail === '' ? (plainDetails[type] ?? type) : detail,
    }),
  );
}

const plainDetails: Readonly<Partial<Record<FieldErrorType, string>>> = {
  FieldValueRequired: 'required value',
  FieldValueDuplicate: 'duplicate value',
};
