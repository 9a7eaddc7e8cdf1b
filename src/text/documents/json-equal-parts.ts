/**
 * JSON of which large parts stand there twice, such as a review of an update that changes little: what
 * has the same bytes is built once, and is the very same value wherever it stands.
 */
import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { JsonParts } from './gathered-parts.js';
import { isObject, type JsonValue } from './value.js';

/** As many parts of the same length are compared: who writes the text chooses how many there are. */
const mostCandidates = 8;
/** Bytes that are compared, as a multiple of the text's: who writes the text chooses how deep unlike parts lie in each other. */
const mostCompared = 8;

// A fresh one for each process: no input can hold it by intent or by chance.
const mark = randomBytes(12).toString('hex');

const onlyBlanks = /^[ \t\r\n]*$/;

/** A value of which what lies deep is built when somebody first looks at it. */
export interface DeferredJson {
  readonly value: JsonValue;
  /** Builds the rest. @throws what `whole` throws when that is no JSON, as looking at it does */
  readonly complete: () => void;
}

export interface Building {
  /** Of parts inside each other, that are built at once. */
  readonly levels: number;
  /** Parses the text as a whole, and throws what is wrong with it. */
  readonly whole: () => JsonValue;
}

/**
 * The value of the first part, which stands around all others.
 *
 * @returns undefined where that is not plain: the text as a whole is to be parsed then
 */
export function parseEqualParts(
  bytes: Buffer,
  parts: JsonParts,
  { levels, whole }: Building,
): DeferredJson | undefined {
  const { starts, ends } = parts;
  const isAlone = starts[0] === 0 && onlyBlanks.test(bytes.toString('latin1', ends[0]));
  const plan = isAlone ? planOf(bytes, parts, levels) : undefined;
  if (plan === undefined) return undefined;
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  const parse = (part: number): JsonValue =>
    JSON.parse(bytes.toString(encoding, starts[part], ends[part])) as JsonValue;
  const values = new Array<JsonValue | undefined>(starts.length);
  const valueOf = (part: number): JsonValue | undefined => values[plan.sameAs[part] ?? part];
  const holes: number[] = [];
  const place: Place = (value, key, child) => {
    const found = valueOf(child);
    // JSON.parse made every key an own property, `__proto__` too: plain assignment reaches it.
    if (found !== undefined) value[key] = found;
    else {
      holes.push(child);
      const get = (): JsonValue => {
        complete();
        return (values[child] ?? valueOf(child)) as JsonValue;
      };
      Object.defineProperty(value, key, { get, enumerable: true, configurable: true });
    }
  };
  /** False where a key stands twice, or a part in place of one. */
  const build = (part: number): boolean => {
    const inside = plan.inside[part] ?? [];
    if (inside.length === 0) values[part] = parse(part);
    else {
      let from = starts[part];
      let json = '';
      for (const child of inside) {
        json += `${bytes.toString(encoding, from, starts[child])}"${mark}${child}"`;
        from = ends[child];
      }
      const value = JSON.parse(json + bytes.toString(encoding, from, ends[part])) as JsonValue;
      values[part] = value;
      return fill(value, place) === inside.length;
    }
    return true;
  };
  const isDeferred = (part: number): boolean => (plan.depths[part] as number) > levels;
  const deferred = plan.order.filter(isDeferred);
  const complete = once(() => {
    try {
      if (!deferred.every(build)) for (const child of holes) values[child] = parse(child);
    } catch (error) {
      if (error instanceof SyntaxError) whole();
      throw error;
    }
  });
  try {
    if (!plan.order.every((part) => isDeferred(part) || build(part))) return undefined;
    return { value: values[0] as JsonValue, complete };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What went wrong goes wrong each time. */
function once(work: () => void): () => void {
  let outcome: { readonly error?: unknown } | undefined;
  return () => {
    if (outcome === undefined) {
      try {
        work();
        outcome = {};
      } catch (error) {
        outcome = { error };
      }
    }
    if ('error' in outcome) throw outcome.error;
  };
}

interface Plan {
  /** By part: how many are around it, and itself. */
  readonly depths: Uint16Array;
  /** Parts to be built, each behind what is inside it. */
  readonly order: readonly number[];
  /** By part: those directly inside it. */
  readonly inside: readonly (number[] | undefined)[];
  /** By part: an earlier one with the same bytes. */
  readonly sameAs: readonly (number | undefined)[];
}

function planOf(bytes: Buffer, parts: JsonParts, levels: number): Plan | undefined {
  const { starts, ends } = parts;
  const inside = new Array<number[] | undefined>(starts.length);
  const sameAs = new Array<number | undefined>(starts.length);
  const order: number[] = [];
  /** Of those that are built. */
  const depths = new Uint16Array(starts.length);
  const around: number[] = [];
  const byLength = new Map<number, number[]>();
  let left = mostCompared * bytes.length;
  for (let part = 0; part < starts.length;) {
    const [start, end] = [starts[part] as number, ends[part] as number];
    if (end < 0) return undefined;
    while (around.length > 0 && (ends[around.at(-1) as number] as number) <= start) {
      order.push(around.pop() as number);
    }
    const parent = around.at(-1);
    // What stands beside the first part is for the parser to refuse.
    if (parent === undefined && part > 0) return undefined;
    if (parent !== undefined) (inside[parent] ??= []).push(part);
    const length = end - start;
    const candidates = byLength.get(length) ?? [];
    const seen = parts.sameAs[part] as number;
    const known = (depths[seen] ?? 0) > 0 ? seen : sameAs[seen];
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
    else if (candidates.length < mostCandidates) candidates.push(part);
    depths[part] = around.push(part);
    part++;
  }
  for (let part = around.pop(); part !== undefined; part = around.pop()) order.push(part);
  const isApart = depths.map((depth) => Number(depth === 1 || depth === levels + 1));
  sameAs.forEach((same, part) => {
    if (same !== undefined) isApart[part] = isApart[same] = 1;
  });
  // What is neither there twice nor around something that is stands in the text of its parent.
  const built = order.filter((part) => {
    inside[part] = inside[part]?.filter((child) => isApart[child] === 1);
    if (inside[part]?.length) isApart[part] = 1;
    return isApart[part] === 1;
  });
  return { depths, order: built, inside, sameAs };
}

/** Puts a part where its mark stands. */
type Place = (
  value: Record<string | number, JsonValue>,
  key: string | number,
  part: number,
) => void;

/** Says how many parts found their place. */
function fill(value: JsonValue, place: Place): number {
  let placed = 0;
  if (!Array.isArray(value) && !isObject(value)) return placed;
  const record = value as Record<string | number, JsonValue>;
  const put = (key: string | number): void => {
    const part = marked(record[key]);
    if (part < 0) return;
    place(record, key, part);
    placed++;
  };
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) put(index);
  else for (const key in value) put(key);
  return placed;
}

function marked(value: JsonValue | undefined): number {
  return typeof value === 'string' && value.startsWith(mark)
    ? Number(value.slice(mark.length))
    : -1;
}
