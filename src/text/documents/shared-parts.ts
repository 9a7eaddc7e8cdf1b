/** Two values that are mostly the same, held as one where they are. */
import { defineOwn, isObject, NumberText, type JsonObject, type JsonValue } from './value.js';

/** Deeper values stay as they are. */
const maxDepth = 500;

/** Shares JSON that is the same at the same place in the same order: a walk through both sees it by identity. */
export function shareParts(old: JsonValue, next: JsonValue): void {
  isSame(old, next, 0);
}

function isSame(old: JsonValue | undefined, next: JsonValue, depth: number): boolean {
  if (old === next) return true;
  if (depth > maxDepth || old === undefined) return false;
  if (next instanceof NumberText) return old instanceof NumberText && old.text === next.text;
  if (Array.isArray(next)) return Array.isArray(old) && shareItems(old, next, depth);
  return isObject(next) && isObject(old) && shareEntries(old, next, depth);
}

function shareItems(old: JsonValue[], next: JsonValue[], depth: number): boolean {
  let isAlike = old.length === next.length;
  for (let index = 0; index < next.length; index++) {
    const was = old[index];
    if (!isSame(was, next[index] as JsonValue, depth + 1)) isAlike = false;
    else if (next[index] !== was) next[index] = was as JsonValue;
  }
  return isAlike;
}

function shareEntries(old: JsonObject, next: JsonObject, depth: number): boolean {
  const keys = Object.keys(next);
  const before = Object.keys(old);
  let isAlike = keys.length === before.length;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    if (before[index] !== key) isAlike = false;
    const was = Object.hasOwn(old, key) ? old[key] : undefined;
    if (!isSame(was, next[key] as JsonValue, depth + 1)) isAlike = false;
    else if (next[key] !== was) defineOwn(next, key, was as JsonValue);
  }
  return isAlike;
}
