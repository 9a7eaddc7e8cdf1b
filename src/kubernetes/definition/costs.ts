/** By the estimate of servers, with bounds that are missing where one costs too much. */
import { escapeName } from '../apiserver/rules/field-names.js';
import type { JsonObject } from '../../text/documents/index.js';
import { costlyExpressions, type CostlyExpression, type RuledSchema } from './expressions.js';
import { caretPath, keysOfField, type Keys } from './field-keys.js';
import type { DefinitionReview } from './judge.js';
import { knownMinors, newestMinor, traitsOf } from './minors.js';
import { multiplies } from './open-api-schema.js';
import {
  boundKeyword,
  noBounds,
  ruleLimit,
  saturated,
  schemaLimit,
  type Bounds,
} from './schema-walk.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { child } from '../apiserver/field-error.js';
import { keyed } from './structural.js';
import { smallest } from '../../text/long-lists.js';

export interface CostEstimate {
  readonly field: string;
  readonly kubernetes: readonly string[];
  /** 2⁶⁴ − 1 for what has no bound. */
  readonly estimated: bigint;
  readonly limit: bigint;
}

/** A list, map or text whose size counts. */
export interface CostPlace {
  readonly path: string;
  readonly keyword: 'maxItems' | 'maxProperties' | 'maxLength';
  readonly now: number | undefined;
  /** The bound in a branch of allOf, which holds for objects, but servers do not count it. */
  readonly elsewhere?: number;
}

/** A bound that would be enough, together with the others beside it. */
export interface CostBound extends CostPlace {
  readonly most: number;
  /** Keys of the schema in the document, in every version that has it. */
  readonly stands: readonly Keys[];
}

export interface CostExplanation {
  /** Lists, maps and texts that multiply the cost, worst first. */
  readonly multipliedBy: readonly CostPlace[];
  /** The loosest bounds that bring it under the limit; none where no bound does. */
  readonly bounds: readonly CostBound[];
}

/** Costs of a definition's expressions, and their causes. */
export class DefinitionCosts {
  readonly #byMinor = new Map<string, readonly CostlySchema[]>();

  constructor(private readonly review: DefinitionReview) {}

  /** Every expression that compiles, then the sum of each schema; minors of one answer together. */
  estimates(minors: readonly string[]): CostEstimate[] {
    const found = new Map<string, CostEstimate & { kubernetes: string[] }>();
    const note = (field: string, minor: string, estimated: bigint, limit: bigint): void => {
      const key = `${estimated} ${field}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { field, kubernetes: [minor], estimated, limit });
      else known.kubernetes.push(minor);
    };
    for (const minor of minors) {
      for (const { path, expressions } of this.expressions(minor)) {
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

  /**
   * Bounds are enough for all together: rules come before their schema's sum. Undefined where it takes too long.
   */
  explain(costs: readonly CostEstimate[]): (CostExplanation | undefined)[] {
    const bounds: BoundsByPath = new Map();
    const explained = costs.map((each) => {
      try {
        return this.search(each, bounds);
      } catch (error) {
        if (error instanceof RangeError) return undefined;
        throw error;
      }
    });
    const { document } = this.review;
    return explained.map((found) => {
      if (found === undefined) return undefined;
      const { places, isEnough, isOf } = found;
      const chosen = isEnough ? [...bounds.values()].filter(({ place }) => isOf(place)) : [];
      return {
        multipliedBy: places.map((place) => placeOf(document, place)),
        bounds: chosen.map(({ place, most }) => ({
          ...placeOf(document, place),
          ...{ most, stands: this.stands(place.path) },
        })),
      };
    });
  }

  /** Adds to the bounds what is wanted more. */
  private search({ field, kubernetes, limit }: CostEstimate, bounds: BoundsByPath) {
    const minor = kubernetes.at(-1) ?? knownMinors[0] ?? newestMinor;
    const asked = this.expressions(minor).flatMap(({ path, expressions }) =>
      path === field ? expressions : expressions.filter((each) => each.field === field),
    );
    if (asked.length === 0) return undefined;
    const search = new Search(limit, asked, bounds);
    const groups = search.multipliers();
    const found = search.bounds(groups);
    for (const [place, most] of found ?? []) {
      const { elsewhere = most } = placeOf(this.review.document, place);
      // Objects have no more than what allOf says: the same bound breaks none of them.
      bounds.set(place.path, { place, most: Math.min(most, elsewhere) });
    }
    const places = groups.flat();
    const paths = new Set(places.map(({ path }) => path));
    const isOf = ({ path }: Place): boolean => paths.has(path) || path.startsWith(`${field}.`);
    return { places, isEnough: found !== undefined, isOf };
  }

  private expressions(minor: string): readonly CostlySchema[] {
    let found = this.#byMinor.get(minor);
    if (found === undefined) this.#byMinor.set(minor, (found = this.findExpressions(minor)));
    return found;
  }

  private findExpressions(minor: string): CostlySchema[] {
    const traits = traitsOf(minor);
    const definition = this.review.readBy(traits);
    if (definition === undefined) return [];
    const places = [
      { validation: definition.validation, at: 'spec.validation' },
      ...definition.versions.map(({ validation }, index) => ({
        validation,
        at: `spec.versions[${index}].schema`,
      })),
    ];
    return places.flatMap(({ validation, at }) => {
      const schema = validation?.schema;
      if (schema === undefined || this.review.schemas.facts.unsupported(schema) !== undefined)
        return [];
      const { place, asNew } = this.review.schemas.at(schema, at);
      const expressions = asNew.ruled.flatMap((each) =>
        costlyExpressions(each, traits).map((costly) => ({ ...costly, ruled: each })),
      );
      return [{ path: place, expressions }];
    });
  }

  /** An error about the schema of all versions is repeated in each version. */
  private stands(path: string): Keys[] {
    const first = keysOfField(this.review.document, path);
    const definition = this.review.readBy(traitsOf(newestMinor));
    if (!path.startsWith('spec.validation.') || definition === undefined) return [first];
    return definition.versions.map((_, index) => first.map((key, at) => (at === 2 ? index : key)));
  }
}

interface CostlySchema {
  readonly path: string;
  readonly expressions: readonly (CostlyExpression & { readonly ruled: RuledSchema })[];
}

/** Schemas that are looked at for one explanation, in all estimates together. */
const budget = 400_000;
const maxPlaces = 64;
/** Most of a schema's cost comes from this many expressions. */
const mostExpensive = 8;
/** No list, map or text in a request can have more. */
const maxEver = 3 * 1024 * 1024;

interface Place {
  readonly schema: SchemaNode;
  readonly path: string;
}

/** Places that only count together: any list without a bound around a rule hides the others. */
type Group = readonly Place[];

type BoundsByPath = Map<string, { readonly place: Place; readonly most: number }>;

/** A smaller bound alone leaves little to use: the bounds of all places are reported instead. */
const usable = 64;

class Search {
  private left = budget;
  private readonly expressions: CostlySchema['expressions'];
  private readonly places: readonly Place[];
  private readonly groups: readonly Group[];
  private rest = 0n;

  /** @param known bounds that are reported anyway */
  constructor(
    private readonly limit: bigint,
    expressions: CostlySchema['expressions'],
    private readonly known: BoundsByPath,
  ) {
    const costs = expressions.map((each) => ({ each, now: each.cost(noBounds) }));
    costs.sort((left, right) => (left.now < right.now ? 1 : left.now > right.now ? -1 : 0));
    this.expressions = costs.slice(0, mostExpensive).map(({ each }) => each);
    this.groups = this.candidates();
    this.places = this.groups.flat();
    for (const { each } of costs.slice(mostExpensive)) {
      this.rest = saturated(this.rest + each.cost(this.with([], 1)));
    }
  }

  /** Sizes that the cost depends on, the most important first. */
  multipliers(): Group[] {
    const now = this.cost(noBounds);
    return this.groups
      .map((group) => ({ group, without: this.cost(boundsOf(group, 1)) }))
      .filter(({ without }) => without < now)
      .sort((one, other) => (one.without < other.without ? -1 : 1))
      .map(({ group }) => group);
  }

  /** None where the known are enough, one where that leaves something to use, else the same for all needed. */
  bounds(groups: readonly Group[]): Map<Place, number> | undefined {
    if (this.known.size > 0 && this.cost(this.with([], 1)) <= this.limit) return new Map();
    const [alone] = groups
      .map((group) => [group, this.most((most) => this.with(group, most)) ?? 0] as const)
      .sort(([, one], [, other]) => other - one);
    const together = this.most((most) => this.with(groups.flat(), most));
    if (alone === undefined || together === undefined) return undefined;
    const [group, most] = alone;
    if (most >= usable || most >= together) return assigned([group], most);
    let needed = groups;
    for (const group of [...groups].reverse()) {
      const others = needed.filter((each) => each !== group);
      if (this.cost(this.with(others.flat(), together)) <= this.limit) needed = others;
    }
    return assigned(needed, this.most((each) => this.with(needed.flat(), each)) ?? together);
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

  private with(group: Group, most: number): Bounds {
    const known = this.places.flatMap((place): [SchemaNode, number][] => {
      const bound = this.known.get(place.path);
      return bound === undefined ? [] : [[place.schema, bound.most]];
    });
    const bounds = new Map(known);
    for (const [schema, bound] of boundsOf(group, most)) {
      bounds.set(schema, Math.min(bound, bounds.get(schema) ?? bound));
    }
    return bounds;
  }

  private cost(bounds: Bounds): bigint {
    return this.expressions.reduce((sum, { cost, ruled }) => {
      this.left -= 1 + ruled.size;
      if (this.left < 0) throw new RangeError('takes too long');
      return saturated(sum + cost(bounds));
    }, this.rest);
  }

  private candidates(): Group[] {
    const around = new Set<SchemaNode>();
    const all = new Map<SchemaNode, Place>();
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

/** Never loosens what the schema says. */
function boundsOf(group: Group, most: number): Bounds {
  return new Map(
    group.map(({ schema }) => {
      const now = schema[boundKeyword(schema)];
      return [schema, now === undefined ? most : Math.min(now, most)] as const;
    }),
  );
}

function assigned(groups: readonly Group[], most: number): Map<Place, number> {
  return new Map(groups.flat().map((place) => [place, most]));
}

/** Lists, maps and texts that an expression can be about: those whose names are in it. */
function* mentioned(schema: SchemaNode, path: string, text: string): Generator<Place> {
  const { items, additionalProperties, properties, type, format, intOrString } = schema;
  const isText = (type === 'string' && !hasFixedSize.has(format)) || intOrString;
  if (isText || multiplies(schema)) yield { schema, path };
  if (items !== undefined) yield* mentioned(items, child(path, 'items'), text);
  if (additionalProperties?.schema !== undefined) {
    yield* mentioned(additionalProperties.schema, child(path, 'additionalProperties'), text);
  }
  for (const [name, property] of properties ?? []) {
    const isNamed = text.includes(name) || text.includes(escapeName(name) ?? name);
    if (isNamed) yield* mentioned(property, keyed(path, 'properties', name), text);
  }
}

const hasFixedSize: ReadonlySet<string> = new Set(['duration', 'date', 'date-time']);

function placeOf(source: JsonObject, { schema, path }: Place): CostPlace {
  const keyword = boundKeyword(schema);
  const elsewhere = boundInAllOf(schema, keyword);
  return {
    path: caretPath(keysOfField(source, path)),
    keyword,
    now: schema[keyword],
    elsewhere,
  };
}

function boundInAllOf({ allOf }: SchemaNode, keyword: CostPlace['keyword']): number | undefined {
  const bounds = allOf.flatMap((branch) =>
    [branch[keyword], boundInAllOf(branch, keyword)].filter((each) => each !== undefined),
  );
  return bounds.length === 0 ? undefined : Math.max(1, smallest(bounds));
}
