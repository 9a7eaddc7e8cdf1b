/** Parts with the same bytes are parsed once, and become one shared value, as in the review of an update. */
import { isAscii, randomText } from '../platform.js';
import type { JsonParts } from './gathered-parts.js';
import { isObject, type JsonValue } from './value.js';

/** How many parts of the same length are compared; the author of the text decides how many there are. */
const maxCandidates = 8;
/** How many bytes are compared, as a multiple of the text's: nested parts can make it many. */
const maxCompared = 8;

// Random for each process, so that no input contains it.
const mark = randomText(12);

const onlyBlanks = /^[ \t\r\n]*$/;

/** Parses the part that contains all others. @returns undefined if the parts cannot be parsed apart; parse the whole text then */
export function parseEqualParts(bytes: Buffer, parts: JsonParts): JsonValue | undefined {
  const { starts, ends } = parts;
  const isAlone = starts[0] === 0 && onlyBlanks.test(bytes.toString('latin1', ends[0]));
  const plan = isAlone ? planOf(bytes, parts) : undefined;
  if (plan === undefined) return undefined;
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const values = new Array<JsonValue>(starts.length);
  try {
    for (const part of plan.order) {
      const inside = plan.inside[part] ?? [];
      let from = starts[part];
      let json = '';
      for (const child of inside) {
        json += `${bytes.toString(encoding, from, starts[child])}"${mark}${child}"`;
        from = ends[child];
      }
      const value = JSON.parse(json + bytes.toString(encoding, from, ends[part])) as JsonValue;
      const put = inside.length && fill(value, (child) => values[plan.sameAs[child] ?? child]);
      // Unequal if a key is repeated, or if a part was taken for a key.
      if (put !== inside.length) return undefined;
      values[part] = value;
    }
    return values[0];
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Plan {
  readonly order: readonly number[];
  readonly inside: readonly (number[] | undefined)[];
  readonly sameAs: readonly (number | undefined)[];
}

function planOf(bytes: Buffer, parts: JsonParts): Plan | undefined {
  const { starts, ends } = parts;
  const inside = new Array<number[] | undefined>(starts.length);
  const sameAs = new Array<number | undefined>(starts.length);
  const order: number[] = [];
  const isBuilt = new Uint8Array(starts.length);
  const around: number[] = [];
  const byLength = new Map<number, number[]>();
  let left = maxCompared * bytes.length;
  for (let part = 0; part < starts.length;) {
    const [start, end] = [starts[part] as number, ends[part] as number];
    if (end < 0) return undefined;
    while (around.length > 0 && (ends[around.at(-1) as number] as number) <= start) {
      order.push(around.pop() as number);
    }
    const parent = around.at(-1);
    // The parser refuses text beside the first part.
    if (parent === undefined && part > 0) return undefined;
    if (parent !== undefined) (inside[parent] ??= []).push(part);
    const length = end - start;
    const candidates = byLength.get(length) ?? [];
    const seen = parts.sameAs[part] as number;
    const known = isBuilt[seen] === 1 ? seen : sameAs[seen];
    const same =
      known ??
      candidates.find((other) => {
        const from = starts[other] as number;
        const middle = length >> 1;
        if (bytes[from + middle] !== bytes[start + middle]) return false;
        left -= length;
        return left >= 0 && bytes.compare(bytes, from, from + length, start, end) === 0;
      });
    if (same !== undefined) {
      sameAs[part] = same;
      do part++;
      while (part < starts.length && (starts[part] as number) < end);
      continue;
    }
    if (candidates.length === 0) byLength.set(length, [part]);
    else if (candidates.length < maxCandidates) candidates.push(part);
    isBuilt[part] = 1;
    around.push(part);
    part++;
  }
  for (let part = around.pop(); part !== undefined; part = around.pop()) order.push(part);
  const isApart = new Uint8Array(starts.length);
  sameAs.forEach((same, part) => {
    if (same !== undefined) isApart[part] = isApart[same] = 1;
  });
  // Only parts that occur twice, or contain such parts, are parsed apart; others with their parent.
  const built = order.filter((part) => {
    inside[part] = inside[part]?.filter((child) => isApart[child] === 1);
    if (inside[part]?.length) isApart[part] = 1;
    return part === 0 || isApart[part] === 1;
  });
  return { order: built, inside, sameAs };
}

/** Replaces marks by the values of parts, and returns how many it replaced. */
function fill(value: JsonValue, part: (index: number) => JsonValue | undefined): number {
  let put = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = marked(value[index]);
      if (found < 0) continue;
      value[index] = part(found) as JsonValue;
      put++;
    }
  } else if (isObject(value)) {
    // JSON.parse made every key an own property, `__proto__` too: plain assignment reaches it.
    for (const key in value) {
      const found = marked(value[key]);
      if (found < 0) continue;
      value[key] = part(found) as JsonValue;
      put++;
    }
  }
  return put;
}

function marked(value: JsonValue | undefined): number {
  return typeof value === 'string' && value.startsWith(mark)
    ? Number(value.slice(mark.length))
    : -1;
}
