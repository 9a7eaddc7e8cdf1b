/** One schema of a definition, asked once for all minors of Kubernetes that answer alike. */
import { child, type FieldError } from '../apiserver/field-error.js';
import { Defaults } from './defaults.js';
import { type ServerTraits, SharedAnswers } from './minors.js';
import { judgeSchema, type SchemaJudgement } from './open-api-schema.js';
import { ofCreate, type Requirements } from './custom-resource-definition.js';
import { SchemaFacts } from './schema-walk.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { structuralErrors } from './structural.js';

export class JudgedSchema {
  readonly #form = new SharedAnswers<readonly FieldError[]>();
  #defaults: Defaults | undefined;
  #asNew: SchemaJudgement | undefined;

  constructor(
    readonly schema: SchemaNode,
    readonly place: string,
    private readonly facts: SchemaFacts,
  ) {}

  get unsupported(): string | undefined {
    return this.facts.unsupported(this.schema);
  }

  /** Errors that keep it from being structural; if there are none, errors in its defaults. */
  form(traits: ServerTraits, requirements: Requirements): readonly FieldError[] {
    if (this.unsupported !== undefined) return [];
    const { schema, place } = this;
    const form = this.#form.of(traits, (asked) => structuralErrors(schema, place, asked));
    if (form.length > 0) return form;
    this.#defaults ??= new Defaults(schema, place, true);
    const errors = this.#defaults.errors(traits);
    return errors.length === 0 || requirements.prunedDefaults
      ? errors
      : new Defaults(schema, place, false).errors(traits);
  }

  get asNew(): SchemaJudgement {
    return (this.#asNew ??= judgeSchema(this.schema, this.place, ofCreate, this.facts));
  }

  /** The tolerance of an update matters only where a new definition would be refused. */
  judgement(requirements: Requirements): SchemaJudgement {
    const { asNew } = this;
    if (requirements === ofCreate || asNew.errors.length === 0) return asNew;
    const { knownTypes, atomicSetItems, mapListKeys } = requirements;
    const asStored = { knownTypes, atomicSetItems, mapListKeys };
    return judgeSchema(this.schema, this.place, asStored, this.facts);
  }
}

export class JudgedSchemas {
  readonly facts = new SchemaFacts();
  /** By place: versions whose documents hold one and the same JSON object hold one schema. */
  readonly #known = new Map<string, Map<SchemaNode, JudgedSchema>>();

  /** @param path of what holds the schema */
  at(schema: SchemaNode, path: string): JudgedSchema {
    const here = this.#known.get(path) ?? new Map<SchemaNode, JudgedSchema>();
    let known = here.get(schema);
    if (known === undefined) {
      known = new JudgedSchema(schema, child(path, 'openAPIV3Schema'), this.facts);
      this.#known.set(path, here.set(schema, known));
    }
    return known;
  }
}
