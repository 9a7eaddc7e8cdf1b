/**
 * The fields of one version as variables and validations. A variable and an expression for each field would
 * cost an API server time that grows with their square: so the fields of one depth are looked up together, and
 * each rule names those that it is about by their numbers.
 */
import { celRule, operatorRules } from './conditions.js';
import { Constants } from './constants.js';
import { hasNoSchema, isSet, literal, preserves } from './expressions.js';
import { type FieldRule, fieldRules } from './field-rules.js';
import { kindOf, kinds, type Layer, layersOf, nameOf, splitByLength } from './layers.js';
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
  /** Rules that are left out, as they are too long for an expression: the field, and what the rule says. */
  readonly tooLong?: readonly string[];
}

/** A rule and the numbers of its fields have to fit into one. */
const longestCondition = 20_000;

export interface PinOptions {
  readonly definition: string;
  /** Parents before their children, the first of them the whole object. */
  readonly fields: readonly Field[];
  /** By the path of the field. */
  readonly needs: ReadonlyMap<string, Need> | undefined;
}

/** They are compared with the version that the variable `reader` names. */
export function pinnedFields({ definition, fields, needs }: PinOptions): Pinned {
  const layers = layersOf(fields);
  const variables = [
    {
      name: 'n0',
      expression:
        '[object.spec.versions.filter(v, v.name == variables.reader)].map(found, found.size() == 1 ? found[0].schema.openAPIV3Schema : null)',
    },
    { name: 'p0', expression: '["^"]' },
    ...layers.flatMap((layer) => [
      ...(layer.above === undefined ? [] : layerVariables(layer)),
      ...otherNames(layer),
    ]),
  ];
  const constants = new Constants(variables);
  const validations: Validation[] = [];
  const tooLong: string[] = [];
  const add = (
    terms: readonly string[],
    message: (version: string, path: string) => string,
  ): void => {
    for (const part of splitByLength(terms, ({ length }) => length)) {
      const expression = part.join(' + ');
      const name = `r${validations.length}`;
      variables.push({ name, expression });
      const wrong = `variables.${name}`;
      const [start = '', middle = '', end = ''] = message('\u0000', '\u0000')
        .split('\u0000')
        .map(literal);
      const more = `(${wrong}.size() == 1 ? "" : "; and so " + string(${wrong}.size() - 1) + " more")`;
      validations.push({
        expression: `${wrong}.size() == 0`,
        message: message('…', '…'),
        messageExpression: `${wrong}.size() == 0 ? "" : ${start} + variables.reader + ${middle} + ${wrong}[0] + ${end} + ${more}`,
      });
    }
  };
  add(
    layers.slice(1).map(removedFrom),
    (version, path) =>
      `"NoExistingFieldRemoved" validation failed: crd/${definition} version/${version} field/${path} may not be removed`,
  );
  for (const [problem, terms] of refusals(layers, needs, constants, tooLong)) {
    add(
      terms,
      (version, path) =>
        `"ChangeValidator" validation failed: version "${version}", field "${path}": ${problem}`,
    );
  }
  return { variables, validations, tooLong };
}

/**
 * `i`, the numbers of the fields; `u`, those of their parents; `k`, their names; `n`, their schemas, null for
 * those that are gone or whose parents are; `p`, their paths; `f`, the names that they declare beside their pinned fields.
 */
function layerVariables(layer: Layer): Variable[] {
  const { id, above, fields, parents } = layer;
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
  const names = fields.map(nameOf);
  const isPlain = fields.every(
    (field, index) => kindOf(field) !== 'properties' || /^\P{Cc}+$/u.test(names[index] ?? ''),
  );
  // A message is one line.
  const endings = fields.map((field, index) =>
    kindOf(field) === 'properties' ? `.${names[index]?.replace(/\p{Cc}/gu, '?')}` : '[*]',
  );
  const ending = isPlain
    ? `(variables.k${id}[i] == "" ? "[*]" : "." + variables.k${id}[i])`
    : `${literal(endings)}[i]`;
  return [
    { name: `i${id}`, expression: literal([...fields.keys()]) },
    { name: `u${id}`, expression: literal([...parents]) },
    { name: `k${id}`, expression: literal(names) },
    { name: `n${id}`, expression: found.join(' + ') },
    {
      name: `p${id}`,
      expression: `variables.i${id}.map(i, variables.p${above?.id}[variables.u${id}[i]] + ${ending})`,
    },
  ];
}

function otherNames({ id, otherNames: names }: Layer): Variable[] {
  return names === undefined
    ? []
    : [{ name: `f${id}`, expression: literal(names.map((each) => [...each])) }];
}

/** The schema of the parent of the field `i`. */
function parentOf({ id, above }: Pick<Layer, 'id' | 'above'>): string {
  return `variables.n${above?.id}[variables.u${id}[i]]`;
}

/** The paths of the fields of a layer that are gone while their parents are not. */
function removedFrom(layer: Layer): string {
  const isKept = `u == null || (${isSet(preserves, 'u')} && ${hasNoSchema('u')})`;
  const isRemoved = `variables.n${layer.id}[i] == null && ![${parentOf(layer)}].exists(u, ${isKept})`;
  return `variables.i${layer.id}.filter(i, ${isRemoved}).map(i, variables.p${layer.id}[i])`;
}

/** By what is wrong, in the order of the rules: expressions for the paths of the fields of which it is so. */
function refusals(
  layers: readonly Layer[],
  needs: ReadonlyMap<string, Need> | undefined,
  constants: Constants,
  tooLong: string[],
): (readonly [problem: string, terms: readonly string[]])[] {
  const problems = new Map<string, { rank: number; terms: string[] }>();
  for (const layer of layers) {
    for (const { problem, condition, rank, at } of rulesOf(layer, needs, constants)) {
      if (condition.length > longestCondition) {
        for (const index of at) tooLong.push(`${layer.fields[index]?.path}: ${problem}`);
        continue;
      }
      const found = problems.get(problem) ?? { rank, terms: [] };
      const { id, fields } = layer;
      const list =
        at.length === fields.length && id > 0 ? `variables.i${id}` : constants.nameOf(at);
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
  layer: Layer,
  needs: ReadonlyMap<string, Need> | undefined,
  constants: Constants,
): Iterable<LayerRule> {
  const rules = new Map<string, LayerRule>();
  for (const [index, { node, path }] of layer.fields.entries()) {
    for (const [rank, rule] of [
      ...fieldRules(node, needs?.get(path), constants),
      celRule(node, layer),
      ...operatorRules(node, layer),
    ].entries()) {
      const key = `${rule.problem}\n${rule.condition}`;
      const found = rules.get(key) ?? { ...rule, rank, at: [] };
      found.at.push(index);
      rules.set(key, found);
    }
  }
  return rules.values();
}
