/** What a witness must hold at some place, while everything around it is made up. */
import { formatName } from '../crd/path-name.js';
import type { JsonValue } from '../../text/documents/index.js';

export type Pin =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'absent' }
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Pin> }
  /** The list begins with these items. */
  | { readonly kind: 'list'; readonly items: readonly Pin[] };

export const absent: Pin = { kind: 'absent' };

export function pinValue(value: JsonValue): Pin {
  return { kind: 'value', value };
}

export function pinFields(...fields: readonly (readonly [string, Pin])[]): Pin {
  return { kind: 'object', fields: new Map(fields) };
}

/** From a schema to one of those inside it. */
export type Step =
  | { readonly kind: 'property'; readonly name: string }
  /** A key that is not among the declared properties. */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'item' };

/** A schema's place under the root; shared tails make deep paths cheap. */
export interface Place {
  readonly parent: Place | undefined;
  readonly step: Step;
}

/** Any value that the schema takes. */
export const ordinary: Pin = { kind: 'ordinary' };

/** The pin for the whole object that has `pin` at `place`; any ordinary value without one. */
export function pinAt(place: Place | undefined, pin: Pin = ordinary): Pin {
  let whole: Pin = pin;
  for (let at = place; at !== undefined; at = at.parent) {
    whole =
      at.step.kind === 'item'
        ? { kind: 'list', items: [whole] }
        : { kind: 'object', fields: new Map([[at.step.name, whole]]) };
  }
  return whole;
}

/** From the root to the place. */
export function stepsTo(place: Place | undefined): Step[] {
  const steps: Step[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

/** Both at once; where they speak of the same place the first one counts. */
export function mergePins(first: Pin | undefined, second: Pin): Pin {
  if (first === undefined || first.kind === 'ordinary') return second;
  if (first.kind === 'object' && second.kind === 'object') {
    const fields = new Map(second.fields);
    for (const [name, pin] of first.fields) {
      const other = second.fields.get(name);
      fields.set(name, other === undefined ? pin : mergePins(pin, other));
    }
    return { kind: 'object', fields };
  }
  if (first.kind === 'list' && second.kind === 'list') {
    const more = second.items.map((pin, index) => mergePins(first.items[index], pin));
    return { kind: 'list', items: [...more, ...first.items.slice(more.length)] };
  }
  return first;
}

/**
 * `^.spec.list[*]`, as profile `olm-v1` writes paths, and `^.spec.a%2Eb` where a name holds a separator.
 * Two places never have the same path, and what stands before a `.` or `[` is a place above.
 */
export function formatPlace(place: Place | undefined): string {
  const steps: string[] = [];
  for (let at = place; at !== undefined; at = at.parent) {
    steps.push(at.step.kind === 'property' ? `.${formatName(at.step.name)}` : '[*]');
  }
  return `^${steps.reverse().join('')}`;
}

export function below(place: Place | undefined, step: Step): Place {
  return { parent: place, step };
}
