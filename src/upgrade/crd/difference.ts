/**
 * How two schemas differ, field by field: one walk over both at once. Where paths can meet (see
 * {@link Field}) the fields of both sides are gathered first, everywhere else schema meets schema.
 * Nothing recurses, and a field holds only a link to the one above it: schemas may nest as deep as an
 * API server reads, and the paths of all fields together may be far longer than the schemas.
 */
import { compareBytes } from '../../text/go/index.js';
import { isObject, type JsonObject } from '../../text/documents/index.js';
import { rareSchemaKeywords } from './keywords.js';
import { type Field, type Notation, placed, readFields, type SchemaPlace } from './schema.js';
import { KeywordComparison, sameLeaf, type SameValues } from './same-schema.js';
import { readSchema } from './typed-values.js';
import type { TypedText } from './typed-text.js';
import { append } from '../../text/long-lists.js';

/** Characters; the longest report on a real definition has 0.2 million. */
const maxCharacters = 2 * 1024 * 1024;
/** Characters that a finding takes beside its field's path. */
const charactersBeside = 200;

/** A field deep in a schema has a path of any length: those of all fields together may be longer than memory. */
export class PathBudget {
  private left = maxCharacters;

  inOrder<Field extends NamedField>(
    fields: readonly Field[],
  ): { readonly reported: readonly Field[]; readonly omitted: readonly Field[] } {
    const reported: Field[] = [];
    const omitted: Field[] = [];
    for (const field of fields) {
      const room = field.length + charactersBeside;
      if (room > this.left) omitted.push(field);
      else {
        this.left -= room;
        reported.push(field);
      }
    }
    reported.sort((left, right) => compareBytes(left.path, right.path));
    return { reported, omitted };
  }
}

interface Element {
  readonly keyword: 'items' | 'additionalProperties';
  /** Written as in paths. */
  readonly step: string;
  readonly schema: JsonObject;
}

interface Layout {
  readonly properties: JsonObject | undefined;
  readonly element: Element | undefined;
}

const leaf: Layout = { properties: undefined, element: undefined };

/** Nothing when several schemas may share a path, or a keyword is not what a schema has there. */
function layoutOf(schema: JsonObject, notation: Notation): Layout | undefined {
  let properties: JsonObject | undefined;
  let element: Element | undefined;
  for (const keyword in schema) {
    switch (keyword) {
      case 'properties': {
        const value = schema[keyword];
        if (value === null) break;
        if (!isObject(value) || !hasPlainNames(value)) return undefined;
        properties = value;
        break;
      }
      case 'items':
      case 'additionalProperties': {
        const value = schema[keyword];
        if (typeof value === 'boolean' || value === null) break;
        if (!isObject(value) || element !== undefined) return undefined;
        element = { keyword, step: notation[keyword], schema: value };
        break;
      }
      default:
        if (rareSchemaKeywords.has(keyword)) return undefined;
    }
  }
  if (properties === undefined) return element === undefined ? leaf : { properties, element };
  return element === undefined ? { properties, element } : undefined;
}

function hasPlainNames(properties: JsonObject): boolean {
  for (const name in properties) {
    if (name === '' || name.includes('.') || name.includes('[')) return false;
  }
  return true;
}

export interface SchemaSpot {
  readonly keys: readonly (string | number)[];
  readonly below?: SchemaPlace | undefined;
}

/** The name of a field, written on demand. */
export interface NamedField {
  readonly path: string;
  readonly length: number;
  readonly spot: SchemaSpot;
}

export interface ChangedField extends NamedField {
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Keywords that differ, `properties` and `items` apart. */
  readonly keywords: ReadonlySet<string>;
}

/** Its spot is in the old version. */
export interface RemovedField extends NamedField {
  readonly old: JsonObject;
}

export interface Differences {
  /** Unordered. */
  readonly removed: readonly RemovedField[];
  /** Unordered. */
  readonly changed: readonly ChangedField[];
}

export class GatheredFields {
  readonly #known = new Map<JsonObject, Field>();

  constructor(readonly notation: Notation) {}

  /** Their paths begin at the schema. @param above its own path, for errors */
  below(schema: JsonObject | undefined, above: () => string): Field {
    const known = schema === undefined ? undefined : this.#known.get(schema);
    if (known !== undefined) return known;
    const fields = readFields(schema, this.notation, '', above);
    if (schema !== undefined) this.#known.set(schema, fields);
    return fields;
  }
}

/** How the two sides of a comparison are read. */
interface Readings {
  readonly old: TypedText;
  readonly new: TypedText;
  readonly values: SameValues;
}

/** A version without schema has no fields. @throws InvalidInputError `E_INPUT` */
export function compareSchemas(
  old: JsonObject | undefined,
  next: JsonObject | undefined,
  gathered: GatheredFields,
  { old: oldText, new: newText, values }: Readings,
): Differences {
  const walk = new ParallelWalk(gathered, new KeywordComparison(oldText, newText, values));
  if (old !== undefined) walk.compare(old, next);
  return { removed: walk.removed, changed: walk.changed };
}

class Trail {
  readonly length: number;

  constructor(
    readonly above: Trail | undefined,
    /** The step as the path writes it. */
    readonly written: string,
    readonly oldKeyword: string,
    readonly newKeyword: string,
    readonly name?: string,
  ) {
    this.length = (above?.length ?? 0) + written.length;
  }

  get path(): string {
    const steps = [this.written];
    for (let at = this.above; at !== undefined; at = at.above) steps.push(at.written);
    return steps.reverse().join('');
  }

  keys(side: 'old' | 'new'): string[] {
    const keys = this.#key(side);
    for (let at = this.above; at !== undefined; at = at.above) append(keys, at.#key(side));
    return keys.reverse();
  }

  /** Last first; the root has none. */
  #key(side: 'old' | 'new'): string[] {
    if (this.above === undefined) return [];
    const keyword = side === 'old' ? this.oldKeyword : this.newKeyword;
    return this.name === undefined ? [keyword] : [this.name, keyword];
  }
}

/** Few of thousands of fields are ever reported, so their names are written on demand. */
class Named implements NamedField {
  #path: string | undefined;

  constructor(
    readonly trail: Trail,
    readonly side: 'old' | 'new',
    readonly field?: Field,
  ) {}

  get path(): string {
    return (this.#path ??= this.trail.path + (this.field?.path ?? ''));
  }

  get length(): number {
    return this.trail.length + (this.field?.length ?? 0);
  }

  get spot(): SchemaSpot {
    return { keys: this.trail.keys(this.side), below: this.field?.place };
  }
}

class Removed extends Named implements RemovedField {
  constructor(
    readonly old: JsonObject,
    trail: Trail,
    field?: Field,
  ) {
    super(trail, 'old', field);
  }
}

class Changed extends Named implements ChangedField {
  constructor(
    readonly old: JsonObject,
    private readonly next: JsonObject,
    readonly keywords: ReadonlySet<string>,
    trail: Trail,
    field?: Field,
  ) {
    super(trail, 'new', field);
  }

  get new(): JsonObject {
    return this.next;
  }
}

interface SchemaPair {
  readonly old: JsonObject;
  readonly new: JsonObject | undefined;
  readonly trail: Trail;
}

class ParallelWalk {
  readonly removed: RemovedField[] = [];
  readonly changed: ChangedField[] = [];
  readonly #ahead: SchemaPair[] = [];

  constructor(
    readonly gathered: GatheredFields,
    readonly keywords: KeywordComparison,
  ) {}

  compare(old: JsonObject, next: JsonObject | undefined): void {
    this.#ahead.push({ old, new: next, trail: new Trail(undefined, '^', '', '') });
    for (let pair = this.#ahead.pop(); pair !== undefined; pair = this.#ahead.pop()) {
      this.#visit(pair);
    }
  }

  #visit({ old, new: next, trail }: SchemaPair): void {
    if (next === undefined) {
      this.#gather(old, undefined, trail);
      return;
    }
    if (sameLeaf(old, next) || (old === next && this.keywords.values.same(old, next))) return;
    const left = layoutOf(old, this.gathered.notation);
    const right = layoutOf(next, this.gathered.notation);
    if (
      left === undefined ||
      right === undefined ||
      (left.properties !== undefined && right.element !== undefined) ||
      (left.element !== undefined && right.properties !== undefined)
    ) {
      this.#gather(old, next, trail);
      return;
    }
    this.#compareKeywords(old, next, trail);
    if (left.element !== undefined) this.#compareElement(left.element, right.element, trail);
    if (left.properties !== undefined) {
      this.#compareProperties(left.properties, right.properties, trail);
    }
  }

  #compareElement(old: Element, next: Element | undefined, above: Trail): void {
    const other = next?.step === old.step ? next : undefined;
    const trail = new Trail(above, old.step, old.keyword, other?.keyword ?? old.keyword);
    this.#ahead.push({ old: old.schema, new: other?.schema, trail });
  }

  #compareProperties(old: JsonObject, next: JsonObject | undefined, above: Trail): void {
    for (const name in old) {
      const isKept = next !== undefined && Object.hasOwn(next, name);
      const schema = propertyOf(old, name, above);
      const other = isKept ? propertyOf(next, name, above) : undefined;
      if (other !== undefined && sameLeaf(schema, other)) continue;
      // Names are plain here, so that they never look like a step of the notation.
      const trail = new Trail(above, `.${name}`, 'properties', 'properties', name);
      this.#ahead.push({ old: schema, new: other, trail });
    }
  }

  #compareKeywords(old: JsonObject, next: JsonObject, trail: Trail, field?: Field): void {
    try {
      const keywords = this.keywords.differing(old, next);
      if (keywords === undefined) return;
      this.changed.push(new Changed(old, next, keywords, trail, field));
    } catch (error) {
      throw placed(error, trail.path + (field?.path ?? ''));
    }
  }

  /** Compares by path: the general way, and the only one where several schemas share a path. */
  #gather(old: JsonObject, next: JsonObject | undefined, trail: Trail): void {
    if (next !== undefined && this.keywords.values.same(old, next)) return;
    const above = (): string => trail.path;
    const pending: [old: Field, other: Field | undefined][] = [
      [this.gathered.below(old, above), this.gathered.below(next, above)],
    ];
    for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
      const [oldField, newField] = pair;
      if (oldField.schema !== undefined) {
        if (newField?.schema === undefined) {
          this.removed.push(new Removed(oldField.schema, trail, oldField));
        } else {
          this.#compareKeywords(oldField.schema, newField.schema, trail, newField);
        }
      }
      for (const [step, child] of oldField.children ?? []) {
        pending.push([child, newField?.children?.get(step)]);
      }
    }
  }
}

function propertyOf(properties: JsonObject, name: string, above: Trail): JsonObject {
  const value = properties[name];
  if (isObject(value)) return value;
  try {
    return readSchema(value);
  } catch (error) {
    throw placed(error, `${above.path}.${name}`);
  }
}
