/** Places at which no object that a schema accepts has a value: what changes there changes nothing. */
import type { SchemaKeywords, SchemaNode } from '../../../kubernetes/index.js';
import { innerOf, type Place, stepsTo } from '../pin.js';
import { conjuncts, listedValues } from '../shape.js';
import { findString, type SharedBudget } from '../../../text/regular/find-string.js';

/** Looks at each part of one schema once, however many differences ask about places in it. */
export class EmptyPlaces {
  private readonly known = new Map<SchemaNode, boolean>();

  constructor(
    private readonly root: SchemaNode,
    private readonly budget: SharedBudget,
  ) {}

  /** @param isOfValue the value at the place itself is meant, and not only what is around it */
  isEmptyAt(place: Place | undefined, isOfValue: boolean): boolean {
    const steps = stepsTo(place);
    let node = this.root;
    for (const [index, step] of steps.entries()) {
      if (index > 0 && this.isEmpty(node)) return true;
      const next = innerOf(node, step);
      if (next === undefined) return false;
      node = next;
    }
    return steps.length > 0 && isOfValue && !mayBeNull(node) && this.isEmpty(node);
  }

  private isEmpty(node: SchemaNode): boolean {
    let empty = this.known.get(node);
    if (empty === undefined) {
      this.budget.spend(1);
      this.known.set(node, (empty = this.look(node)));
    }
    return empty;
  }

  /**
   * Whether a schema accepts no value but null, as far as its own keywords show it: a list of values
   * none of which passes, a string that no pattern lets through, a required field that can hold
   * nothing, alternatives that always hold together, or what is forbidden and always so.
   */
  private look(node: SchemaNode): boolean {
    const all = conjuncts(node);
    const isListed = all.some((each) => each.enum !== undefined);
    if (isListed && !isCounted(node) && listedValues(node)?.length === 0) return true;
    switch (node.type) {
      case 'string': {
        const { minLength, maxLength, pattern, format } = node;
        // A format lets lists pass, of which nothing else is asked.
        if (format !== '') return false;
        if (pattern === '') return (minLength ?? 0) > (maxLength ?? Infinity);
        return (
          findString({ matches: [pattern], minLength, maxLength }, this.budget).kind === 'none'
        );
      }
      case 'array': {
        const { items, minItems = 0, maxItems = Infinity } = node;
        if (minItems > maxItems) return true;
        return minItems > 0 && items !== undefined && !mayBeNull(items) && this.isEmpty(items);
      }
      case 'object':
        return this.isEmptyObject(node, all);
      default:
        return false;
    }
  }

  private isEmptyObject(node: SchemaNode, all: readonly SchemaNode[]): boolean {
    const required = new Set(all.flatMap((each) => each.required));
    for (const name of required) {
      const field = node.properties?.get(name);
      if (field !== undefined && !mayBeNull(field) && this.isEmpty(field)) return true;
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
}

/** Numbers that are not listed may pass for one that is. */
function isCounted({ type }: SchemaNode): boolean {
  return type === '' || type === 'integer' || type === 'number';
}

/** Whether a value beside null passes: a field's null is dropped or replaced, an item's is refused. */
function mayBeNull({ nullable, type, intOrString }: SchemaNode): boolean {
  return nullable || (type === '' && !intOrString);
}

/** Whether it asks for nothing but fields that every object has. */
function alwaysHolds(branch: SchemaNode, present: ReadonlySet<string>): boolean {
  return (Object.keys(branch) as (keyof SchemaKeywords)[]).every((keyword) => {
    const value = branch[keyword];
    if (keyword === 'required') return branch.required.every((name) => present.has(name));
    if (keyword === 'default') return false;
    return value === '' || value === false || (Array.isArray(value) && value.length === 0);
  });
}
