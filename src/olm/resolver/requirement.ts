/**
 * The properties of a bundle that are dependencies, each text parsed once however many bundles have it.
 * Rule: `legacyPredicateParsers` and `legacyDependenciesToProperties` of OLM classic.
 */
import { stringifyJson, type JsonValue } from '../../text/documents/index.js';
import { readVersion, type Version } from '../../text/versions/index.js';
import type { Property as PropertyOf } from '../catalogs/index.js';
import {
  parseConstraint,
  parseRange,
  type ParsedConstraint,
  type Semantics,
} from './constraint.js';
import { ConstraintError } from './error.js';
import { decodeRecord, text, type DecodedRecord, type Shape } from './decode.js';
import { packagePredicate, type Predicate } from './predicate.js';

export type Property = PropertyOf<JsonValue>;

/** One dependency of a bundle; the same text gives the same object. */
export interface Requirement {
  readonly property: Property;
  /** From 0, of those that are read from properties; negative for one that is made of another one. */
  readonly number: number;
  /** Parsed at first use, because OLM judges only what it reaches. @throws ConstraintError */
  predicate(): Predicate;
  /** @throws ConstraintError */
  failureMessage(): string;
  /** The failure messages of a compound constraint's parts. @throws ConstraintError */
  partMessages(): readonly string[];
}

class PropertyRequirement implements Requirement {
  private parsed: ParsedConstraint | undefined;
  private error: ConstraintError | undefined;

  constructor(
    readonly property: Property,
    readonly number: number,
    private readonly semantics: Semantics,
  ) {}

  predicate(): Predicate {
    return this.parse().predicate;
  }

  failureMessage(): string {
    return this.parse().failureMessage;
  }

  partMessages(): readonly string[] {
    return this.parse().partMessages;
  }

  private parse(): ParsedConstraint {
    // Kept apart, for all of a large namespace are asked each time.
    if (this.parsed !== undefined) return this.parsed;
    if (this.error === undefined) {
      const read = parseProperty(this.property, this.semantics);
      if (!(read instanceof ConstraintError)) return (this.parsed = read);
      this.error = read;
    }
    throw this.error;
  }
}

/** A legacy dependency that OLM cannot read: it drops the whole bundle, with a line in its log. */
export class UnreadableBundleError extends Error {
  override readonly name = 'UnreadableBundleError';
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

/** An entry of a bundle's `dependencies`; other types are ignored. @throws UnreadableBundleError */
export function propertyOfDependency({ type, value }: Property): Property | undefined {
  switch (type) {
    case 'olm.gvk': {
      const record = readLegacy(value, gvkShape, type);
      const api = {
        group: text(record, 'group'),
        version: text(record, 'version'),
        kind: text(record, 'kind'),
      };
      return { type: 'olm.gvk.required', value: api };
    }
    case 'olm.package': {
      const record = readLegacy(value, legacyPackageShape, type);
      const required = {
        packageName: text(record, 'packageName'),
        versionRange: text(record, 'version'),
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

const string: Shape = { kind: 'string' };
type Struct = Shape & { kind: 'record' };

export const gvkShape: Struct = anonymous('Group', 'Version', 'Kind');
const requiredPackageShape = anonymous('PackageName', 'VersionRange');
const labelShape = anonymous('Label');
const legacyPackageShape: Struct = {
  kind: 'record',
  type: 'struct { PackageName string "json:\\"packageName\\""; VersionRange string "json:\\"version\\"" }',
  name: '',
  fields: { packageName: string, version: string },
};

/** An anonymous struct of strings whose keys are the fields' names in lower camel case. */
function anonymous(...names: readonly string[]): Struct {
  const fields = names.map((name) => [name, name.charAt(0).toLowerCase() + name.slice(1)] as const);
  const printed = fields.map(([name, key]) => `${name} string "json:\\"${key}\\""`);
  return {
    kind: 'record',
    type: `struct { ${printed.join('; ')} }`,
    name: '',
    fields: Object.fromEntries(fields.map(([, key]) => [key, string])),
  };
}

function readLegacy(value: JsonValue, shape: Struct, type: string): DecodedRecord {
  try {
    return decodeRecord(value, shape);
  } catch (error) {
    throw new UnreadableBundleError(
      `failed to unmarshal legacy '${type}' dependency: ${String(error)}`,
    );
  }
}

function parseProperty(
  property: Property,
  semantics: Semantics,
): ParsedConstraint | ConstraintError {
  try {
    return property.type === 'olm.constraint'
      ? parseConstraint(property.value, semantics)
      : { predicate: legacyPredicate(property), failureMessage: '', partMessages: [] };
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'InvalidInputError') throw error;
    return error instanceof ConstraintError ? error : new ConstraintError(error.message);
  }
}

function legacyPredicate({ type, value }: Property): Predicate {
  switch (type) {
    case 'olm.gvk.required': {
      const record = decodeRecord(value, gvkShape);
      const api = {
        group: text(record, 'group'),
        version: text(record, 'version'),
        kind: text(record, 'kind'),
      };
      return { kind: 'gvk', api };
    }
    case 'olm.package.required': {
      const record = decodeRecord(value, requiredPackageShape);
      const range = text(record, 'versionRange');
      return packagePredicate(text(record, 'packageName'), range, parseRange(range));
    }
    default:
      return { kind: 'label', label: text(decodeRecord(value, labelShape), 'label') };
  }
}

/** The same dependency, which asks for something else. */
export function asking(requirement: Requirement, predicate: Predicate): Requirement {
  return {
    property: requirement.property,
    number: -1,
    predicate: () => predicate,
    failureMessage: () => requirement.failureMessage(),
    partMessages: () => requirement.partMessages(),
  };
}
