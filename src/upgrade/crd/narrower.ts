/** Conversion None changes the apiVersion alone, and a write prunes what the version's schema lacks. */
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';

/** Paths such as `^.spec.size` that `old` has and `next` drops, in the order of the schema. */
export function droppedFields(
  old: JsonObject | undefined,
  next: JsonObject | undefined,
): readonly string[] {
  const dropped: string[] = [];
  const pairs: [path: string, old: JsonObject, next: JsonObject][] = [];
  if (old !== undefined) pairs.push(['^', old, next ?? {}]);
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [path, before, after] = pair;
    if (before === after) continue;
    const preserves = own(after, 'x-kubernetes-preserve-unknown-fields') === true;
    if (!preserves && own(before, 'x-kubernetes-preserve-unknown-fields') === true) {
      dropped.push(`${path}.*`);
    }
    const fields = child(after, 'properties') ?? {};
    const values = child(after, 'additionalProperties');
    // `additionalProperties: true` and an embedded resource's own three fields hold whatever comes.
    const takesAny = preserves || own(after, 'additionalProperties') === true;
    const isEmbedded = own(after, 'x-kubernetes-embedded-resource') === true || path === '^';
    const further: typeof pairs = [];
    for (const [name, schema] of Object.entries(child(before, 'properties') ?? {})) {
      if (!isObject(schema) || (isEmbedded && rootFields.has(name))) continue;
      const known = child(fields, name) ?? values;
      if (known !== undefined) further.push([`${path}.${name}`, schema, known]);
      else if (!takesAny) dropped.push(`${path}.${name}`);
    }
    if (own(before, 'additionalProperties') === true && values === undefined && !takesAny) {
      dropped.push(`${path}.*`);
    }
    for (const [key, suffix] of branches) {
      const [inner, known] = [child(before, key), child(after, key)];
      if (inner === undefined) continue;
      if (known !== undefined) further.push([`${path}${suffix}`, inner, known]);
      else if (!takesAny) dropped.push(`${path}${suffix}`);
    }
    append(pairs, further.reverse());
  }
  return dropped;
}

const rootFields = new Set(['apiVersion', 'kind', 'metadata']);
const branches = [
  ['items', '[*]'],
  ['additionalProperties', '[*]'],
] as const;

function child(schema: JsonObject, key: string): JsonObject | undefined {
  const value = own(schema, key);
  return isObject(value ?? null) ? (value as JsonObject) : undefined;
}
