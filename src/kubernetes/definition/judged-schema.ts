/** One schema of a definition, asked once for all minors of Kubernetes that answer alike. */
import { child, type FieldError } from '../apiserver/field-error.js';
import { defaultErrors } from './defaults.js';
import type { ServerTraits } from './minors.js';
import { judgeSchema, type SchemaJudgement } from './open-api-schema.js';
import { ofCreate, type Requirements } from './requirements.js';
import { SchemaFacts } from './schema-facts.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { SharedAnswers } from './shared-answers.js';
import { structuralErrors } from './structural.js';

export class JudgedSchema {
  readonly #form = new SharedAnswers<readonly FieldError[]>();
  readonly #pruned = new SharedAnswers<readonly FieldError[]>();
  #asNew: SchemaJudgement | undefined;

  constructor(
    readonly schema: SchemaNode,
    readonly place: string,
    private readonly facts: SchemaFacts,
  ) {}

  get unsupported(): string | undefined {
    return this.facts.unsupported(this.schema);
  }

  /** What keeps it from being structural; else what is wrong with its defaults. */
  form(traits: ServerTraits, requirements: Requirements): readonly FieldError[] {
    const { schema, place } = this;
    if (this.unsupported !== undefined) return [];
    const form = this.#form.of(traits, (asked) => structuralErrors(schema, place, asked));
    if (form.length > 0) return form;
    const errors = this.#pruned.of(traits, (asked) => defaultErrors(schema, place, asked, true));
    return errors.length === 0 || requirements.prunedDefaults
      ? errors
      : defaultErrors(schema, place, traits, false);
  }

  /** As part of a new definition. */
  get asNew(): SchemaJudgement {
    return (this.#asNew ??= judgeSchema(this.schema, this.place, ofCreate, this.facts));
  }

  /** What an update tolerates is looked at only where a new definition would be refused. */
  judgement(requirements: Requirements): SchemaJudgement {
    const { asNew } = this;
    if (requirements === ofCreate || asNew.errors.length === 0) return asNew;
    const { knownTypes, atomicSetItems, mapListKeys } = requirements;
    const asStored = { knownTypes, atomicSetItems, mapListKeys };
    return judgeSchema(this.schema, this.place, asStored, this.facts);
  }
}

/** The schemas of a definition, of which minors read some otherwise. */
export class JudgedSchemas {
  readonly facts = new SchemaFacts();
  readonly #known = new Map<SchemaNode, JudgedSchema>();

  /** @param path of what holds the schema */
  at(schema: SchemaNode, path: string): JudgedSchema {
    let known = this.#known.get(schema);
    if (known === undefined) {
      known = new JudgedSchema(schema, child(path, 'openAPIV3Schema'), this.facts);
      this.#known.set(schema, known);
    }
    return known;
  }
}
