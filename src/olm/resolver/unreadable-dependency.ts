/** Why OLM, or opm before it, could not read one entry of properties.yaml or dependencies.yaml. */
import { isObject, own } from '../../text/documents/index.js';
import {
  propertyOfDependency,
  Requirements,
  UnreadableBundleError,
  type Property,
} from './requirement.js';
import { ConstraintError } from './error.js';

/**
 * Undefined for what can be read. Constraints (`olm.constraint`) are left to the lints, which say more.
 * Rule: `legacyPredicateParsers` of OLM classic; the dependency types of operator-registry's bundle
 * validation.
 */
export function unreadableDependency(
  entry: Property,
  kind: 'property' | 'dependency',
): string | undefined {
  if (entry.type === 'olm.constraint') return undefined;
  try {
    const property = kind === 'property' ? entry : propertyOfDependency(entry);
    if (property === undefined) {
      return `there is no dependency of type ${JSON.stringify(entry.type)}; the types are olm.package, olm.gvk, olm.label and olm.constraint`;
    }
    const requirement = new Requirements('olm').of(property);
    if (requirement === undefined) return undefined;
    requirement.predicate();
    return emptyField(property);
  } catch (error) {
    if (error instanceof UnreadableBundleError || error instanceof ConstraintError) {
      return error.message;
    }
    throw error;
  }
}

function emptyField({ type, value }: Property): string | undefined {
  const fields = {
    'olm.package.required': ['packageName'],
    'olm.gvk.required': ['group', 'version', 'kind'],
    'olm.label.required': ['label'],
  } as const;
  const wanted: readonly string[] = Object.hasOwn(fields, type)
    ? fields[type as keyof typeof fields]
    : [];
  // Go's decoder matches keys without regard to case.
  const filled = isObject(value)
    ? Object.keys(value).filter((key) => (own(value, key) ?? '') !== '')
    : [];
  const given = new Set(filled.map((key) => key.toLowerCase()));
  const missing = wanted.filter((field) => !given.has(field.toLowerCase()));
  return missing.length === 0
    ? undefined
    : `the dependency names no ${missing.join(' and no ')}, so nothing can meet it`;
}
