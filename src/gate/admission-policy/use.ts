/** Which fields of a definition objects use, and within which bounds. */
import type { SchemaNode } from '../../kubernetes/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { float64Of, isNumber } from '../../text/go/index.js';

/** The name of a property, or the keyword that is for each item of a list or value of a map. */
export type Step = string | { readonly each: 'items' | 'additionalProperties' };

export interface Field {
  /** `^.spec.list[*].name` */
  readonly path: string;
  readonly steps: readonly Step[];
  readonly node: SchemaNode;
  readonly parent?: Field;
}

/** Limits that the values of a field need; empty where only its presence is known. */
export interface Need {
  readonly least?: number;
  readonly most?: number;
  readonly shortest?: number;
  readonly longest?: number;
  /** Values in use, among those that the schema lists. */
  readonly values?: ReadonlySet<JsonValue>;
}

/** Deeper than any definition nests. */
export const deepest = 60;

/** Fields of every object, which no definition declares. */
const given: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The whole object and every declared field, parents before their children. */
export function* fieldsOf(root: SchemaNode): Generator<Field> {
  const open: Field[] = [{ path: '^', steps: [], node: root }];
  // Taking from the front of a long list moves all of it each time.
  for (let at = 0; at < open.length; at++) {
    const field = open[at] as Field;
    yield field;
    if (field.steps.length < deepest) append(open, childrenOf(field));
  }
}

function childrenOf(parent: Field): Field[] {
  const { path, steps, node } = parent;
  const named = [...(node.properties ?? [])]
    .filter(([name]) => steps.length > 0 || !given.has(name))
    .map(([name, child]) => ({
      path: `${path}.${name}`,
      steps: [...steps, name],
      node: child,
      parent,
    }));
  const each = node.items ?? node.additionalProperties?.schema;
  return each === undefined
    ? named
    : [
        ...named,
        {
          path: `${path}[*]`,
          steps: [...steps, { each: node.items === undefined ? 'additionalProperties' : 'items' }],
          node: each,
          parent,
        },
      ];
}

/** Adds what one object uses. @param needs by the path of the field */
export function addUse(object: JsonObject, root: SchemaNode, needs: Map<string, Need>): void {
  const open: { value: JsonValue; field: Field }[] = [
    { value: object, field: { path: '^', steps: [], node: root } },
  ];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value, field } = at;
    if (field.steps.length > 0) {
      needs.set(field.path, together(needs.get(field.path) ?? {}, value, field.node));
    }
    if (field.steps.length >= deepest) continue;
    for (const child of childrenOf(field)) {
      const step = child.steps.at(-1);
      if (typeof step === 'string') {
        const below = isObject(value) ? own(value, step) : undefined;
        if (below !== undefined) open.push({ value: below, field: child });
      } else if (Array.isArray(value)) {
        for (const item of value) open.push({ value: item, field: child });
      } else if (isObject(value)) {
        for (const [key, item] of Object.entries(value)) {
          if (field.node.properties?.has(key) !== true && item !== undefined)
            open.push({ value: item, field: child });
        }
      }
    }
  }
}

function together(need: Need, value: JsonValue, node: SchemaNode): Need {
  const listed = node.enum;
  if (listed !== undefined) {
    return listed.includes(value)
      ? { ...need, values: new Set([...(need.values ?? []), value]) }
      : need;
  }
  if (isNumber(value)) {
    const number = float64Of(value);
    return {
      ...need,
      least: Math.min(need.least ?? number, number),
      most: Math.max(need.most ?? number, number),
    };
  }
  const length = lengthOf(value);
  if (length === undefined) return need;
  return {
    ...need,
    shortest: Math.min(need.shortest ?? length, length),
    longest: Math.max(need.longest ?? length, length),
  };
}

/** In characters, items or entries, as the bounds of the schema count. */
function lengthOf(value: JsonValue): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}
