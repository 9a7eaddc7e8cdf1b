/** Rule: operator-controller v1.11.0's registryv1bundleconfig.json; `deployment-config.json` has its fields. */
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { quantityProblem } from '../../../cel/index.js';
import { cannotUnmarshal, float64Of, isNumber, jsonKind, quote } from '../../../text/go/index.js';
import { sortedKeys } from '../../../text/go/text.js';
import table from './deployment-config.json' with { type: 'json' };
import {
  fieldOf,
  grouped,
  referenced,
  wrongType,
  type Place,
  type Problem,
} from './schema-problem.js';

interface Type {
  readonly is?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
}

const types: ReadonlyMap<string, Type> = new Map(Object.entries(table));
const whole = 'SubscriptionConfig';
const integers: ReadonlyMap<string, bigint> = new Map([
  ['int32', 2n ** 31n],
  ['int64', 2n ** 63n],
]);

export function deploymentProblems(value: JsonValue): readonly Problem[] {
  return problemsOfName(value, whole, ['deploymentConfig']);
}

function problemsOfName(value: JsonValue, name: string, at: Place): readonly Problem[] {
  const { is, fields = {}, required = [] } = types.get(name) ?? {};
  if (is !== undefined) return problemsOf(value, is, at);
  if (!isObject(value)) return [wrongType(value, 'object', at)];
  const missing = required.find((key) => own(value, key) === undefined);
  return [
    ...(missing === undefined ? [] : [missingField(missing, at)]),
    ...entriesOf(value, (key) => fieldType(fields, key), at),
    // The inside of other types takes what it does not know.
    ...(name === whole ? unknownField(value, Object.keys(fields)) : []),
  ];
}

function missingField(name: string, at: Place): Problem {
  const text = (field: string): string => `required field ${field} is missing`;
  return { said: text(quote(name)), hidden: text(fieldOf([...at, name])) };
}

/** @param type `string`, `int32`, `[]T`, `{}T`, `$Name` (a reference), `&Name` (the same within allOf), `a|b` */
function problemsOf(value: JsonValue, type: string, at: Place): readonly Problem[] {
  if (type.startsWith('$')) return referenced(problemsOfName(value, type.slice(1), at));
  if (type.startsWith('&')) {
    const below = referenced(problemsOfName(value, type.slice(1), at));
    return below.length === 0 ? [] : [{ said: "'allOf' failed", below }];
  }
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [wrongType(value, 'array', at)];
    return value.flatMap((each, index) => grouped(problemsOf(each, type.slice(2), [...at, index])));
  }
  if (type.startsWith('{}')) {
    if (!isObject(value)) return [wrongType(value, 'object', at)];
    return entriesOf(value, () => type.slice(2), at);
  }
  const alternatives = type.split('|');
  if (alternatives.length > 1) {
    const each = alternatives.map((one) => problemsOf(value, one, at));
    if (each.some((problems) => problems.length === 0)) return [];
    const { said: hidden } = wrongType(value, alternatives.join(' or '), at);
    return [{ said: "'oneOf' failed, none matched", below: each.flat(), hidden }];
  }
  return isOfType(value, type) ? [] : [wrongType(value, integers.has(type) ? 'integer' : type, at)];
}

function fieldType(fields: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function entriesOf(
  object: JsonObject,
  typeOf: (key: string) => string | undefined,
  at: Place,
): Problem[] {
  return sortedKeys(object).flatMap((key) => {
    const type = typeOf(key);
    if (type === undefined) return [];
    return grouped(problemsOf(object[key] ?? null, type, [...at, key]));
  });
}

function isOfType(value: JsonValue, type: string): boolean {
  if (integers.has(type)) return isNumber(value) && Number.isInteger(float64Of(value));
  const kind = jsonKind(value);
  return (kind === 'bool' ? 'boolean' : kind) === type;
}

export function unknownField(object: JsonObject, known: readonly string[]): Problem[] {
  const first = sortedKeys(object).find((key) => !known.includes(key));
  return first === undefined ? [] : [{ said: `unknown field ${quote(first)}` }];
}

/** Why what the schema takes is no SubscriptionConfig of Go; keys are in the order of their bytes. */
export function decodeProblem(value: JsonValue): string | undefined {
  const problem = undecodable(value, `$${whole}`, { struct: whole, fields: [] });
  return problem === undefined ? undefined : `failed to unmarshal deploymentConfig: ${problem}`;
}

interface GoPlace {
  readonly struct: string;
  readonly fields: readonly string[];
}

function undecodable(value: JsonValue, type: string, at: GoPlace): string | undefined {
  if (/^[$&]/.test(type)) return undecodableObject(value, type.slice(1), at);
  if (Array.isArray(value)) return firstOf(value, (each) => undecodable(each, type.slice(2), at));
  if (isObject(value)) {
    return firstOf(sortedKeys(value), (key) => undecodable(value[key] ?? null, type.slice(2), at));
  }
  const limit = integers.get(type);
  if (limit === undefined || !isNumber(value)) return undefined;
  const number = float64Of(value);
  if (BigInt(number) >= -limit && BigInt(number) < limit) return undefined;
  return cannotUnmarshal(`number ${number}`, type, [at.struct, ...at.fields].join('.'));
}

function undecodableObject(value: JsonValue, name: string, at: GoPlace): string | undefined {
  if (name === 'Quantity') return typeof value === 'string' ? quantityProblem(value.trim()) : undefined; // prettier-ignore
  const { fields = {} } = types.get(name) ?? {};
  if (!isObject(value)) return undefined;
  return firstOf(sortedKeys(value), (key) => {
    const type = fieldType(fields, key);
    // Its sources are a struct of their own within it.
    const inner = name === 'Volume' && key !== 'name' ? ['VolumeSource', key] : [key];
    const place = { struct: name, fields: [...at.fields, ...inner] };
    return type === undefined ? undefined : undecodable(value[key] ?? null, type, place);
  });
}

function firstOf<Item>(
  items: readonly Item[],
  problemOf: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
