/** OLM classic's ranges. Rule: blang/semver 4.0.0 `ParseRange` with its oddities, as a cluster reads them. */
import {
  InvalidVersionError,
  invalidRange,
  readInt64,
  type Version,
  compareVersions,
  parseVersion,
} from './version.js';
import { quote, trimSpace } from '../go/index.js';

type BlangOperator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** One comparison, wildcards already written out. */
export interface BlangComparison {
  readonly operator: BlangOperator;
  readonly version: Version;
}

/** Alternatives (OR) of comparisons that must all hold (AND). An empty alternative crashes the library. */
export interface BlangRange {
  readonly alternatives: readonly (readonly BlangComparison[])[];
  /** Words the library drops without a word: single characters between blanks. */
  readonly dropped: readonly string[];
}

export type VersionPredicate = (version: Version) => boolean;

/**
 * @throws InvalidVersionError with the library's text, and from the predicate where an empty alternative crashes it
 */
export function parseBlangRange(text: string): VersionPredicate {
  const range = readBlangRange(text);
  return (version) =>
    range.alternatives.some((comparisons) => {
      if (comparisons.length === 0) {
        throw invalidRange(
          `Range ${quote(text)} has nothing between two '||', which crashes OLM: write a comparison there or remove one '||'`,
        );
      }
      return comparisons.every(({ operator, version: bound }) =>
        holdsInOrder[operator](compareVersions(version, bound)),
      );
    });
}

/** Most ranges by far: plain comparisons that all must hold. Read at once, with the same result. */
const plain = /^[<>=!]{0,2}[0-9]+\.[0-9.]*(?: [<>=!]{0,2}[0-9]+\.[0-9.]*)*$/;

/** As {@link parseBlangRange}, as data. */
export function readBlangRange(text: string): BlangRange {
  if (plain.test(text))
    return { alternatives: [text.split(' ').map(parseComparison)], dropped: [] };
  const { words, dropped } = splitWords(text);
  const alternatives = splitAlternatives(words)
    .map((alternative) => alternative.flatMap(expandWildcard))
    .map((alternative) => alternative.map(parseComparison));
  return { alternatives, dropped };
}

const holdsInOrder: Readonly<Record<BlangOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Blanks split, but not after `<`, `>` or `=`. Words of a single byte are lost, `1`, `x` and `-` alike. */
function splitWords(text: string): { words: string[]; dropped: string[] } {
  const words: string[] = [];
  const dropped: string[] = [];
  let start = 0;
  let last = '';
  const finish = (end: number): void => {
    const word = text.slice(start, end);
    if (Buffer.byteLength(word) > 1) words.push(word.replaceAll(' ', ''));
    else if (word !== '') dropped.push(word);
  };
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character !== ' ') last = character;
    else if (!['<', '>', '='].includes(last)) {
      finish(index);
      start = index + 1;
    }
  }
  finish(text.length);
  return { words, dropped };
}

function splitAlternatives(words: readonly string[]): string[][] {
  const alternatives: string[][] = [[]];
  for (const word of words) {
    if (word === '||') alternatives.push([]);
    else alternatives.at(-1)?.push(word);
  }
  if (words[0] === '||') throw invalidRange("First element in range is '||'");
  if (words.length === 0 || words.at(-1) === '||') {
    throw invalidRange("Last element in range is '||'");
  }
  return alternatives;
}

/** Any `x` in a word, even in `-next`, makes it a wildcard; one that is none ends up as a bare operator. */
function expandWildcard(word: string): string[] {
  if (!word.includes('x')) return [word];
  const [operator, text] = splitComparison(word);
  const floor = wildcardFloor(text);
  const ceiling = wildcardCeiling(text, floor);
  switch (operator) {
    case '>':
      return [`>=${ceiling}`];
    case '>=':
      return [`>=${floor}`];
    case '<':
      return [`<${floor}`];
    case '<=':
      return [`<${ceiling}`];
    case '':
    case '=':
    case '==':
      return [`>=${floor}`, `<${ceiling}`];
    case '!':
    case '!=':
      return [`<${floor}`, `>=${ceiling}`];
    default:
      return [floor];
  }
}

/** The first `.x.x`, or else the first `.x`, becomes `.0`; two parts get a third. */
function wildcardFloor(text: string): string {
  const flat = text.replace('.x.x', '.x').replace('.x', '.0');
  return flat.split('.').length === 2 ? `${flat}.0` : flat;
}

/** `1.2.x` and `1.x.x` raise the minor number, `1.x` the major one; anything else has no ceiling. */
function wildcardCeiling(text: string, floor: string): string {
  const parts = text.split('.');
  if (parts.at(-1) !== 'x') return '';
  if (parts.length === 3) return increment(floor, 1);
  return parts.length === 2 ? increment(floor, 0) : '';
}

function increment(floor: string, index: 0 | 1): string {
  const parts = floor.split('.');
  const value = readInt64(parts[index] ?? '');
  if (value === undefined) return '';
  parts[index] = BigInt.asIntN(64, value + 1n).toString();
  return parts.join('.');
}

function parseComparison(word: string): BlangComparison {
  const [operatorText, versionText] = splitComparison(word);
  const whole = quote(operatorText + versionText);
  const operator = operators.get(operatorText);
  if (operator === undefined) {
    throw invalidRange(
      `Could not parse Range ${quote(word)}: Could not parse comparator ${quote(operatorText)} in ${whole}`,
    );
  }
  try {
    return { operator, version: parseVersion(versionText) };
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    throw invalidRange(
      `Could not parse Range ${quote(word)}: Could not parse version ${quote(versionText)} in ${whole}: ${error.message}`,
    );
  }
}

/** The text before the first digit (of any script), and the rest. */
function splitComparison(word: string): [operator: string, version: string] {
  const index = word.search(/[0-9]|\p{Nd}/u);
  if (index < 0) {
    throw invalidRange(`Could not get version from string: ${quote(word)}`);
  }
  return [trimSpace(word.slice(0, index)), word.slice(index)];
}

const operators = new Map<string, BlangOperator>([
  ...(['=', '!=', '<', '<=', '>', '>='] as const).map((each) => [each, each] as const),
  ...(['', '=='] as const).map((each) => [each, '='] as const),
  ['!', '!='],
]);
