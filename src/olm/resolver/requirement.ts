/** Requirements of bundles; each text is parsed once. Rule: `legacyPredicateParsers` and `legacyDependenciesToProperties` of OLM classic. */
import { isObject, type JsonValue, own, stringifyJson } from '../../text/documents/index.js';
import { readVersion, type Version, InvalidVersionError } from '../../text/versions/index.js';
import type { Property as PropertyOf } from '../catalogs/catalog.js';
import {
  parseConstraint,
  type ParsedConstraint,
  parseRange,
  type Semantics,
} from './constraint.js';
import { mismatch, type Shape } from '../../text/go/index.js';
import { struct, text } from '../../text/go/decode-json.js';
import { textField } from '../catalogs/properties.js';
import { packagePredicate, type Predicate, readApi } from './predicate.js';
import { attempt } from '../once.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';

export type Property = PropertyOf<JsonValue>;

/** One dependency of a bundle; the same text gives the same object. */
export interface Requirement {
  readonly property: Property;
  /** From 0, of those that are read from properties; negative for one that is made of another one. */
  readonly number: number;
  /** Parsed at first use, because OLM judges only what it reaches. @throws ResolutionError */
  read(): ParsedConstraint;
}

class PropertyRequirement implements Requirement {
  private parsed: ParsedConstraint | undefined;
  private error: ResolutionError | undefined;

  constructor(
    readonly property: Property,
    readonly number: number,
    private readonly semantics: Semantics,
  ) {}

  read(): ParsedConstraint {
    // Kept apart, for all of a large namespace are asked each time.
    if (this.parsed !== undefined) return this.parsed;
    if (this.error === undefined) {
      const read = attempt(ResolutionError, () => parseProperty(this.property, this.semantics));
      if (!(read instanceof ResolutionError)) return (this.parsed = read);
      this.error = read;
    }
    throw this.error;
  }
}

/** Property types that are dependencies; any other type is data. */
const dependencyTypes = new Set([
  'olm.constraint',
  'olm.gvk.required',
  'olm.package.required',
  'olm.label.required',
]);

export class Requirements {
  private readonly known = new Map<string, Requirement>();
  private readonly versions = new Map<string, Version | undefined>();
  private readonly names = new Map<string, string>();

  constructor(readonly semantics: Semantics) {}

  get count(): number {
    return this.known.size;
  }

  version(given: string): Version | undefined {
    if (!this.versions.has(given)) this.versions.set(given, readVersion(given));
    return this.versions.get(given);
  }

  /** One string for all bundles that have the same, so that they are compared at once. */
  name(given: string): string {
    const known = this.names.get(given);
    if (known === undefined) this.names.set(given, given);
    return known ?? given;
  }

  of(property: Property): Requirement | undefined {
    if (!dependencyTypes.has(property.type)) return undefined;
    const key = `${property.type} ${stringifyJson(property.value)}`;
    let requirement = this.known.get(key);
    if (requirement === undefined) {
      requirement = new PropertyRequirement(property, this.count, this.semantics);
      this.known.set(key, requirement);
    }
    return requirement;
  }
}

/** An entry of a bundle's `dependencies`; other types are ignored. @throws ResolutionError for one that makes OLM drop the bundle */
export function propertyOfDependency({ type, value }: Property): Property | undefined {
  switch (type) {
    case 'olm.gvk':
      demandLegacy(value, gvkShape, type);
      return { type: 'olm.gvk.required', value: { ...readApi(value) } };
    case 'olm.package': {
      demandLegacy(value, legacyPackageShape, type);
      const required = {
        packageName: textField(value, 'packageName'),
        versionRange: textField(value, 'version'),
      };
      return { type: 'olm.package.required', value: required };
    }
    case 'olm.label':
      return { type: 'olm.label.required', value };
    case 'olm.constraint':
      return { type, value };
    default:
      return undefined;
  }
}

export const gvkShape = anonymous('Group', 'Version', 'Kind');
const requiredPackageShape = anonymous('PackageName', 'VersionRange');
const labelShape = anonymous('Label');
const legacyPackageShape = withoutName(
  'struct { PackageName string "json:\\"packageName\\""; VersionRange string "json:\\"version\\"" }',
  { packageName: text, version: text },
);

/** An anonymous struct of strings whose keys are the fields' names in lower camel case. */
function anonymous(...names: readonly string[]): Shape {
  const fields = names.map((name) => [name, name.charAt(0).toLowerCase() + name.slice(1)] as const);
  const printed = fields.map(([name, key]) => `${name} string "json:\\"${key}\\""`);
  return withoutName(
    `struct { ${printed.join('; ')} }`,
    Object.fromEntries(fields.map(([, key]) => [key, text])),
  );
}

function withoutName(type: string, fields: Readonly<Record<string, Shape>>): Shape {
  return { ...struct(type, fields), name: '' } as Shape;
}

function demandLegacy(value: JsonValue, shape: Shape, type: string): void {
  const problem = mismatch(value, shape, { inOrder: true });
  if (problem === undefined) return;
  throw new ResolutionError(`failed to unmarshal legacy '${type}' dependency: ${problem}`);
}

/** @throws ResolutionError */
function parseProperty(property: Property, semantics: Semantics): ParsedConstraint {
  if (property.type === 'olm.constraint') return parseConstraint(property.value, semantics);
  const predicate = attempt(InvalidVersionError, () => legacyPredicate(property));
  if (predicate instanceof InvalidVersionError) throw new ResolutionError(predicate.message);
  return { predicate, failureMessage: '', partMessages: [] };
}

function legacyPredicate({ type, value }: Property): Predicate {
  switch (type) {
    case 'olm.gvk.required':
      demand(value, gvkShape);
      return { kind: 'gvk', api: readApi(value) };
    case 'olm.package.required': {
      demand(value, requiredPackageShape);
      const range = textField(value, 'versionRange');
      return packagePredicate(textField(value, 'packageName'), range, parseRange(range));
    }
    default:
      demand(value, labelShape);
      return { kind: 'label', label: textField(value, 'label') };
  }
}

/** @throws ResolutionError with encoding/json's text */
function demand(value: JsonValue, shape: Shape): void {
  const problem = mismatch(value, shape, { inOrder: true });
  if (problem !== undefined) throw new ResolutionError(problem);
}

/** The same dependency, which asks for something else. */
export function asking(requirement: Requirement, predicate: Predicate): Requirement {
  return { ...requirement, number: -1, read: () => ({ ...requirement.read(), predicate }) };
}

/**
 * Constraints are left to the lints. Rule: OLM's `legacyPredicateParsers`, operator-registry's bundle validation.
 */
export function unreadableDependency(
  entry: Property,
  kind: 'property' | 'dependency',
): string | undefined {
  if (entry.type === 'olm.constraint') return undefined;
  const property = attempt(ResolutionError, () =>
    kind === 'property' ? entry : propertyOfDependency(entry),
  );
  if (property instanceof ResolutionError) return property.message;
  if (property === undefined) {
    return `there is no dependency of type ${JSON.stringify(entry.type)}; the types are olm.package, olm.gvk, olm.label and olm.constraint`;
  }
  const read = attempt(ResolutionError, () => new Requirements('olm').of(property)?.read());
  if (read instanceof ResolutionError) return read.message;
  return read && emptyField(property);
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
