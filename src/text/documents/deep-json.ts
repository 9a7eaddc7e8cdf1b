/** Writes JSON that nests deeper than the engine's own writer can follow. */
import { NumberText } from './value.js';

/** A list or an object that is being written. */
interface Open {
  /** The keys of an object; undefined for a list, whose indexes are counted. */
  readonly keys: readonly string[] | undefined;
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
  next: number;
  isEmpty: boolean;
}

/** The output of `JSON.stringify(value, undefined, indent)`, with numbers as their text stood. */
export function writeDeepJson(root: unknown, indent = 0): string {
  const parts: string[] = [];
  const open: Open[] = [];

  const newline = (): void => {
    if (indent > 0) parts.push('\n', ' '.repeat(indent * open.length));
  };
  const begin = (value: object): void => {
    const isList = Array.isArray(value);
    parts.push(isList ? '[' : '{');
    open.push({
      keys: isList ? undefined : Object.keys(value),
      value: value as Open['value'],
      next: 0,
      isEmpty: true,
    });
  };
  const write = (value: unknown): void => {
    if (value instanceof NumberText) parts.push(value.text);
    else if (typeof value === 'object' && value !== null) begin(value);
    else parts.push(JSON.stringify(value) ?? 'null');
  };

  write(plain(root, ''));
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { keys, value } = top;
    const size = keys === undefined ? (value as readonly unknown[]).length : keys.length;
    if (top.next === size) {
      open.pop();
      if (!top.isEmpty) newline();
      parts.push(keys === undefined ? ']' : '}');
      continue;
    }
    const key = keys === undefined ? String(top.next) : (keys[top.next] as string);
    const item = plain((value as Readonly<Record<string, unknown>>)[key], key);
    top.next++;
    if (keys !== undefined && isLeftOut(item)) continue;
    if (!top.isEmpty) parts.push(',');
    top.isEmpty = false;
    newline();
    if (keys !== undefined) parts.push(JSON.stringify(key), indent > 0 ? ': ' : ':');
    write(item);
  }
  return parts.join('');
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function plain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, key) as unknown) : value;
}
