import {
  within,
  type Budget,
  CelMistakes,
  NotEvaluable,
  CompilerPanic,
  EvaluationError,
  Frame,
  type Variables,
  type CelValue,
} from './values.js';
import { check } from './checker.js';
import type { Language } from './language.js';
import { plan } from './plan.js';
import { showMistakes, type Mistake } from './syntax/recovery.js';
import { parse } from './syntax/parser.js';
import {
  type Node,
  childrenOf,
  type Call,
  type ListLiteral,
  type MapLiteral,
} from './syntax/tree.js';
import { type CelType, sameType, types, typeText } from './types.js';
import { parseDuration } from '../text/go/index.js';
import { parseTimestamp } from '../text/formats/time.js';
import { compilePattern } from '../text/go/regexp.js';
import { attempt } from './collections.js';
import { clauseNeeds, eachClause } from './library/format-text.js';
import { checkedTimestamp } from './library/operators.js';
import { append } from '../text/long-lists.js';

export interface CheckedExpression {
  /** Every node with its type, calls with their overloads. */
  readonly tree: Node;
  readonly type: CelType;
}

/** The tree, without types. @throws CelMistakes, NotEvaluable */
export function parseExpression(text: string, language: Language): Node {
  const { tree, mistakes } = parse(text, language);
  if (tree === undefined) throw new CelMistakes(showMistakes(text, mistakes));
  return tree;
}

/** @throws CelMistakes; CompilerPanic; NotEvaluable for what this evaluator does not have */
export function checkExpression(
  text: string,
  variables: ReadonlyMap<string, CelType>,
  language: Language,
): CheckedExpression {
  const tree = parseExpression(text, language);
  const ofTypes = check(tree, variables, language);
  const mistakes =
    ofTypes.length === 0 && language.checksLiterals === true
      ? checkLiterals(tree, language)
      : ofTypes;
  if (mistakes.length > 0) throw new CelMistakes(showMistakes(text, mistakes));
  return { tree, type: tree.type as CelType };
}

export interface Program {
  /** @throws EvaluationError, Panic; NotEvaluable past the budget */
  evaluate(variables: Variables, budget: Budget): CelValue;
}

/** @throws CelMistakes, NotEvaluable */
export function makeProgram({ tree }: CheckedExpression, language: Language): Program {
  const run = plan(tree, language);
  return {
    evaluate(variables, budget) {
      try {
        return within(budget, run, new Frame(variables));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new NotEvaluable('the values are too large, or nest too deep');
      }
    },
  };
}

/** Literals that fit nowhere. Source: cel-go/cel/validator.go, cel-go/ext/formatting.go. @throws CompilerPanic */
function checkLiterals(tree: Node, checks: Language): Mistake[] {
  const found: Found[] = [];
  collect(tree, false, checks.mixesDirectlyInFormats === true, found);
  if (found.length === 0) return [];
  const calls = found.flatMap(({ node }) => (node.kind === 'call' ? [node] : []));
  const mistakes = ['duration', 'timestamp', 'matches'].flatMap((name) =>
    calls
      .filter((call) => call.name === name)
      .flatMap(({ name, args }: Call): Mistake[] => {
        const [argument] = args;
        if (argument?.kind !== 'literal' || isConvertible(name, argument.value)) return [];
        return [{ message: `invalid ${name} argument`, position: argument.position }];
      }),
  );
  const mixing = found.filter(({ isFormatted }) => !isFormatted).map(({ node }) => node);
  for (const node of mixing) if (node.kind === 'list') append(mistakes, checkItems(node));
  for (const node of mixing) if (node.kind === 'map') append(mistakes, checkEntries(node));
  if (checks.checksFormats !== true) return mistakes;
  const isFragile = checks.breaksOverComputedFormats === true;
  if (
    isFragile &&
    calls.some(({ name, target }) => name === 'format' && target?.kind !== 'literal')
  ) {
    throw new CompilerPanic('cel-go looks for the text of a format that is no literal');
  }
  return [...mistakes, ...calls.flatMap(checkFormat)];
}

interface Found {
  readonly node: Call | ListLiteral | MapLiteral;
  /** Within a call of `format`, where types may mix. */
  readonly isFormatted: boolean;
}

function collect(node: Node, isFormatted: boolean, onlyDirectly: boolean, into: Found[]): void {
  const isLiteral = node.kind === 'list' || node.kind === 'map';
  const stays = isFormatted && (!onlyDirectly || isLiteral);
  const within = stays || (node.kind === 'call' && node.name === 'format');
  for (const child of childrenOf(node)) collect(child, within, onlyDirectly, into);
  if (isLiteral || node.kind === 'call') into.push({ node, isFormatted });
}

function isConvertible(name: string, value: CelValue): boolean {
  if (name === 'duration')
    return typeof value === 'string' && 'nanoseconds' in parseDuration(value);
  if (typeof value === 'bigint') {
    return !(attempt(() => checkedTimestamp(value * 1_000_000_000n)) instanceof EvaluationError);
  }
  if (typeof value !== 'string') return false;
  if (name === 'matches') return typeof compilePattern(value) !== 'string';
  const moment = parseTimestamp(value);
  if (moment === undefined) return false;
  return !(attempt(() => checkedTimestamp(moment)) instanceof EvaluationError);
}

function checkItems({ items, optional }: ListLiteral): Mistake[] {
  let first: CelType | undefined;
  for (const [index, item] of items.entries()) {
    const type = optional.has(index) ? contentOf(item) : typeOf(item);
    first ??= type;
    if (!sameType(first, type, false)) return [mismatch(item, first, type)];
  }
  return [];
}

function checkEntries({ entries }: MapLiteral): Mistake[] {
  const [first] = entries;
  if (first === undefined) return [];
  const keyType = typeOf(first.key);
  const valueType = first.isOptional ? contentOf(first.value) : typeOf(first.value);
  return entries.flatMap(({ key, value, isOptional }) => {
    const type = isOptional ? contentOf(value) : typeOf(value);
    return [
      ...(sameType(keyType, typeOf(key), false) ? [] : [mismatch(key, keyType, typeOf(key))]),
      ...(sameType(valueType, type, false) ? [] : [mismatch(value, valueType, type)]),
    ];
  });
}

function typeOf(node: Node): CelType {
  return node.type ?? types.dyn;
}

function contentOf(node: Node): CelType {
  const [content] = typeOf(node).parameters;
  if (content !== undefined) return content;
  throw new CompilerPanic('cel-go looks for what an optional entry of unknown type holds');
}

function mismatch({ position }: Node, expected: CelType, found: CelType): Mistake {
  const message = `expected type '${typeText(expected)}' but found '${typeText(found)}'`;
  return { message, position };
}

/** `'%d'.format([…])`, where both are literals. */
function checkFormat(call: Call): Mistake[] {
  const { name, target, args } = call;
  const [list] = args;
  if (name !== 'format' || target?.kind !== 'literal' || list?.kind !== 'list') return [];
  if (typeof target.value !== 'string' || args.length !== 1) return [];
  const { items } = list;
  let seen = 0;
  const unfit: Mistake[] = [];
  const failure = attempt(() =>
    eachClause(target.value as string, items.length, ({ verb }, index) => {
      seen++;
      checkClause(verb, items[index] as Node, unfit);
      return '';
    }),
  );
  if (unfit.length > 0) return unfit.slice(0, 1);
  if (failure instanceof EvaluationError) {
    return [{ message: failure.message, position: call.position }];
  }
  if (items.length <= seen) return [];
  const message = `too many arguments supplied to string.format (expected ${seen}, got ${items.length})`;
  return [{ message, position: call.position }];
}

const fitting: Readonly<Record<string, ReadonlySet<string>>> = {
  b: new Set(['int', 'uint', 'bool']),
  d: new Set(['int', 'uint']),
  e: new Set(['double', 'string']),
  f: new Set(['double', 'string']),
  o: new Set(['int', 'uint']),
  s: new Set([
    'list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration',
    'type', 'null',
  ]), // prettier-ignore
  x: new Set(['int', 'uint', 'string', 'bytes']),
  X: new Set(['int', 'uint', 'string', 'bytes']),
};

function checkClause(verb: string, item: Node, unfit: Mistake[]): void {
  const { kind, name } = typeOf(item);
  if (kind !== 'dyn' && fitting[verb]?.has(kind) !== true) {
    const message = `error during formatting: ${clauseNeeds.get(verb) ?? ''}, was given ${name}`;
    unfit.push({ message, position: item.position });
  }
  if (verb === 's' && (item.kind === 'list' || item.kind === 'map')) {
    for (const child of childrenOf(item)) checkClause(verb, child, unfit);
  }
}
