/** Values that a witness must hold at some place, while everything around it is made up. */
import { formatName, type Keys } from '../crd/schema-keys.js';
import { type SchemaKeywords, SchemaNode } from '../../kubernetes/index.js';
import { accepts, fieldOf } from './shape.js';
import type { JsonValue } from '../../text/documents/index.js';

export type Pin =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ordinary' }
  /** A value of this schema in place of the place's own; rules and required fields are obeyed as there. */
  | { readonly kind: 'within'; readonly schema: SchemaNode; readonly pin?: Pin }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Pin> }
  /** The list begins with these items; `every` is for those that follow where more are asked for. */
  | { readonly kind: 'list'; readonly items: readonly Pin[]; readonly every?: Pin };

export const absent: Pin = { kind: 'absent' };

export function pinValue(value: JsonValue): Pin {
  return { kind: 'value', value };
}

export function pinFields(...fields: readonly (readonly [string, Pin])[]): Pin {
  return { kind: 'object', fields: new Map(fields) };
}

export type Step =
  | { readonly kind: 'property'; readonly name: string }
  /** A key that is not among the declared properties. */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'item' };

export interface Place {
  readonly parent: Place | undefined;
  readonly step: Step;
}

export const ordinary: Pin = { kind: 'ordinary' };

export function pinWithin(schema: SchemaNode, bound: Partial<SchemaKeywords>): Pin {
  return { kind: 'within', schema: new SchemaNode({ ...schema, ...bound }) };
}

/** The pin for what is at `from`, or the whole object, that has `pin` at `place`; any value without one. */
export function pinAt(place: Place | undefined, pin: Pin = ordinary, from?: Place): Pin {
  let whole: Pin = pin;
  for (let at = place; at !== undefined && at !== from; at = at.parent) {
    whole =
      at.step.kind === 'item'
        ? { kind: 'list', items: [whole] }
        : { kind: 'object', fields: new Map([[at.step.name, whole]]) };
  }
  return whole;
}

export function stepsTo(place: Place | undefined): Step[] {
  const steps: Step[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

/** The schema that one step leads to; undefined where it declares none. */
export function innerOf(node: SchemaNode | undefined, step: Step): SchemaNode | undefined {
  return step.kind === 'item' ? node?.items : node && fieldOf(node, step.name);
}

/** The schemas on the way to a place, from the whole one down; they end where nothing is declared. */
export function schemasTo(root: SchemaNode, steps: readonly Step[]): SchemaNode[] {
  const way = [root];
  for (const step of steps) {
    const inner = innerOf(way.at(-1), step);
    if (inner === undefined) break;
    way.push(inner);
  }
  return way;
}

export function mergePins(first: Pin | undefined, second: Pin): Pin {
  if (first === undefined || first.kind === 'ordinary') return second;
  if (first.kind === 'within') {
    const { schema, pin } = first;
    if (second.kind === 'value') return accepts(schema, second.value) ? second : first;
    if (second.kind !== 'object' && second.kind !== 'list') return first;
    return { kind: 'within', schema, pin: mergePins(pin, second) };
  }
  if (second.kind === 'within' && (first.kind === 'object' || first.kind === 'list')) {
    return { ...second, pin: second.pin === undefined ? first : mergePins(first, second.pin) };
  }
  if (first.kind === 'object' && second.kind === 'object') {
    const fields = new Map(second.fields);
    for (const [name, pin] of first.fields) {
      const other = second.fields.get(name);
      fields.set(name, other === undefined ? pin : mergePins(pin, other));
    }
    return { kind: 'object', fields };
  }
  if (first.kind === 'list' && second.kind === 'list') {
    const length = Math.max(first.items.length, second.items.length);
    const items = Array.from({ length }, (_, index) =>
      mergePins(first.items[index] ?? first.every, second.items[index] ?? second.every ?? ordinary),
    );
    const every = second.every === undefined ? first.every : mergePins(first.every, second.every);
    return { kind: 'list', items, every };
  }
  return first;
}

/** `^.spec.a%2Eb` where a name holds a separator: no two places share a path, and prefixes are places above. */
export function formatPlace(place: Place | undefined): string {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.parent) {
    steps.push(at.step.kind === 'property' ? `.${formatName(at.step.name)}` : '[*]');
  }
  return `^${steps.reverse().join('')}`;
}

export function isWithin(inner: string, outer: string): boolean {
  return inner.startsWith(outer) && ['', '.', '['].includes(inner.charAt(outer.length));
}

export function below(place: Place | undefined, step: Step): Place {
  return { parent: place, step };
}

/** By the keys of a schema in a definition; null for one that is no field's own, under a logical operator. */
export function placeOfKeys(keys: Keys): Place | undefined | null {
  let place: Place | undefined;
  for (let index = keysOfVersion; index < keys.length; index++) {
    const keyword = keys[index];
    if (keyword === 'properties') {
      index += 1;
      place = below(place, { kind: 'property', name: String(keys[index]) });
    } else if (keyword === 'items') place = below(place, { kind: 'item' });
    else if (keyword === 'additionalProperties') place = below(place, { kind: 'key', name: 'key' });
    else return null;
  }
  return place;
}

/** spec, versions, 0, schema, openAPIV3Schema */
const keysOfVersion = 5;
