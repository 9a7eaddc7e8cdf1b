/**
 * What the rules of a definition cost by the estimate of servers, which bounds are missing where one
 * costs too much, and which would be enough.
 */
import { escapeName } from '../apiserver/rules/escaping.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { Definition } from './custom-resource-definition.js';
import { costlyExpressions, type CostlyExpression } from './expressions.js';
import { caretPath, keysOfField, type Keys } from './field-keys.js';
import { readOnce } from './judge.js';
import { knownMinors, newestMinor, traitsOf } from './minors.js';
import { judgeSchema, multiplies, type RuledSchema } from './open-api-schema.js';
import { ofCreate } from './requirements.js';
import {
  boundKeyword,
  noBounds,
  ruleLimit,
  saturated,
  schemaLimit,
  type Bounds,
} from './rule-costs.js';
import type { SchemaProps } from './schema-props.js';
import { child } from '../apiserver/field-error.js';
import { keyed, unsupportedIn } from './structural.js';
import { smallest } from '../../text/long-lists.js';

/** What one expression costs, or with a schema's path all of that schema. */
export interface CostEstimate {
  /** As a refusal names it. */
  readonly field: string;
  /** Minors that estimate it so. */
  readonly kubernetes: readonly string[];
  /** 2⁶⁴ − 1 for what has no bound. */
  readonly estimated: bigint;
  readonly limit: bigint;
}

/** A list, map or text whose size counts. */
export interface CostPlace {
  /** `^.spec.routes[*]` */
  readonly path: string;
  readonly keyword: 'maxItems' | 'maxProperties' | 'maxLength';
  /** What the schema says now. */
  readonly now: number | undefined;
  /** What it says in a branch of allOf, which holds for objects, but servers do not count. */
  readonly elsewhere?: number;
}

/** A bound that would be enough, together with the others beside it. */
export interface CostBound extends CostPlace {
  readonly most: number;
  /** Keys of the schema in the document, in every version that has it. */
  readonly stands: readonly Keys[];
}

export interface CostExplanation {
  /** What multiplies the cost, worst first. */
  readonly multipliedBy: readonly CostPlace[];
  /** The loosest bounds that bring it under the limit; none where no bound does. */
  readonly bounds: readonly CostBound[];
}

/** Every expression that compiles, then the sum of each schema; minors of one answer together. */
export function costsOf(source: JsonObject, minors: readonly string[]): CostEstimate[] {
  const found = new Map<string, CostEstimate & { kubernetes: string[] }>();
  const note = (field: string, minor: string, estimated: bigint, limit: bigint): void => {
    const key = `${estimated} ${field}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { field, kubernetes: [minor], estimated, limit });
    else known.kubernetes.push(minor);
  };
  for (const minor of minors) {
    for (const { path, expressions } of expressionsOf(source, minor)) {
      let total = 0n;
      for (const { field, cost } of expressions) {
        const estimated = cost(noBounds);
        total = saturated(total + estimated);
        note(field, minor, estimated, ruleLimit);
      }
      if (expressions.length > 0) note(path, minor, total, schemaLimit);
    }
  }
  return [...found.values()];
}

/** A schema of the definition, and its expressions with the schemas that they are about. */
interface CostlySchema {
  readonly path: string;
  readonly ruled: readonly RuledSchema[];
  readonly expressions: readonly (CostlyExpression & { readonly ruled: RuledSchema })[];
}

const known = new WeakMap<Definition, Map<string, readonly CostlySchema[]>>();

function expressionsOf(source: JsonObject, minor: string): readonly CostlySchema[] {
  const definition = readOnce(source, 'new', traitsOf(minor));
  if ('type' in definition) return [];
  let ofMinor = known.get(definition);
  if (ofMinor === undefined)
    known.set(definition, (ofMinor = new Map<string, readonly CostlySchema[]>()));
  let schemas = ofMinor.get(minor);
  if (schemas === undefined) ofMinor.set(minor, (schemas = findExpressions(definition, minor)));
  return schemas;
}

function findExpressions(definition: Definition, minor: string): CostlySchema[] {
  const traits = traitsOf(minor);
  const places = [
    { validation: definition.validation, at: 'spec.validation' },
    ...definition.versions.map(({ validation }, index) => ({
      validation,
      at: `spec.versions[${index}].schema`,
    })),
  ];
  return places.flatMap(({ validation, at }) => {
    const schema = validation?.schema;
    if (schema === undefined || unsupportedIn(schema) !== undefined) return [];
    const path = child(at, 'openAPIV3Schema');
    const { ruled } = judgeSchema(schema, path, ofCreate);
    const expressions = ruled.flatMap((each) =>
      costlyExpressions(each, traits).map((costly) => ({ ...costly, ruled: each })),
    );
    return [{ path, ruled, expressions }];
  });
}

/** Schemas that are looked at for one explanation, in all estimates together. */
const budget = 400_000;
const maxPlaces = 64;
/** What a schema costs is mostly what these cost. */
const mostExpensive = 8;
/** No list, map or text in a request can have more. */
const maxEver = 3 * 1024 * 1024;

/** Undefined for a field without expressions, and for what would take too long to explain. */
export function explainCost(
  source: JsonObject,
  { field, kubernetes, limit }: CostEstimate,
): CostExplanation | undefined {
  const minor = kubernetes.at(-1) ?? knownMinors[0];
  if (minor === undefined) return undefined;
  const schemas = expressionsOf(source, minor);
  const asked = schemas.flatMap(({ path, expressions }) =>
    path === field ? expressions : expressions.filter((each) => each.field === field),
  );
  if (asked.length === 0) return undefined;
  const costs = asked.map((each) => ({ ...each, now: each.cost(noBounds) }));
  costs.sort((left, right) => (left.now < right.now ? 1 : left.now > right.now ? -1 : 0));
  const worst = costs.slice(0, mostExpensive);
  const rest = costs.slice(mostExpensive).reduce((sum, { now }) => saturated(sum + now), 0n);
  const search = new Search(limit, rest, worst);
  try {
    const places = search.multipliers();
    const found = search.bounds(places);
    return {
      multipliedBy: places.flat().map((place) => placeOf(source, place)),
      bounds: [...found].map(([place, most]) => {
        const told = placeOf(source, place);
        // Objects have no more than that already: the same bound breaks none of them.
        const least = Math.min(most, told.elsewhere ?? most);
        return { ...told, most: least, stands: standsOf(source, place.path) };
      }),
    };
  } catch (error) {
    if (error instanceof TooMuchEffort) return undefined;
    throw error;
  }
}

class TooMuchEffort extends Error {}

interface Place {
  readonly schema: SchemaProps;
  readonly path: string;
}

/** Places that only count together: any list without a bound around a rule hides the others. */
type Group = readonly Place[];

class Search {
  private left = budget;

  constructor(
    private readonly limit: bigint,
    private readonly rest: bigint,
    private readonly expressions: readonly (CostlyExpression & { readonly ruled: RuledSchema })[],
  ) {}

  /** What the cost depends on, that on which it depends most first. */
  multipliers(): Group[] {
    const now = this.cost(noBounds);
    return this.candidates()
      .map((group) => ({ group, without: this.cost(this.with(group, 1)) }))
      .filter(({ without }) => without < now)
      .sort((one, other) => (one.without < other.without ? -1 : 1))
      .map(({ group }) => group);
  }

  /** One group, where one is enough; else the same number for all, as far as they are needed. */
  bounds(groups: readonly Group[]): Map<Place, number> {
    const alone = groups
      .map((group) => [group, this.most((most) => this.with(group, most))] as const)
      .filter(([, most]) => most !== undefined)
      .sort(([, one = 0], [, other = 0]) => other - one)[0];
    if (alone !== undefined) return assigned([alone[0]], alone[1] as number);
    const together = this.most((most) => this.with(groups.flat(), most));
    if (together === undefined) return new Map();
    let needed = groups;
    for (const group of [...groups].reverse()) {
      const others = needed.filter((each) => each !== group);
      if (this.cost(this.with(others.flat(), together)) <= this.limit) needed = others;
    }
    const most = this.most((each) => this.with(needed.flat(), each)) ?? together;
    return assigned(needed, most);
  }

  /** The largest number, from 1 on, under which the cost is within the limit. */
  private most(bounds: (most: number) => Bounds): number | undefined {
    const isEnough = (most: number): boolean => this.cost(bounds(most)) <= this.limit;
    if (!isEnough(1)) return undefined;
    let [low, high] = [1, maxEver];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isEnough(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Never loosens what the schema says. */
  private with(places: Group, most: number): Bounds {
    return new Map(
      places.map(({ schema }) => {
        const now = schema[boundKeyword(schema)];
        return [schema, now === undefined ? most : Math.min(now, most)] as const;
      }),
    );
  }

  private cost(bounds: Bounds): bigint {
    return this.expressions.reduce((sum, { cost, ruled }) => {
      this.left -= 1 + sizeOf(ruled.schema);
      if (this.left < 0) throw new TooMuchEffort();
      return saturated(sum + cost(bounds));
    }, this.rest);
  }

  private candidates(): Group[] {
    const around = new Set<SchemaProps>();
    const all = new Map<SchemaProps, Place>();
    for (const { ruled, text, isRule } of this.expressions) {
      for (let each = ruled.multiplier; each !== undefined && isRule; each = each.outer) {
        all.set(each.schema, each);
        if (each.schema[boundKeyword(each.schema)] === undefined) around.add(each.schema);
      }
      for (const place of mentioned(ruled.schema, ruled.path, text)) {
        if (all.size < maxPlaces) all.set(place.schema, place);
      }
    }
    const together = [...all.values()].filter(({ schema }) => around.has(schema));
    const single = [...all.values()].filter(({ schema }) => !around.has(schema));
    return [...(together.length === 0 ? [] : [together]), ...single.map((place) => [place])];
  }
}

function assigned(groups: readonly Group[], most: number): Map<Place, number> {
  return new Map(groups.flat().map((place) => [place, most]));
}

/** Lists, maps and texts that an expression can be about: those whose names stand in it. */
function* mentioned(schema: SchemaProps, path: string, text: string): Generator<Place> {
  const { items, additionalProperties, properties, type, format, intOrString } = schema;
  const isText = (type === 'string' && !hasFixedSize.has(format)) || intOrString;
  if (isText || multiplies(schema)) yield { schema, path };
  if (items?.schema !== undefined) yield* mentioned(items.schema, child(path, 'items'), text);
  if (additionalProperties?.schema !== undefined) {
    yield* mentioned(additionalProperties.schema, child(path, 'additionalProperties'), text);
  }
  for (const [name, property] of properties ?? []) {
    const isNamed = text.includes(name) || text.includes(escapeName(name) ?? name);
    if (isNamed) yield* mentioned(property, keyed(path, 'properties', name), text);
  }
}

const hasFixedSize: ReadonlySet<string> = new Set(['duration', 'date', 'date-time']);

const schemaSizes = new WeakMap<SchemaProps, number>();

/** How many schemas a schema is made of. */
function sizeOf(schema: SchemaProps): number {
  const known = schemaSizes.get(schema);
  if (known !== undefined) return known;
  const { items, additionalProperties, properties } = schema;
  let size = 1;
  for (const below of [
    items?.schema,
    additionalProperties?.schema,
    ...(properties?.values() ?? []),
  ])
    if (below !== undefined) size += sizeOf(below);
  schemaSizes.set(schema, size);
  return size;
}

function placeOf(source: JsonObject, { schema, path }: Place): CostPlace {
  const keyword = boundKeyword(schema);
  const elsewhere = boundInAllOf(schema, keyword);
  return {
    path: caretPath(keysOfField(source, path)),
    keyword,
    now: schema[keyword],
    ...(elsewhere === undefined ? {} : { elsewhere }),
  };
}

function boundInAllOf({ allOf }: SchemaProps, keyword: CostPlace['keyword']): number | undefined {
  const bounds = (allOf ?? []).flatMap((branch) =>
    [branch[keyword], boundInAllOf(branch, keyword)].filter((each) => each !== undefined),
  );
  return bounds.length === 0 ? undefined : Math.max(1, smallest(bounds));
}

/** What is said of all versions at once stands in each of them. */
function standsOf(source: JsonObject, path: string): Keys[] {
  const first = keysOfField(source, path);
  if (!path.startsWith('spec.validation.')) return [first];
  const definition = readOnce(source, 'new', traitsOf(newestMinor));
  if ('type' in definition) return [first];
  return definition.versions.map((_, index) => first.map((key, at) => (at === 2 ? index : key)));
}
