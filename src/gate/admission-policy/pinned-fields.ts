/**
 * The fields of one version as variables and validations. A variable and an expression for each field would
 * cost an API server time that grows with their square: so the fields of one depth are looked up together, and
 * each rule names those that it is about by their numbers.
 */
import { celRule, operatorRules } from './conditions.js';
import {
  hasNoSchema,
  isSet,
  literal,
  literalOf,
  preserves,
  sizeOf,
  typeOf,
} from './expressions.js';
import { type FieldRule, fieldRules, slotMark } from './field-rules.js';
import {
  kindOf,
  kinds,
  type Layer,
  layersOf,
  longestExpression,
  nameOf,
  splitByLength,
} from './layers.js';
import { stringifyJson } from '../../text/documents/index.js';
import { sum } from '../../text/long-lists.js';
import { samplesBudget } from './text-samples.js';
import type { Field, Need } from './use.js';

interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** Lists that several expressions name, each written once, as a variable: an API server reads expressions slowly. */
class Constants {
  private readonly names = new Map<string, string>();

  /** @param variables where they are added */
  constructor(private readonly variables: Variable[]) {}

  /** How an expression names the list. @param expression a literal */
  nameOf(expression: string): string {
    if (expression.length <= 'variables.c100'.length) return expression;
    const known = this.names.get(expression);
    if (known !== undefined) return known;
    const name = `c${this.names.size}`;
    this.variables.push({ name, expression });
    this.names.set(expression, `variables.${name}`);
    return `variables.${name}`;
  }
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression?: string;
}

export interface Pinned {
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
}

interface PinnedFields extends Pinned {
  /** How many fields are left out, which would cost an API server too much or have too long a name. */
  readonly left: number;
  /** Rules that are left out, because no policy can say them or they are too long: the field, and what the rule says. */
  readonly unsaid: readonly string[];
}

/** A value of a rule, or a name. An API server takes expressions of 100,000 characters. */
const longestText = 20_000;
/** In bytes, because etcd takes objects of 1.5 MB: in all, of fields, and of fields of one depth that are not pinned. */
const mostText = { all: 1_000_000, names: 500_000, otherNames: 100_000 };
/** In units of CEL. An API server ends an expression at a million. */
const mostInExpression = 500_000;
/** The cost of a rule for each of its fields, whether it is broken or not. */
const costOfRule = 60;

interface PinOptions {
  readonly definition: string;
  /** Parents before their children, the first of them the whole object. */
  readonly fields: readonly Field[];
  /** By the path of the field. */
  readonly needs: ReadonlyMap<string, Need> | undefined;
  /** For one update, in units of CEL. */
  readonly mostCost: number;
}

/** They are compared with the version that the variable `reader` names. */
export function pinnedFields({ definition, needs, ...options }: PinOptions): PinnedFields {
  const { rules, namesLength } = affordableRules({ needs, ...options });
  const fields = [...rules.keys()];
  const layers = layersOf(fields);
  const unsaid: string[] = [];
  const variables: Variable[] = [
    {
      name: 'n0',
      expression:
        '[object.spec.versions.filter(v, v.name == variables.reader)].map(found, found.size() == 1 ? found[0].schema.openAPIV3Schema : null)',
    },
    { name: 'p0', expression: '["^"]' },
    ...layers.flatMap((layer) => [
      ...(layer.above === undefined ? [] : layerVariables(layer)),
      ...otherNames(layer, unsaid),
    ]),
  ];
  const validations: Validation[] = [];
  const add = (
    terms: readonly Term[],
    message: (version: string, path: string) => string,
  ): void => {
    const share = longestExpression / mostInExpression;
    for (const part of splitByLength(terms, ({ text, cost }) =>
      Math.max(text.length, cost * share),
    )) {
      const expression = joined(part.map(({ text }) => text));
      const name = `r${validations.length}`;
      variables.push({ name, expression });
      const wrong = `variables.${name}`;
      const [start = '', middle = '', end = ''] = message('\u0000', '\u0000')
        .split('\u0000')
        .map(literal);
      const count = `${wrong}.map(g, g.size()).sum()`;
      const more = `(${count} == 1 ? "" : "; and so " + string(${count} - 1) + " more")`;
      validations.push({
        expression: `${wrong}.all(g, g.size() == 0)`,
        message: message('…', '…'),
        messageExpression: `${wrong}.filter(g, g.size() > 0).map(g, ${start} + variables.reader + ${middle} + g[0] + ${end} + ${more})[0]`,
      });
    }
  };
  add(
    layers.slice(1).map(removedFrom),
    (version, path) =>
      `"NoExistingFieldRemoved" validation failed: crd/${definition} version/${version} field/${path} may not be removed`,
  );
  const room = { left: mostText.all - namesLength };
  for (const [problem, terms] of refusals(layers, rules, new Constants(variables), {
    room,
    unsaid,
  })) {
    add(
      terms,
      (version, path) =>
        `"ChangeValidator" validation failed: version "${version}", field "${path}": ${problem}`,
    );
  }
  return { variables, validations, left: options.fields.length - fields.length, unsaid };
}

/** A list of lists of the paths of fields. */
interface Term {
  readonly text: string;
  readonly cost: number;
}

type Rules = ReadonlyMap<Field, readonly FieldRule[]>;

/** The outer fields first; none without its parent. */
function affordableRules({ fields, needs, mostCost }: Omit<PinOptions, 'definition'>): {
  readonly rules: Rules;
  readonly namesLength: number;
} {
  const rules = new Map<Field, readonly FieldRule[]>();
  const samples = samplesBudget();
  let spent = 0;
  let namesLength = 0;
  for (const field of fields) {
    if (field.parent !== undefined && !rules.has(field.parent)) continue;
    const size = 2 * sizeOf(literal(nameOf(field)));
    if (size > longestText || namesLength + size > mostText.names) continue;
    const own = fieldRules(field.node, needs?.get(field.path), samples);
    // Two more look at the fields below.
    const cost = (own.length + 2) * costOfRule + sum(own.map((rule) => costIn(rule)));
    if (spent + cost > mostCost) continue;
    spent += cost;
    namesLength += size;
    rules.set(field, own);
  }
  return { rules, namesLength };
}

function costIn({ cost = 0 }: FieldRule): number {
  return cost > mostInExpression ? 0 : cost;
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
    return [`${stringifyJson(at)}.map(i, [${parentOf({ id, above })}].map(u, ${schema})[0])`];
  });
  const names = fields.map(nameOf);
  const isPlain = fields.every(
    (field, index) => kindOf(field) !== 'properties' || /^\P{C}+$/u.test(names[index] ?? ''),
  );
  // A message is one line.
  const endings = fields.map((field, index) =>
    kindOf(field) === 'properties' ? `.${names[index]?.replace(/\p{C}/gu, '?')}` : '[*]',
  );
  const ending = isPlain
    ? `(variables.k${id}[i] == "" ? "[*]" : "." + variables.k${id}[i])`
    : `${listOf(endings)}[i]`;
  return [
    { name: `i${id}`, expression: stringifyJson([...fields.keys()]) },
    { name: `g${id}`, expression: stringifyJson(groupsOf([...fields.keys()])) },
    { name: `u${id}`, expression: stringifyJson([...parents]) },
    { name: `k${id}`, expression: listOf(names) },
    { name: `n${id}`, expression: found.join(' + ') },
    {
      name: `p${id}`,
      expression: `variables.i${id}.map(i, variables.p${above?.id}[variables.u${id}[i]] + ${ending})`,
    },
  ];
}

function otherNames({ id, otherNames: names, fields }: Layer, unsaid: string[]): Variable[] {
  if (names === undefined) return [];
  const variables: Variable[] = [];
  const add = (expression: string): string => {
    const name = `f${id}x${variables.length}`;
    variables.push({ name, expression });
    return `variables.${name}`;
  };
  let size = 0;
  const texts = names.map((own, at) => {
    const known = own.filter((each) => (size += sizeOf(literal(each))) <= mostText.otherNames);
    if (known.length < own.length) {
      unsaid.push(`${fields[at]?.path}: which of its fields are new, for rules in CEL`);
    }
    const parts = splitByLength(known, (each) => literal(each).length + 1).map(listOf);
    return parts.length > 1 ? joined(parts.map(add)) : (parts[0] ?? '[]');
  });
  const lists = splitByLength(texts, ({ length }) => length + 1);
  const all = joined(lists.map((part) => add(`[${part.join(',')}]`)));
  return [...variables, { name: `f${id}`, expression: all }];
}

function listOf(texts: readonly string[]): string {
  return `[${texts.map(literal).join(',')}]`;
}

function parentOf({ id, above }: Pick<Layer, 'id' | 'above'>): string {
  return `variables.n${above?.id}[variables.u${id}[i]]`;
}

/** The paths of the fields of a layer that are gone while their parents are not. */
function removedFrom(layer: Layer): Term {
  const isKept = `u == null || (${isSet(preserves, 'u')} && ${hasNoSchema('u')})`;
  const isRemoved = `variables.n${layer.id}[i] == null && ![${parentOf(layer)}].exists(u, ${isKept})`;
  const text = pathsWhere(layer, `variables.g${layer.id}`, isRemoved);
  return { text, cost: costOfRule * layer.fields.length };
}

/** By what is wrong, in the order of the rules: expressions for the paths of the fields of which it is so. */
function refusals(
  layers: readonly Layer[],
  rules: Rules,
  constants: Constants,
  { room, unsaid }: { readonly room: { left: number }; readonly unsaid: string[] },
): (readonly [problem: string, terms: readonly Term[]])[] {
  const problems = new Map<string, { rank: number; terms: Term[] }>();
  for (const layer of layers) {
    for (const rule of rulesOf(layer, rules)) {
      const { problem, rank } = rule;
      const found = problems.get(problem) ?? { rank, terms: [] };
      for (const part of splitByLength(rule.uses, ({ texts, cost }) =>
        Math.max(texts.join('').length, cost * (longestExpression / mostInExpression)),
      )) {
        const term = termOf(layer, rule, part, constants, room);
        if (term !== undefined) found.terms.push(term);
        else for (const { at } of part) unsaid.push(`${layer.fields[at]?.path}: ${problem}`);
      }
      for (const at of rule.unwritable) unsaid.push(`${layer.fields[at]?.path}: ${problem}`);
      if (found.terms.length > 0) problems.set(problem, found);
    }
  }
  return [...problems]
    .sort(([, one], [, other]) => one.rank - other.rank)
    .map(([problem, { terms }]) => [problem, terms]);
}

/** Undefined where there is no room for it. */
function termOf(
  layer: Layer,
  { condition }: LayerRule,
  uses: readonly Use[],
  constants: Constants,
  room: { left: number },
): Term | undefined {
  const { id, fields } = layer;
  const numbers = uses.map(({ at }) => at);
  const columns = (uses[0]?.texts ?? []).map((first, slot) =>
    uses.every(({ texts }) => texts[slot] === first) ? first : columnOf(uses, slot),
  );
  const groups = uses.length === fields.length && id > 0 ? '' : stringifyJson(groupsOf(numbers));
  const length = condition.length + sum([...columns, groups].map(sizeOf));
  if (condition.length > longestText || length > room.left) return undefined;
  room.left -= length;
  let written = condition;
  for (const [slot, column] of columns.entries()) {
    const isShared = column === uses[0]?.texts[slot];
    const name = constants.nameOf(column);
    written = written.replaceAll(slotMark(slot), () => (isShared ? name : `${name}[i]`));
  }
  const list = groups === '' ? `variables.g${id}` : constants.nameOf(groups);
  const isRefused = `[variables.n${id}[i]].exists(f, f != null && !(${written}))`;
  return { text: pathsWhere(layer, list, isRefused), cost: sum(uses.map(({ cost }) => cost)) };
}

/** The slot's value for each field up to the last that has the rule; fields between get a value of the same type. */
function columnOf(uses: readonly Use[], slot: number): string {
  const texts: string[] = [];
  for (const { at, texts: own } of uses) texts[at] = own[slot] ?? '';
  const filler = uses[0]?.texts[slot] ?? '';
  const short = /^[[{"]/.exec(filler)?.[0];
  const none = short === undefined ? filler : { '[': '[]', '{': '{}', '"': '""' }[short];
  return `[${Array.from(texts, (text: string | undefined) => text ?? none).join(',')}]`;
}

function pathsWhere({ id }: Layer, groups: string, isSo: string): string {
  return `${groups}.map(g, g.filter(i, ${isSo}).map(i, variables.p${id}[i]))`;
}

/** The time that a loop takes grows with the square of its length, unless it is inside another one. */
const groupSize = 50;

function groupsOf(numbers: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(numbers.length / groupSize) }, (_, index) =>
    numbers.slice(index * groupSize, (index + 1) * groupSize),
  );
}

/** Nested in balance: CEL's parser takes no more than 250 in a row. */
function joined(lists: readonly string[]): string {
  if (lists.length < 2) return lists[0] ?? '[]';
  const middle = lists.length >> 1;
  return `(${joined(lists.slice(0, middle))} + ${joined(lists.slice(middle))})`;
}

/** A field that has a rule, and what the slots of the rule are for it. */
interface Use {
  readonly at: number;
  readonly texts: readonly string[];
  readonly cost: number;
}

interface LayerRule extends Pick<FieldRule, 'problem' | 'condition'> {
  /** Among the rules of a field. */
  readonly rank: number;
  readonly uses: Use[];
  /** The numbers of the fields for which it cannot be written. */
  readonly unwritable: number[];
}

function rulesOf(layer: Layer, rules: Rules): Iterable<LayerRule> {
  const found = new Map<string, LayerRule>();
  for (const [at, field] of layer.fields.entries()) {
    for (const [rank, rule] of [
      ...(rules.get(field) ?? []),
      celRule(field.node, layer),
      ...operatorRules(field.node, layer),
    ].entries()) {
      const { problem, condition, values, cost = 0 } = rule;
      const key = [problem, condition, ...values.map(typeOf)].join('\n');
      const same = found.get(key) ?? { problem, condition, rank, uses: [], unwritable: [] };
      found.set(key, same);
      const texts = values.map((value) => literalOf(value) ?? '');
      const isTooLong = texts.some(({ length }) => length === 0 || length > longestText);
      if (isTooLong || cost > mostInExpression) same.unwritable.push(at);
      else same.uses.push({ at, texts, cost: costOfRule + cost });
    }
  }
  return found.values();
}
