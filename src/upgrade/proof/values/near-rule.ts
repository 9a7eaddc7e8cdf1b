/** Values that lie close to what a validation rule speaks of: its fields, texts, numbers and patterns. */
import type { JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode, ValidationRule } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { absent, pinFields, pinValue, type Pin } from '../pin.js';
import { findString } from '../../../text/regular/find-string.js';
import { anything, fieldOf, otherFieldsOf } from '../shape.js';
import { valuesOf } from './directed.js';
import { Remembered } from './remembered.js';
import { commonStrings } from './scalars.js';

/** Longer rules are looked through for nothing: strings that end nowhere would take long. */
export const longestRead = 10_000;

interface Spoken {
  readonly names: readonly string[];
  readonly strings: readonly string[];
  readonly numbers: readonly number[];
  readonly patterns: readonly string[];
}

const asksPattern =
  /\b(?:matches|find|findAll)\((?:[^'"()]*,)?\s*([rR]?)(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

function patternsIn(rule: string): string[] {
  return [...rule.matchAll(asksPattern)].map(([, raw, single, double]) => {
    const text = single ?? double ?? '';
    return raw === '' ? text.replaceAll(/\\(.)/g, '$1') : text;
  });
}

function spokenOf({ rule }: ValidationRule): Spoken {
  if (rule.length > longestRead) return { names: [], strings: [], numbers: [], patterns: [] };
  const quoted = [...rule.matchAll(/(\(\s*)?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)];
  // The arguments of a function decide more than one of many literals in a list.
  const strings = [true, false].flatMap((isArgument) =>
    quoted
      .filter((match) => (match[1] !== undefined) === isArgument)
      .map((match) => match[2] ?? match[3] ?? ''),
  );
  const code = rule.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '""');
  return {
    names: [
      ...new Set(
        [...code.matchAll(/\.\??\s*([A-Za-z_]\w*)(?!\s*\()/g)].map((match) => match[1] ?? ''),
      ),
    ],
    strings: [...new Set(strings)].slice(0, 12),
    numbers: [
      ...new Set([...code.matchAll(/(?<![\w.])\d+(?:\.\d+)?/g)].map((match) => Number(match[0]))),
    ].slice(0, 8),
    patterns: [...new Set(patternsIn(rule))].slice(0, 8),
  };
}

const maxPins = 240;

export function* candidatesOf(
  node: SchemaNode,
  rule: ValidationRule,
  budget: Budget,
): Generator<Pin> {
  const seen = new Set<string>();
  for (const pin of pinsNear(node, spokenOf(rule), 3, budget)) {
    const text = pin.kind === 'value' ? JSON.stringify(pin.value) : `pin ${seen.size}`;
    if (seen.has(text)) continue;
    if (seen.size >= maxPins) return;
    seen.add(text);
    yield pin;
  }
}

function pinsNear(node: SchemaNode, spoken: Spoken, depth: number, budget: Budget): Iterable<Pin> {
  if (node.type === 'array') return ofItems(node, spoken, depth, budget);
  if (depth > 0 && (node.type === 'object' || node.properties !== undefined))
    return ofFields(node, spoken, depth, budget);
  return scalars(node, spoken, budget).map(pinValue);
}

function* ofFields(
  node: SchemaNode,
  spoken: Spoken,
  depth: number,
  budget: Budget,
): Generator<Pin> {
  const names = spoken.names.filter((name) => node.properties?.has(name)).slice(0, 8);
  const choices = names.map((name): [string, Pin[]] => {
    const child = fieldOf(node, name) ?? anything;
    return [name, [absent, ...first(pinsNear(child, spoken, depth - 1, budget), 24)]];
  });
  yield pinFields();
  yield pinFields(...names.map((name): [string, Pin] => [name, absent]));
  for (const [name, pins] of choices) for (const pin of pins) yield pinFields([name, pin]);
  yield pinFields(...choices.map(([name, pins]): [string, Pin] => [name, pins[1] ?? absent]));
  const other = otherFieldsOf(node);
  for (const value of other === undefined ? [] : scalars(other, spoken, budget))
    for (const key of ['key', ...spoken.strings]) yield pinFields([key, pinValue(value)]);
}

function* ofItems(
  { items = anything }: SchemaNode,
  spoken: Spoken,
  depth: number,
  budget: Budget,
): Generator<Pin> {
  yield pinValue([]);
  const pins = first(pinsNear(items, spoken, Math.min(1, depth - 1), budget), 30);
  for (const pin of pins) yield { kind: 'list', items: [pin], every: pin };
  const named = spoken.names.flatMap((name): Pin[] => {
    const child = items.properties?.get(name);
    const [value] = child === undefined ? [] : valuesOf(child, budget, 1);
    return value === undefined ? [] : [pinFields([name, pinValue(value)])];
  });
  const unlike = items.type === 'object' ? [pinFields(), ...named] : pins;
  for (const pin of unlike.slice(0, 7))
    for (const other of unlike.slice(0, 7)) yield { kind: 'list', items: [pin, other] };
}

function first(pins: Iterable<Pin>, most: number): Pin[] {
  return [...new Remembered(pins).first(most)];
}

function scalars(node: SchemaNode, spoken: Spoken, budget: Budget): JsonValue[] {
  const { strings, numbers } = spoken;
  switch (node.type) {
    case 'string': {
      const near = strings.flatMap((text) => [text, `${text}a`, `a${text}`]);
      const usual = ['', 'A', '-', '1', 'example.com', 'example.com/name:tag'];
      const matching = matchingStrings(node, spoken, budget);
      return [...valuesOf(node, budget, 6), ...near, ...usual, ...matching];
    }
    case 'integer':
    case 'number':
      return [
        ...valuesOf(node, budget, 4),
        ...numbers.flatMap((number) => [number - 1, number, number + 1, -number]),
        0,
        1,
        -1,
        1000,
        ...numbers.flatMap((one) =>
          numbers.flatMap((two) => [(one + two) / 2, (Math.ceil(two / (one || 1)) + 1) * one]),
        ),
      ];
    case 'boolean':
      return [true, false];
    default:
      return [...valuesOf(node, budget, 6), ...strings, ...numbers, 'a', 1, '50%', '0'];
  }
}

/** Strings that patterns match, that are composed of what a rule names, or of a larger quantity. */
function matchingStrings(
  { pattern, minLength = 0, maxLength = Infinity }: SchemaNode,
  { strings, numbers, patterns }: Spoken,
  budget: Budget,
): string[] {
  const own = pattern === '' ? [] : [pattern];
  const asked = [...patterns.map((each) => [each]), ...(patterns.length > 1 ? [patterns] : [])];
  const matched = asked.flatMap((each) => {
    const answer = findString({ matches: [...each, ...own], minLength, maxLength }, budget);
    return answer.kind === 'found' ? [answer.text] : [];
  });
  const short = strings.filter((text) => text.length <= 64).slice(0, 5);
  const composed = short.flatMap((one) => short.flatMap((two) => [one + two, `${one}a${two}`]));
  const counted = numbers.filter((number) => Number.isInteger(number) && number <= 20);
  const parts = counted.flatMap((number) => [
    `${number}.0.0`,
    `${number + 1}.0.0`,
    ...short.flatMap((text) =>
      ['a', ...matched.slice(0, 2)].map((part) => Array<string>(number).fill(part).join(text)),
    ),
  ]);
  return [...matched, ...composed, ...parts, ...commonStrings];
}
