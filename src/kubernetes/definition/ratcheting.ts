/**
 * What an update tolerates because the old definition has it already. All of it is asked of the old
 * definition as a whole, not of the same place.
 *
 * Source: ValidateCustomResourceDefinitionUpdate of
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
 */
import { hasRecognizedVersion, isCaBundleValid } from './conversion.js';
import { hasSameSchema, schemasOf, type Definition } from './custom-resource-definition.js';
import { holdsUnprunedDefaults } from './defaults.js';
import type { ServerTraits } from './minors.js';
import { holds, isSame, schemaTypes, type SchemaProps } from './schema-props.js';
import { hasNonAtomicItems, mapListErrors } from './list-types.js';
import { isStructural } from './structural.js';
import type { Requirements } from './requirements.js';

export const maxSelectableFields = 8;

export function ofUpdate(
  definition: Definition,
  old: Definition,
  traits: ServerTraits,
): Requirements {
  const schemas = schemasOf(old);
  const anyHolds = (isSuch: (schema: SchemaProps) => boolean): boolean =>
    schemas.some((schema) => holds(schema, isSuch));
  const isEstablished = isConditionTrue(old, 'Established');
  const { rules, messages } = expressionsOf(schemas, traits);
  return {
    recognizedReviewVersion: hasRecognizedVersion(old.conversion.reviewVersions),
    immutableNames: isEstablished,
    schema:
      old.validation?.schema !== undefined ||
      old.versions.every(({ validation }) => validation?.schema !== undefined),
    knownTypes: !anyHolds(({ type }) => type !== '' && !schemaTypes.has(type)),
    structuralSchema: schemas.every((schema) => isStructural(schema, traits)),
    prunedDefaults: !schemas.some((schema) => holdsUnprunedDefaults(schema, traits)),
    atomicSetItems: !anyHolds(hasNonAtomicItems),
    mapListKeys: !anyHolds((schema) => mapListErrors(schema, '').length > 0),
    validCaBundle: traits.checksCaBundle && isEstablished && hadValidCaBundle(old),
    storedRules: rules,
    storedMessages: messages,
    hasSameSchema: (version) => hasSameSchema(definition, old, version),
    mayStaySelectable: (version) =>
      traits.toleratesSelectableFields && hasSameTooMany(definition, old, version),
  };
}

/** A definition without conditions counts as one that its controllers have seen. */
function isConditionTrue({ status }: Definition, type: string): boolean {
  return status.conditions === undefined || status.conditions.has(type);
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

function expressionsOf(
  schemas: readonly SchemaProps[],
  traits: ServerTraits,
): { rules: ReadonlySet<string>; messages: ReadonlySet<string> } {
  const rules = new Set<string>();
  const messages = new Set<string>();
  for (const schema of schemas) {
    holds(schema, (each) => {
      for (const { rule, messageExpression } of each.rules ?? []) {
        rules.add(rule);
        if (messageExpression === '') continue;
        messages.add(traits.knowsStoredMessages ? messageExpression : rule);
      }
      return false;
    });
  }
  return { rules, messages };
}
