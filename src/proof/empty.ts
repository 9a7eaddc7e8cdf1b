/** Places at which no object that a schema accepts has a value: what changes there changes nothing. */
import type { SchemaNode } from '../apiserver/schema.js';
import { stepsTo, type Place } from './pin.js';
import { conjuncts, fieldOf, listedValues } from './shape.js';
import { findString, type SharedBudget } from './regular/find-string.js';

/** @param isOfValue the value at the place itself is meant, and not only what is around it */
export function isEmptyAt(
  root: SchemaNode,
  place: Place | undefined,
  isOfValue: boolean,
  budget: SharedBudget,
): boolean {
  const steps = stepsTo(place);
  let node: SchemaNode = root;
  for (const [index, step] of steps.entries()) {
    if (index > 0 && isEmpty(node, budget)) return true;
    const next = step.kind === 'item' ? node.items : fieldOf(node, step.name);
    if (next === undefined) return false;
    node = next;
  }
  return steps.length > 0 && isOfValue && !mayBeNull(node) && isEmpty(node, budget);
}

/** Whether a value beside null passes: a field's null is dropped or replaced, an item's is refused. */
function mayBeNull({ nullable, type, intOrString }: SchemaNode): boolean {
  return nullable || (type === '' && !intOrString);
}

/**
 * Whether a schema accepts no value but null, as far as its own keywords show it: a list of values
 * none of which passes, a string that no pattern lets through, a required field that can hold
 * nothing, alternatives that always hold together, or what is forbidden and always so.
 */
function isEmpty(node: SchemaNode, budget: SharedBudget): boolean {
  budget.spend(1);
  const all = conjuncts(node);
  const isListed = all.some((each) => each.enum !== undefined);
  // Numbers that are not listed may pass for one that is.
  const isCounted = ['', 'integer', 'number'].includes(node.type);
  if (isListed && !isCounted && listedValues(node)?.length === 0) return true;
  switch (node.type) {
    case 'string': {
      const { minLength, maxLength, pattern } = node;
      if (pattern === '') return (minLength ?? 0) > (maxLength ?? Infinity);
      const bounds = {
        ...(minLength === undefined ? {} : { minLength }),
        ...(maxLength === undefined ? {} : { maxLength }),
      };
      return findString({ matches: [pattern], ...bounds }, budget).kind === 'none';
    }
    case 'array': {
      const { items, minItems = 0, maxItems = Infinity } = node;
      if (minItems > maxItems) return true;
      return minItems > 0 && items !== undefined && !mayBeNull(items) && isEmpty(items, budget);
    }
    case 'object':
      return isEmptyObject(node, all, budget);
    default:
      return false;
  }
}

function isEmptyObject(
  node: SchemaNode,
  all: readonly SchemaNode[],
  budget: SharedBudget,
): boolean {
  const required = new Set(all.flatMap((each) => each.required));
  for (const name of required) {
    const field = node.properties?.get(name);
    if (field !== undefined && !mayBeNull(field) && isEmpty(field, budget)) return true;
  }
  const present = new Set(required);
  for (const [name, field] of node.properties ?? []) {
    if (field.default !== undefined) present.add(name);
  }
  return all.some(
    ({ oneOf, not }) =>
      oneOf.filter((branch) => alwaysHolds(branch, present)).length > 1 ||
      (not !== undefined && alwaysHolds(not, present)),
  );
}

/** Whether it asks for nothing but fields that every object has. */
function alwaysHolds(branch: SchemaNode, present: ReadonlySet<string>): boolean {
  return (Object.keys(branch) as (keyof SchemaNode)[]).every((keyword) => {
    const value = branch[keyword];
    if (keyword === 'required') return branch.required.every((name) => present.has(name));
    if (keyword === 'default') return false;
    return value === '' || value === false || (Array.isArray(value) && value.length === 0);
  });
}
