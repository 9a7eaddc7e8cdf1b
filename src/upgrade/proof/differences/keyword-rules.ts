/** Translates keywords about which fields there are, and how many, into rules. */
import {
  escapeName,
  readSchema,
  type SchemaNode,
  type ValidationRule,
} from '../../../kubernetes/index.js';
import type { JsonValue } from '../../../text/documents/index.js';
import { isResource } from '../server-managed-fields.js';
import { otherFieldsOf } from '../shape.js';
import { ruleOf } from '../values/cases/compiled.js';
import type { Pair } from './pair.js';

/** Longer lists of fields are decided by trying objects. */
const mostNames = 16;

const operators = ['allOf', 'anyOf', 'oneOf'] as const;

/** Whether `has` finds the field where validation does: they take null and defaults differently. */
function isPlain({ before, after }: Pair, name: string): boolean {
  return [before, after].every((node) => {
    const field = node.properties?.get(name);
    return field !== undefined && !field.nullable && field.default === undefined;
  });
}

/** An expression for the number of fields; undefined where it may differ from the number that validation counts. */
function countOf(pair: Pair): string | undefined {
  const names = [...(pair.before.properties?.keys() ?? [])];
  if (names.length === 0 || names.length > mostNames) return undefined;
  const isSame =
    names.length === pair.after.properties?.size && names.every((name) => isPlain(pair, name));
  const isOpen = [pair.before, pair.after].some((node) => otherFieldsOf(node) !== undefined);
  if (!isSame || isOpen || isResource(pair.before, pair.place)) return undefined;
  return sumOf(names.map((name) => hasField(name)));
}

function hasField(name: string): string | undefined {
  const identifier = escapeName(name);
  return identifier && `has(self.${identifier})`;
}

function sumOf(conditions: readonly (string | undefined)[]): string | undefined {
  if (conditions.includes(undefined)) return undefined;
  return conditions.map((each) => `(${each} ? 1 : 0)`).join(' + ');
}

/** A bound of the number of fields, or of keys of a map, as a rule. */
export function countRule(
  pair: Pair,
  side: 'minProperties' | 'maxProperties',
  bound: number | undefined,
): string | undefined {
  if (bound === undefined || !Number.isSafeInteger(bound)) return undefined;
  const [old, now] = [pair.before, pair.after].map(
    ({ additionalProperties }) => additionalProperties?.schema,
  );
  const isMap =
    (pair.before.properties ?? pair.after.properties) === undefined &&
    old !== undefined &&
    now !== undefined &&
    !old.nullable &&
    !isResource(pair.before, pair.place);
  const count = isMap ? 'size(self)' : countOf(pair);
  return count && `${count} ${side === 'minProperties' ? '>=' : '<='} ${bound}`;
}

/** Branches that only require fields, as a rule; undefined if any says more. */
export function branchesRule(
  pair: Pair,
  operator: (typeof operators)[number],
  branches: readonly SchemaNode[],
): string | undefined {
  const all = branches.map((branch) => requiredIn(pair, branch));
  if (all.length === 0 || all.length > mostNames || all.includes(undefined)) return undefined;
  if (operator === 'oneOf') {
    const count = sumOf(all);
    return count && `${count} == 1`;
  }
  return all.map((each) => `(${each})`).join(operator === 'allOf' ? ' && ' : ' || ');
}

function requiredIn(pair: Pair, branch: SchemaNode): string | undefined {
  const { required, not } = branch;
  if (not !== undefined && isWritten(branch, { not: requirement(not) }))
    return forbidden(pair, not);
  if (!isWritten(branch, requirement(branch))) return undefined;
  const fields = required.map((name) => (isPlain(pair, name) ? hasField(name) : undefined));
  if (fields.length === 0 || fields.length > mostNames || fields.includes(undefined))
    return undefined;
  return fields.join(' && ');
}

function forbidden(pair: Pair, not: SchemaNode): string | undefined {
  const said = not.not === undefined ? requiredIn(pair, not) : undefined;
  return said && `!(${said})`;
}

const requirement = ({ required }: SchemaNode): JsonValue => ({ required: [...required] });

/** Whether the schema says this and nothing else. */
function isWritten(node: SchemaNode, schema: JsonValue): boolean {
  return textOf(node) === textOf(readSchema(schema, '$'));
}

function textOf(node: SchemaNode): string {
  return JSON.stringify(Object.entries(node).filter(([, value]) => value !== undefined));
}

/** Keywords of the old schema, as rules. */
export function rulesOfKeywords(pair: Pair): readonly ValidationRule[] {
  const { before } = pair;
  const said = [
    countRule(pair, 'minProperties', before.minProperties),
    countRule(pair, 'maxProperties', before.maxProperties),
    ...operators.map((operator) => branchesRule(pair, operator, before[operator])),
    before.not && forbidden(pair, before.not),
  ];
  return said.flatMap((rule) => (rule === undefined ? [] : [ruleOf(rule)]));
}
