/** Why a text is no JSON, and where. */

export interface JsonError {
  /** In UTF-16 code units. */
  readonly offset: number;
  readonly reason: string;
}

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** What may come next; `first` where a closing bracket may come instead. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma';

const missing: Record<Expected, string> = {
  value: 'value expected',
  'first value': 'value expected',
  key: 'property name expected',
  'first key': 'property name expected',
  colon: 'colon expected',
  comma: 'comma expected',
};

/**
 * The first place at which text stops being JSON, or undefined. Reads once from left to right, and
 * remembers nothing but the brackets that are open.
 *
 * Source: RFC 8259
 */
export function firstJsonError(text: string): JsonError | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = endOfSpace(text, 0);
  for (; at < text.length; at = endOfSpace(text, at)) {
    const character = text.charAt(at);
    const inside = open.at(-1);
    if (expected === 'comma' && inside === undefined) {
      return { offset: at, reason: 'end of file expected' };
    }
    let end: number | JsonError | undefined;
    if (character === ',' && expected === 'comma') {
      expected = inside === '{' ? 'key' : 'value';
      end = at + 1;
    } else if (character === ':' && expected === 'colon') {
      expected = 'value';
      end = at + 1;
    } else if (mayClose(character, inside, expected)) {
      open.pop();
      expected = 'comma';
      end = at + 1;
    } else if (expected === 'key' || expected === 'first key') {
      if (character === '"') end = endOfString(text, at);
      if (end !== undefined) expected = 'colon';
    } else if (expected === 'value' || expected === 'first value') {
      if (character === '{' || character === '[') {
        open.push(character);
        expected = character === '{' ? 'first key' : 'first value';
        end = at + 1;
      } else {
        end = character === '"' ? endOfString(text, at) : endOf(scalar, text, at);
        if (end !== undefined) expected = 'comma';
      }
    }
    if (end === undefined) return { offset: at, reason: missing[expected] };
    if (typeof end !== 'number') return end;
    at = end;
  }
  if (text.trim() === '') return { offset: 0, reason: 'the input is empty' };
  return expected === 'comma' && open.length === 0 ? undefined : tooEarly(text);
}

function mayClose(character: string, inside: string | undefined, expected: Expected): boolean {
  if (character === '}')
    return inside === '{' && (expected === 'first key' || expected === 'comma');
  return (
    character === ']' && inside === '[' && (expected === 'first value' || expected === 'comma')
  );
}

function endOfSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfString(text: string, start: number): number | JsonError {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return { offset: at, reason: 'invalid character in a string' };
    const end = code === 0x5c ? endOf(escape, text, at) : at + 1;
    if (end === undefined) return { offset: at, reason: 'invalid escape character' };
    at = end;
  }
  return tooEarly(text);
}

function tooEarly(text: string): JsonError {
  return { offset: text.trimEnd().length, reason: 'the input ends too early' };
}
