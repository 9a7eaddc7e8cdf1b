/**
 * `.indexignore` files. Patterns are those of .gitignore as go-git matches them (joelanford/ignore,
 * go-git `plumbing/format/gitignore`), which differs from git: `!` takes a file back in below an
 * ignored folder, `[!a]` is no negation, and ignore files in ignored folders count.
 */
import { trimSpace } from '../go/text.js';
import { InvalidInputError } from './index.js';

export const ignoreFileName = '.indexignore';

/** Limit of all files of one folder: patterns that are tried, and letters with the positions possible at each. */
const maxSteps = 200_000_000;

interface Part {
  readonly text: string;
  readonly isPlain: boolean;
}

interface Pattern {
  /** The folder of the ignore file; the pattern says nothing about what is elsewhere. */
  readonly domain: readonly string[];
  readonly parts: readonly Part[];
  readonly includes: boolean;
  readonly foldersOnly: boolean;
}

/** Says of a file's path (`/`-separated, relative to the catalog's root) whether it is left out. */
export type Ignore = (path: string) => boolean;

/** In the order of the walk: later patterns win. The answer throws `E_LIMIT` past {@link maxSteps}. */
export function readIgnoreFiles(
  files: Iterable<{ readonly path: string; readonly content: string }>,
): Ignore {
  const patterns: Pattern[] = [];
  for (const { path, content } of files) {
    const domain = path.split('/').slice(0, -1);
    for (const rawLine of content.split('\n')) {
      const line = trimSpace(rawLine);
      if (line !== '' && !line.startsWith('#')) patterns.push(parsePattern(line, domain));
    }
  }
  const matcher = new Matcher();
  return (path) => {
    const parts = path.split('/');
    const last = patterns.findLast((pattern) => matcher.matches(pattern, parts));
    return last !== undefined && !last.includes;
  };
}

function parsePattern(line: string, domain: readonly string[]): Pattern {
  const includes = line.startsWith('!');
  let text = includes ? line.slice(1) : line;
  if (!text.endsWith('\\ ')) text = text.replace(/ +$/, '');
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  const parts = text.split('/').map((part) => ({ text: part, isPlain: !/[*?[\\]/.test(part) }));
  return { domain, parts, includes, foldersOnly };
}

class Matcher {
  #left = maxSteps;

  matches(pattern: Pattern, path: readonly string[]): boolean {
    const { domain, parts } = pattern;
    this.#take(1);
    if (path.length <= domain.length) return false;
    if (!domain.every((part, index) => part === path[index])) return false;
    const rest = path.slice(domain.length);
    return parts.length > 1 ? this.#matchesPath(pattern, rest) : this.#matchesName(pattern, rest);
  }

  #matchesName({ parts: [part], foldersOnly }: Pattern, path: readonly string[]): boolean {
    for (const [index, name] of path.entries()) {
      if (part !== undefined && this.#matchesPart(part, name)) {
        return !(foldersOnly && index === path.length - 1);
      }
    }
    return false;
  }

  #matchesPath({ parts, foldersOnly }: Pattern, path: readonly string[]): boolean {
    let rest = path;
    let matched = false;
    let mayDescend = false;
    for (const [index, part] of parts.entries()) {
      if (part.text === '') {
        mayDescend = false;
        continue;
      }
      if (part.text === '**') {
        if (index === parts.length - 1) break;
        mayDescend = true;
        continue;
      }
      if (part.text.includes('**') || rest.length === 0) return false;
      if (mayDescend) {
        mayDescend = false;
        while (rest.length > 0) {
          this.#take(rest.length);
          const [name = '', ...below] = rest;
          rest = below;
          if (this.#matchesPart(part, name)) {
            matched = true;
            break;
          }
          if (rest.length === 0) matched = false;
        }
      } else {
        if (!this.#matchesPart(part, rest[0] ?? '')) return false;
        matched = true;
        rest = rest.slice(1);
      }
    }
    return matched && !(foldersOnly && rest.length === 0);
  }

  /** Go's `filepath.Match` for one part of a path; a bad pattern matches nothing. */
  #matchesPart({ text, isPlain }: Part, name: string): boolean {
    this.#take(1);
    if (isPlain) return text === name;
    this.#take(text.length);
    const items = parseSymbols([...text]);
    if (items === undefined) return false;
    // All positions in the pattern that are still possible, so that many * cost no more than one.
    let states = closure(new Set([0]), items);
    for (const letter of name) {
      this.#take(states.size);
      const next = new Set<number>();
      for (const state of states) {
        const item = items[state];
        if (item === undefined) continue;
        if (item === '*') next.add(state);
        else if (item(letter)) next.add(state + 1);
      }
      if (next.size === 0) return false;
      states = closure(next, items);
    }
    return states.has(items.length);
  }

  #take(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new InvalidInputError('E_LIMIT', 'ignore files have too many patterns for so many files');
  }
}

type Item = '*' | ((letter: string) => boolean);

function closure(states: Set<number>, items: readonly Item[]): Set<number> {
  for (const state of states) if (items[state] === '*') states.add(state + 1);
  return states;
}

/** Undefined for a pattern that Go calls bad. */
function parseSymbols(symbols: readonly string[]): Item[] | undefined {
  const items: Item[] = [];
  let at = 0;
  while (at < symbols.length) {
    const symbol = symbols[at++] as string;
    if (symbol === '*') {
      items.push('*');
    } else if (symbol === '?') {
      items.push(() => true);
    } else if (symbol === '\\') {
      const escaped = symbols[at++];
      if (escaped === undefined) return undefined;
      items.push((letter) => letter === escaped);
    } else if (symbol === '[') {
      const negated = symbols[at] === '^';
      if (negated) at++;
      const ranges: [string, string][] = [];
      for (;;) {
        if (symbols[at] === ']' && ranges.length > 0) {
          at++;
          break;
        }
        const low = classMember(symbols, at);
        if (low === undefined) return undefined;
        at = low.next;
        let high = low;
        if (symbols[at] === '-') {
          const end = classMember(symbols, at + 1);
          if (end === undefined) return undefined;
          high = end;
          at = end.next;
        }
        ranges.push([low.symbol, high.symbol]);
      }
      items.push(
        (letter) =>
          ranges.some(
            ([low, high]) => point(low) <= point(letter) && point(letter) <= point(high),
          ) !== negated,
      );
    } else {
      items.push((letter) => letter === symbol);
    }
  }
  return items;
}

function classMember(
  symbols: readonly string[],
  at: number,
): { symbol: string; next: number } | undefined {
  const symbol = symbols[at];
  if (symbol === undefined || symbol === '-' || symbol === ']') return undefined;
  if (symbol !== '\\') return at + 1 < symbols.length ? { symbol, next: at + 1 } : undefined;
  const escaped = symbols[at + 1];
  if (escaped === undefined || at + 2 >= symbols.length) return undefined;
  return { symbol: escaped, next: at + 2 };
}

function point(symbol: string): number {
  return symbol.codePointAt(0) ?? 0;
}
