/** Fields grouped by their depth, in parts whose names fit into one expression. */
import { addTo } from '../../text/group.js';
import { literal } from './expressions.js';
import type { Field } from './use.js';

/** Fields of one depth, which one expression looks up. */
export interface Layer {
  readonly id: number;
  readonly above?: Layer;
  /** Fields that are found by name, then items of lists, then values of maps. */
  readonly fields: readonly Field[];
  readonly parents: readonly number[];
  readonly children: Layer[];
  /** For each field, the declared names that are not pinned; undefined if all are pinned. */
  readonly otherNames: readonly (readonly string[])[] | undefined;
}

/** In characters. An API server takes expressions of 100,000. */
export const longestExpression = 50_000;
/** An API server takes time for a loop that grows with the square of its length. */
const mostInLayer = 1_000;

/** @param fields parents before their children, the first of them the whole object */
export function layersOf(fields: readonly Field[]): Layer[] {
  const children = new Map<Field | undefined, Field[]>();
  for (const field of fields) addTo(children, field.parent, field);
  const layers: Layer[] = [];
  const add = (part: Pick<Layer, 'above' | 'fields' | 'parents'>): void => {
    const others = part.fields.map((field) => otherNames(field, children.get(field) ?? []));
    const isAny = others.some(({ length }) => length > 0);
    const layer = {
      ...part,
      id: layers.length,
      children: [],
      otherNames: isAny ? others : undefined,
    };
    part.above?.children.push(layer);
    layers.push(layer);
  };
  add({ fields: children.get(undefined) ?? [], parents: [0] });
  for (let at = 0; at < layers.length; at++) {
    const above = layers[at] as Layer;
    const below = above.fields
      .flatMap((parent, index) => (children.get(parent) ?? []).map((field) => ({ field, index })))
      .sort((one, other) => kinds.indexOf(kindOf(one.field)) - kinds.indexOf(kindOf(other.field)));
    for (const part of splitByLength(below, ({ field }) =>
      Math.max(longestExpression / mostInLayer, literal(nameOf(field)).length + 1),
    )) {
      const fields = part.map(({ field }) => field);
      add({ above, fields, parents: part.map(({ index }) => index) });
    }
  }
  return layers;
}

function otherNames({ node }: Field, pinned: readonly Field[]): string[] {
  const names = new Set(pinned.map(nameOf));
  return [...(node.properties?.keys() ?? [])].filter((name) => !names.has(name));
}

export const kinds = ['properties', 'items', 'additionalProperties'] as const;

export function kindOf({ steps }: Field): (typeof kinds)[number] {
  const step = steps.at(-1);
  return typeof step === 'object' ? step.each : 'properties';
}

export function nameOf({ steps }: Field): string {
  const step = steps.at(-1);
  return typeof step === 'string' ? step : '';
}

/** Parts that each fit into one expression; an item that is too long for that is a part of its own. */
export function splitByLength<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    left -= lengthOf(item);
    const last = parts.at(-1);
    if (last !== undefined && left >= 0) last.push(item);
    else {
      parts.push([item]);
      left = longestExpression - lengthOf(item);
    }
  }
  return parts;
}
