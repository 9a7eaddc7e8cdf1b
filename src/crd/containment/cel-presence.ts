/** Rules that only ask which fields are there: few cases, so all of them are looked at. */
import type { JsonObject } from '../../documents/index.js';
import { compileRules } from '../objects/cel/compile-rules.js';
import { readSchema, type SchemaNode, type ValidationRule } from '../objects/schema.js';
import { valuesOf } from './directed.js';
import type { Effort } from './effort.js';
import { absent, pinFields, pinValue, type Pin } from './pin.js';
import { conjuncts, fieldOf } from './shape.js';

const has = /\bhas\(\s*self\.([A-Za-z_]\w*)\s*\)/g;
const mostFields = 8;

/**
 * The ways of giving and leaving out fields that the rule refuses, of those that the old schema
 * lets be; empty is a proof that the rule never refuses.
 *
 * @returns undefined for a rule that asks for more than `has(self.field)`
 */
export function presenceCases(
  before: SchemaNode,
  after: SchemaNode,
  rule: ValidationRule,
  effort: Effort,
): Pin[] | undefined {
  const names = [...new Set([...rule.rule.matchAll(has)].map((match) => match[1] ?? ''))];
  const rest = rule.rule.replaceAll(has, '');
  if (names.length === 0 || names.length > mostFields || !/^[\s!&|()?:+<>=\d]*$/.test(rest)) {
    return undefined;
  }
  const refuses = refusal(names, rule);
  if (refuses === undefined) return undefined;
  const required = new Set(conjuncts(before).flatMap((each) => each.required));
  const free: string[] = [];
  const fixed = new Map<string, boolean>();
  for (const name of names) {
    const [old, now] = [fieldOf(before, name), fieldOf(after, name)];
    if (now?.default !== undefined) fixed.set(name, true);
    else if (old === undefined || now === undefined) fixed.set(name, false);
    else if (required.has(name) && old.default === undefined && !nullMayGo(old, now))
      fixed.set(name, true);
    else free.push(name);
  }
  const cases: Pin[] = [];
  for (let mask = 0; mask < 2 ** free.length; mask++) {
    const given = new Map(fixed);
    for (const [index, name] of free.entries()) given.set(name, (mask & (1 << index)) !== 0);
    if (refuses(given)) cases.push(pinOf(before, given, free, effort));
  }
  return cases;
}

/** A null that only the old schema keeps counts as present before and as absent now. */
function nullMayGo(old: SchemaNode, now: SchemaNode): boolean {
  return old.nullable && !now.nullable;
}

function pinOf(
  before: SchemaNode,
  given: ReadonlyMap<string, boolean>,
  free: readonly string[],
  effort: Effort,
): Pin {
  return pinFields(
    ...free.map((name): [string, Pin] => {
      const child = fieldOf(before, name);
      const [value] = child === undefined ? [] : valuesOf(child, effort, 1);
      return [name, given.get(name) === true && value !== undefined ? pinValue(value) : absent];
    }),
  );
}

/** The rule itself, evaluated on objects that have just these fields. */
function refusal(
  names: readonly string[],
  { rule }: ValidationRule,
): ((given: ReadonlyMap<string, boolean>) => boolean) | undefined {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  const spec = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
  const rules = compileRules(readSchema({ type: 'object', properties: { spec } }, '$'));
  if (rules === undefined) return undefined;
  return (given) => {
    const value: JsonObject = Object.fromEntries(
      names.filter((name) => given.get(name) === true).map((name) => [name, true]),
    );
    const { errors, notEvaluated } = rules.evaluate({ spec: value }, undefined, undefined);
    return errors.length > 0 || notEvaluated.length > 0;
  };
}
