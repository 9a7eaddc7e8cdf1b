/** What the API servers of several minors say to a definition. */
import type { FieldErrorType } from '../apiserver/field-error.js';
import type { JsonObject } from '../text/documents/index.js';
import { readDefinition, schemasOf, type Definition } from './custom-resource-definition.js';
import { DecodeError } from './decode.js';
import { traitsOf, type ServerTraits } from './minors.js';
import { holds, type SchemaProps } from './schema-props.js';
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

type Problem = Pick<Refusal, 'field' | 'type' | 'message'>;

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
  const found = new Map<string, Problem & { kubernetes: string[] }>();
  for (const minor of minors) {
    const seen = new Set<string>();
    for (const problem of problemsOf(definition, old, traitsOf(minor))) {
      const key = JSON.stringify([problem.type, problem.field, problem.message]);
      if (seen.has(key)) continue;
      seen.add(key);
      const known = found.get(key);
      if (known === undefined) found.set(key, { ...problem, kubernetes: [minor] });
      else known.kubernetes.push(minor);
    }
  }
  return [...found.values()].map((problem) => ({ on, ...problem }));
}

function problemsOf(
  source: JsonObject,
  oldSource: JsonObject | undefined,
  traits: ServerTraits,
): Problem[] {
  let side: 'new' | 'old' = 'old';
  try {
    const old = oldSource === undefined ? undefined : readDefinition(oldSource, traits, 'old');
    side = 'new';
    const definition = readDefinition(source, withStoredFields(traits, old), 'new');
    return validate(definition, old, traits).map(({ field, type, detail }) => ({
      field,
      type,
      message: detail === '' ? plainDetails[type] ?? type : detail,
    }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [{ type: 'Decode', field: side, message: error.message }];
  }
}

const plainDetails: Readonly<Partial<Record<FieldErrorType, string>>> = {
  FieldValueRequired: 'required value',
  FieldValueDuplicate: 'duplicate value',
};

/** A field whose feature is off stays where the old definition has it. */
function withStoredFields(traits: ServerTraits, old: Definition | undefined): ServerTraits {
  const isStored = (schema: SchemaProps): boolean =>
    schema.rules?.some(({ optionalOldSelf }) => optionalOldSelf !== undefined) === true;
  if (traits.knowsOptionalOldSelf || old === undefined) return traits;
  const stays = schemasOf(old).some((schema) => holds(schema, isStored));
  return { ...traits, knowsOptionalOldSelf: stays };
}
