/** Rules that only ask which fields are there: few cases, so all of them are looked at. */
import type { JsonObject } from '../../../text/documents/index.js';
import {
  compileRules,
  readSchema,
  type SchemaNode,
  typeOfSchema,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import { valuesOf } from './directed.js';
import type { Budget } from '../budget.js';
import { absent, pinFields, pinValue, type Pin } from '../pin.js';
import { conjuncts, fieldOf } from '../shape.js';

const has = /\bhas\(\s*self\.([A-Za-z_]\w*)\s*\)/g;
const maxFields = 8;

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
  budget: Budget,
): Pin[] | undefined {
  const names = [...new Set([...rule.rule.matchAll(has)].map((match) => match[1] ?? ''))];
  const rest = rule.rule.replaceAll(has, '');
  if (names.length === 0 || names.length > maxFields || !/^[\s!&|()?:+<>=\d]*$/.test(rest)) {
    return undefined;
  }
  // A rule that names what it cannot see does not compile.
  if (names.some((name) => !isVisible(after.properties?.get(name)))) return undefined;
  const refuses = refusal(names, rule);
  if (refuses === undefined) return undefined;
  const required = new Set(conjuncts(before).flatMap((each) => each.required));
  const free: string[] = [];
  const fixed = new Map<string, boolean>();
  for (const name of names) {
    const [old, now] = [fieldOf(before, name), fieldOf(after, name)];
    // Rules take null for absent.
    const isNullLeft =
      now?.nullable === true && (old?.nullable === true || old?.default !== undefined);
    if (now?.default !== undefined && !isNullLeft) fixed.set(name, true);
    else if (old === undefined || now === undefined) fixed.set(name, false);
    else if (required.has(name) && old.default === undefined && !old.nullable)
      fixed.set(name, true);
    else free.push(name);
  }
  const cases: Pin[] = [];
  for (let mask = 0; mask < 2 ** free.length; mask++) {
    const given = new Map(fixed);
    for (const [index, name] of free.entries()) given.set(name, (mask & (1 << index)) !== 0);
    if (refuses(given)) cases.push(pinOf(before, after, given, free, budget));
  }
  return cases;
}

function isVisible(node: SchemaNode | undefined): boolean {
  return node !== undefined && typeOfSchema(node, node.embeddedResource) !== undefined;
}

function pinOf(
  before: SchemaNode,
  after: SchemaNode,
  given: ReadonlyMap<string, boolean>,
  free: readonly string[],
  budget: Budget,
): Pin {
  return pinFields(
    ...free.map((name): [string, Pin] => {
      const child = fieldOf(before, name);
      const [value] = child === undefined ? [] : valuesOf(child, budget, 1);
      const isNeeded = before.requires(name) || fieldOf(after, name)?.default !== undefined;
      const missing = isNeeded ? pinValue(null) : absent;
      return [name, given.get(name) === true && value !== undefined ? pinValue(value) : missing];
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
