/** Strings that a field takes, so that a policy can try another pattern on them. */
import type { SchemaNode } from '../../kubernetes/index.js';
import { formatCheck } from '../../text/formats/index.js';
import { Budget } from '../../upgrade/index.js';
import { findString } from '../../text/regular/find-string.js';

const plain = ['', 'a', 'Z', '0', '-', '.', '/', ' ', '!', 'é', 'aa', 'a b', 'a\nb', '10', '-1.5'];
/** In characters: where patterns that bound a length bound it. */
const sampleLengths = [0, 1, 2, 3, 4, 6, 10, 20, 40, 64];
/** The ends of what patterns list, and what they often leave out: a string with each. */
const characters = [...'azAZ09_-./: ~é'];
/** Steps of the search for strings of one pattern, in values. */
const maxSteps = 20_000;

/** In characters: what a longer pattern costs, here and at an API server, is no matter of steps. */
export const longestPattern = 1_000;

/** For the patterns of one version: the first of them get it. */
export const samplesBudget = (): Budget => new Budget(5 * maxSteps);

/** @returns none where no string was found that the field takes, or the budget is spent */
export function textSamples(node: SchemaNode, budget = samplesBudget()): string[] {
  const { pattern, format, minLength = 0, maxLength = Infinity } = node;
  if (pattern.length > longestPattern) return [];
  const listed = node.enum?.filter((value) => typeof value === 'string');
  if (listed !== undefined && pattern !== '') return [];
  const longest = 'a'.repeat(Math.max(sampleLengths.at(-1) ?? 0, minLength));
  const made = pattern === '' ? [...plain, longest] : stringsOf(pattern, node, budget);
  const check = format === '' ? undefined : formatCheck(format);
  return [...new Set(listed ?? made)].filter((text) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && check?.(text) !== false;
  });
}

function stringsOf(
  pattern: string,
  { minLength = 0, maxLength }: SchemaNode,
  shared: Budget,
): string[] {
  const budget = new Budget(Math.min(maxSteps, shared.left));
  const found: string[] = [];
  const find = (question: { with?: string; minLength: number }): boolean => {
    const matches = [pattern, ...(question.with === undefined ? [] : [escaped(question.with)])];
    const answer = findString({ matches, maxLength, minLength: question.minLength }, budget);
    if (answer.kind === 'found') found.push(answer.text);
    return answer.kind === 'found';
  };
  for (const length of sampleLengths) {
    if (!find({ minLength: Math.max(length, minLength) })) break;
  }
  for (const character of characters) find({ minLength, with: character });
  shared.take(budget);
  return found;
}

function escaped(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
