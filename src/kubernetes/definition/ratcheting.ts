/**
 * Errors that an update tolerates because the old definition has them already. All of it is looked up in
 * the old definition as a whole, not at the same place.
 *
 * Source: ValidateCustomResourceDefinitionUpdate of
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 */
import { hasRecognizedVersion, isCaBundleValid } from './conversion.js';
import {
  hasSameSchema,
  schemasOf,
  type Definition,
  type Requirements,
} from './custom-resource-definition.js';
import { holdsUnprunedDefaults } from './defaults.js';
import type { ServerTraits } from './minors.js';
import { SchemaFacts, holds, isSame, schemaTypes } from './schema-walk.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { hasNonAtomicItems, mapListErrors } from './list-types.js';
import { isStructural } from './structural.js';

export const maxSelectableFields = 8;

export class UpdateRequirements implements Requirements {
  readonly #facts = new SchemaFacts();

  constructor(
    private readonly definition: Definition,
    private readonly old: Definition,
    private readonly stored: StoredExpressions,
    private readonly traits: ServerTraits,
  ) {}

  get recognizedReviewVersion(): boolean {
    return hasRecognizedVersion(this.old.conversion.reviewVersions);
  }

  get immutableNames(): boolean {
    return (
      this.old.status.conditions === undefined || this.old.status.conditions.has('Established')
    );
  }

  get schema(): boolean {
    const { validation, versions } = this.old;
    return (
      validation?.schema !== undefined ||
      versions.every((version) => version.validation?.schema !== undefined)
    );
  }

  get knownTypes(): boolean {
    return !this.anyHolds(({ type }) => type !== '' && !schemaTypes.has(type));
  }

  get structuralSchema(): boolean {
    return schemasOf(this.old).every((schema) => isStructural(schema, this.traits, this.#facts));
  }

  get prunedDefaults(): boolean {
    return !schemasOf(this.old).some((schema) =>
      holdsUnprunedDefaults(schema, this.traits, this.#facts),
    );
  }

  get atomicSetItems(): boolean {
    return !this.anyHolds(hasNonAtomicItems);
  }

  get mapListKeys(): boolean {
    return !this.anyHolds((schema) => mapListErrors(schema, '').length > 0);
  }

  get validCaBundle(): boolean {
    return this.traits.checksCaBundle && this.immutableNames && hadValidCaBundle(this.old);
  }

  get storedRules(): ReadonlySet<string> {
    return this.stored.rules;
  }

  get storedMessages(): ReadonlySet<string> {
    return this.stored.messages(this.traits);
  }

  hasSameSchema(version: string): boolean {
    return hasSameSchema(this.definition, this.old, version);
  }

  mayStaySelectable(version: string): boolean {
    const { definition, old, traits } = this;
    return traits.toleratesSelectableFields && hasSameTooMany(definition, old, version);
  }

  private anyHolds(isSuch: (schema: SchemaNode) => boolean): boolean {
    return schemasOf(this.old).some((schema) => holds(schema, isSuch));
  }
}

export class StoredExpressions {
  readonly #rules = new Set<string>();
  readonly #messages = new Set<string>();
  /** Rules that have a message: what older minors know a message by. */
  readonly #ruledMessages = new Set<string>();
  #isGathered = false;

  constructor(private readonly old: Definition) {}

  get rules(): ReadonlySet<string> {
    this.gather();
    return this.#rules;
  }

  messages({ knowsStoredMessages }: ServerTraits): ReadonlySet<string> {
    this.gather();
    return knowsStoredMessages ? this.#messages : this.#ruledMessages;
  }

  private gather(): void {
    if (this.#isGathered) return;
    this.#isGathered = true;
    for (const schema of schemasOf(this.old)) {
      holds(schema, ({ rules }) => {
        for (const { rule, messageExpression } of rules) {
          this.#rules.add(rule);
          if (messageExpression === '') continue;
          this.#messages.add(messageExpression);
          this.#ruledMessages.add(rule);
        }
        return false;
      });
    }
  }
}

/** No bundle counts as valid. */
function hadValidCaBundle({ conversion }: Definition): boolean {
  const { clientConfig } = conversion;
  if (clientConfig === undefined || clientConfig.caBundle.length === 0) return true;
  return isCaBundleValid(clientConfig.caBundle);
}

function hasSameTooMany(definition: Definition, old: Definition, version: string): boolean {
  const of = (from: Definition): readonly string[] | undefined =>
    (version === '' ? from : from.versions.findLast(({ name }) => name === version))
      ?.selectableFields;
  const before = of(old);
  if (before === undefined || before.length <= maxSelectableFields) return false;
  return isSame(of(definition), before);
}
