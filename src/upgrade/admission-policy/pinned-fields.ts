/**
 * The fields of one version as variables and validations. A variable and an expression for each field would
 * cost an API server time that grows with their square: so the fields of one depth are looked up together, and
 * each rule names those that it is about by their numbers.
 */
import { type FieldRule, fieldRules, isSet, literal, preserves } from './field-rules.js';
import type { Field, Need } from './use.js';

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

export interface Pinned {
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
  /** What is wrong in the words of rules that are too long for an expression. */
  readonly tooLong?: readonly string[];
}

/** Fields of one depth, which one expression looks up. */
interface Layer {
  readonly id: number;
  readonly above?: Layer;
  /** Those that are found by name, then items of lists, then values of maps. */
  readonly fields: readonly Field[];
  /** Of each field, the number of its parent in the layer above. */
  readonly parents: readonly number[];
}

/** In characters. An API server takes expressions of 100,000. */
const longestExpression = 50_000;
/** A rule and the numbers of its fields have to fit into one. */
const longestCondition = 20_000;

/**
 * @param fields parents before their children, the first of them the whole object
 * @param needs by the path of the field
 */
export function pinnedFields(
  definition: string,
  version: string,
  fields: readonly Field[],
  needs: ReadonlyMap<string, Need> | undefined,
): Pinned {
  const layers = layersOf(fields);
  const variables = [...rootVariables(version), ...layers.slice(1).flatMap(layerVariables)];
  const validations: Validation[] = [];
  const tooLong: string[] = [];
  const add = (terms: readonly string[], message: (path: string) => string): void => {
    for (const part of split(terms, ({ length }) => length)) {
      const expression = part.join(' + ');
      const name = `r${validations.length}`;
      variables.push({ name, expression });
      const wrong = `variables.${name}`;
      const parts = message('\u0000').split('\u0000').map(literal);
      validations.push({
        expression: `${wrong}.size() == 0`,
        message: message('…'),
        messageExpression: `${wrong}.size() == 0 ? "" : ${parts.join(` + ${wrong}[0] + `)} + (${wrong}.size() == 1 ? "" : "; and so " + string(${wrong}.size() - 1) + " more")`,
      });
    }
  };
  add(
    layers.slice(1).map(removedFrom),
    (path) =>
      `"NoExistingFieldRemoved" validation failed: crd/${definition} version/${version} field/${path} may not be removed`,
  );
  for (const [problem, terms] of refusals(layers, needs, tooLong)) {
    add(
      terms,
      (path) =>
        `"ChangeValidator" validation failed: version "${version}", field "${path}": ${problem}`,
    );
  }
  return { variables, validations, tooLong };
}

function layersOf(fields: readonly Field[]): Layer[] {
  const children = new Map<Field | undefined, Field[]>();
  for (const field of fields) {
    const list = children.get(field.parent) ?? [];
    list.push(field);
    children.set(field.parent, list);
  }
  const root: Layer = { id: 0, fields: children.get(undefined) ?? [], parents: [0] };
  const layers = [root];
  for (let at = 0; at < layers.length; at++) {
    const above = layers[at] as Layer;
    const below = above.fields
      .flatMap((parent, index) => (children.get(parent) ?? []).map((field) => ({ field, index })))
      .sort((one, other) => kinds.indexOf(kindOf(one.field)) - kinds.indexOf(kindOf(other.field)));
    for (const part of split(below, ({ field }) => literal(nameOf(field)).length + 1)) {
      layers.push({
        id: layers.length,
        above,
        fields: part.map(({ field }) => field),
        parents: part.map(({ index }) => index),
      });
    }
  }
  return layers;
}

const kinds = ['properties', 'items', 'additionalProperties'] as const;

/** The keyword that leads to a field. */
function kindOf({ steps }: Field): (typeof kinds)[number] {
  const step = steps.at(-1);
  return typeof step === 'object' ? step.each : 'properties';
}

/** An update that leaves the schema of the version alone breaks nothing. */
function rootVariables(version: string): Variable[] {
  const isVersion = `v.name == ${literal(version)} && has(v.schema) && has(v.schema.openAPIV3Schema)`;
  return [
    {
      name: 'n0',
      expression: `[object.spec.versions.filter(v, ${isVersion} && !oldObject.spec.versions.exists(o, o.name == v.name && has(o.schema) && o.schema == v.schema))].map(found, found.size() == 1 ? found[0].schema.openAPIV3Schema : null)`,
    },
    { name: 'p0', expression: '["^"]' },
  ];
}

/**
 * `i`, the numbers of the fields; `u`, those of their parents; `k`, their names; `n`, their schemas, null for
 * those that are gone or whose parents are; `p`, their paths.
 */
function layerVariables({ id, above, fields, parents }: Layer): Variable[] {
  const found = kinds.flatMap((kind) => {
    const at = fields.flatMap((field, index) => (kindOf(field) === kind ? [index] : []));
    if (at.length === 0) return [];
    const name = `variables.k${id}[i]`;
    const child = `u.${kind}`;
    const schema =
      kind === 'properties'
        ? `u != null && has(${child}) && ${name} in ${child} ? ${child}[${name}] : null`
        : // additionalProperties may be a boolean.
          `u != null && has(${child}) && type(${child}) == map ? ${child} : null`;
    return [`${literal(at)}.map(i, [${parentOf({ id, above })}].map(u, ${schema})[0])`];
  });
  const endings = fields.map((field) =>
    kindOf(field) === 'properties' ? `.${nameOf(field).replace(/\p{Cc}/gu, '?')}` : '[*]',
  );
  return [
    { name: `i${id}`, expression: literal([...fields.keys()]) },
    { name: `u${id}`, expression: literal([...parents]) },
    { name: `k${id}`, expression: literal(fields.map(nameOf)) },
    { name: `n${id}`, expression: found.join(' + ') },
    {
      name: `p${id}`,
      expression: `variables.i${id}.map(i, variables.p${above?.id}[variables.u${id}[i]] + ${literal(endings)}[i])`,
    },
  ];
}

/** The schema of the parent of the field `i`. */
function parentOf({ id, above }: Pick<Layer, 'id' | 'above'>): string {
  return `variables.n${above?.id}[variables.u${id}[i]]`;
}

function nameOf({ steps }: Field): string {
  const step = steps.at(-1);
  return typeof step === 'string' ? step : '';
}

/** The paths of the fields of a layer that are gone while their parents are not. */
function removedFrom(layer: Layer): string {
  const isKept = `u == null || ${isSet(preserves, 'u')}`;
  const isRemoved = `variables.n${layer.id}[i] == null && ![${parentOf(layer)}].exists(u, ${isKept})`;
  return `variables.i${layer.id}.filter(i, ${isRemoved}).map(i, variables.p${layer.id}[i])`;
}

/** By what is wrong, in the order of the rules: expressions for the paths of the fields of which it is so. */
function refusals(
  layers: readonly Layer[],
  needs: ReadonlyMap<string, Need> | undefined,
  tooLong: string[],
): (readonly [problem: string, terms: readonly string[]])[] {
  const problems = new Map<string, { rank: number; terms: string[] }>();
  for (const layer of layers) {
    for (const { problem, condition, rank, at } of rulesOf(layer, needs)) {
      if (condition.length > longestCondition) {
        for (const index of at) tooLong.push(`${layer.fields[index]?.path}: ${problem}`);
        continue;
      }
      const found = problems.get(problem) ?? { rank, terms: [] };
      const { id, fields } = layer;
      const list = at.length === fields.length && id > 0 ? `variables.i${id}` : literal(at);
      found.terms.push(
        `${list}.filter(i, [variables.n${id}[i]].exists(f, f != null && !(${condition}))).map(i, variables.p${id}[i])`,
      );
      problems.set(problem, found);
    }
  }
  return [...problems]
    .sort(([, one], [, other]) => one.rank - other.rank)
    .map(([problem, { terms }]) => [problem, terms]);
}

interface LayerRule extends FieldRule {
  /** Among the rules of a field. */
  readonly rank: number;
  /** The numbers of the fields that have it. */
  readonly at: number[];
}

function rulesOf(
  { fields }: Layer,
  needs: ReadonlyMap<string, Need> | undefined,
): Iterable<LayerRule> {
  const rules = new Map<string, LayerRule>();
  for (const [index, { node, path }] of fields.entries()) {
    for (const [rank, rule] of fieldRules(node, needs?.get(path)).entries()) {
      const key = `${rule.problem}\n${rule.condition}`;
      const found = rules.get(key) ?? { ...rule, rank, at: [] };
      found.at.push(index);
      rules.set(key, found);
    }
  }
  return rules.values();
}

/** In parts that stand in one expression each; what is longer by itself stands alone. */
function split<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    left -= lengthOf(item);
    const last = parts.at(-1);
    if (last !== undefined && left >= 0) last.push(item);
    else {
      parts.push([item]);
      left = longestExpression - lengthOf(item);
    }
  }
  return parts;
}
