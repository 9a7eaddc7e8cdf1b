import type { FieldErrorType } from '../apiserver/field-error.js';
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import { asReadBy, readDefinition, type Definition } from './custom-resource-definition.js';
import { BadRequest } from '../apiserver/field-error.js';
import { KnownSchemas } from '../apiserver/known-schemas.js';
import { JudgedSchemas } from './judged-schema.js';
import { traitsOf, type ServerTraits } from './minors.js';
import { StoredExpressions } from './ratcheting.js';
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

export class DefinitionReview {
  readonly schemas = new JudgedSchemas();
  readonly #next: DecodedDefinition;
  readonly #old: DecodedDefinition | undefined;
  #stored: StoredExpressions | undefined;

  constructor(
    readonly document: JsonObject,
    old?: JsonObject,
  ) {
    const known = new KnownSchemas();
    this.#next = new DecodedDefinition(document, 'new', known);
    this.#old = old && new DecodedDefinition(old, 'old', known);
  }

  /** @throws InvalidInputError for an unknown minor, and `E_LIMIT` for a schema that is too large */
  refusals(on: Refusal['on'], minors: readonly string[]): Refusal[] {
    const found = new Map<string, Problem & { kubernetes: string[] }>();
    for (const [minor, traits] of minors.map((each) => [each, traitsOf(each)] as const)) {
      const seen = new Set<string>();
      for (const problem of this.problems(on, traits)) {
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

  readBy(traits: ServerTraits): Definition | undefined {
    const read = this.#next.readBy(traits);
    return 'type' in read ? undefined : read;
  }

  private problems(on: Refusal['on'], traits: ServerTraits): Problem[] {
    const old = on === 'update' ? this.#old?.readBy(traits) : undefined;
    if (old !== undefined && 'type' in old) return [old];
    const definition = this.#next.readBy(traits);
    if ('type' in definition) return [definition];
    this.#stored ??= old && new StoredExpressions(old);
    const known = { schemas: this.schemas, stored: this.#stored };
    return validate(definition, old, traits, known).map(({ field, type, detail }) => ({
      field,
      type,
      message: detail === '' ? (plainDetails[type] ?? type) : detail,
    }));
  }
}

class DecodedDefinition {
  #whole: Definition | Problem | undefined;
  #withoutSelectableFields: DecodedDefinition | undefined;
  /** Servers of several minors mostly read the same. */
  readonly #readings = new Map<string, Definition>();

  constructor(
    private readonly source: JsonObject,
    private readonly side: 'new' | 'old',
    private readonly known: KnownSchemas,
  ) {}

  readBy(traits: ServerTraits): Definition | Problem {
    const whole = (this.#whole ??= this.decode());
    if (!('type' in whole)) return this.reading(whole, traits);
    if (traits.decodesSelectableFields) return whole;
    // A server whose API lacks the field does not see errors in it.
    this.#withoutSelectableFields ??= new DecodedDefinition(
      withoutSelectableFields(this.source),
      this.side,
      this.known,
    );
    return this.#withoutSelectableFields.readBy({ ...traits, decodesSelectableFields: true });
  }

  private reading(whole: Definition, traits: ServerTraits): Definition {
    const key = `${traits.knowsSelectableFields} ${traits.knowsOptionalOldSelf}`;
    let reading = this.#readings.get(key);
    if (reading === undefined) this.#readings.set(key, (reading = asReadBy(whole, traits)));
    return reading;
  }

  private decode(): Definition | Problem {
    try {
      return readDefinition(this.source, this.known);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      return { type: 'Decode', field: this.side, message: error.message };
    }
  }
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

const plainDetails: Readonly<Partial<Record<FieldErrorType, string>>> = {
  FieldValueRequired: 'required value',
  FieldValueDuplicate: 'duplicate value',
};
