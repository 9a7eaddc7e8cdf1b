/** Values that lie close to what a validation rule speaks of: its fields, texts, numbers and patterns. */
import type { JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode, ValidationRule } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { absent, pinFields, pinValue, type Pin } from '../pin.js';
import { findString, type StringQuestion } from '../../../text/regular/find-string.js';
import { accepts, anything, conjuncts, fieldOf, otherFieldsOf } from '../shape.js';
import { directed, valuesOf } from './directed.js';
import { Sampler } from './sampler.js';
import { commonStrings, demandsOnText, literalOf } from './scalars.js';

/** Longer rules are looked through for nothing: strings that end nowhere would take long. */
export const longestRead = 10_000;

interface Spoken {
  readonly names: readonly string[];
  readonly strings: readonly string[];
  readonly numbers: readonly number[];
  /** Patterns of regular expressions. */
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

/** Field names and literals of a rule's text. */
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

/** Whether the rule accepts them or not. */
export function* candidatesOf(
  node: SchemaNode,
  rule: ValidationRule,
  budget: Budget,
): Generator<Pin> {
  const spoken = spokenOf(rule);
  let left = maxPins;
  const seen = new Set<string>();
  for (const pin of allCandidates(node, spoken, budget)) {
    if (pin.kind === 'value') {
      const text = JSON.stringify(pin.value);
      if (seen.has(text)) continue;
      seen.add(text);
    }
    if (left-- <= 0) return;
    yield pin;
  }
}

function* allCandidates(node: SchemaNode, spoken: Spoken, budget: Budget): Generator<Pin> {
  if (node.type === 'object' || node.properties !== undefined) {
    yield* ofFields(node, spoken, 3, budget);
  } else if (node.type === 'array') {
    yield* ofItems(node, spoken, budget);
  } else {
    for (const value of scalars(node, spoken, budget)) yield pinValue(value);
  }
  yield* directed(node, [], budget, 40);
}

/** Every mentioned field absent, or with values that the rule speaks of; then two at a time. */
function* ofFields(
  node: SchemaNode,
  spoken: Spoken,
  depth: number,
  budget: Budget,
): Generator<Pin> {
  const names = spoken.names.filter((name) => node.properties?.has(name)).slice(0, 8);
  const choices = names.map((name): [string, Pin[]] => {
    const child = fieldOf(node, name) ?? anything;
    const pins =
      depth > 1 && (child.type === 'object' || child.type === 'array')
        ? [...allOf(child, spoken, depth - 1, budget)].slice(0, 24)
        : scalars(child, spoken, budget).map(pinValue);
    return [name, [absent, ...pins]];
  });
  yield { kind: 'object', fields: new Map() };
  yield pinFields(...names.map((name): [string, Pin] => [name, absent]));
  for (const [name, pins] of choices) for (const pin of pins) yield pinFields([name, pin]);
  for (const [index, [one, onePins]] of choices.entries()) {
    for (const [two, twoPins] of choices.slice(index + 1)) {
      for (const onePin of onePins.slice(0, 5)) {
        for (const twoPin of twoPins.slice(0, 5)) yield pinFields([one, onePin], [two, twoPin]);
      }
    }
  }
  yield pinFields(...choices.map(([name, pins]): [string, Pin] => [name, pins[1] ?? absent]));
  const other = otherFieldsOf(node);
  if (other !== undefined) {
    for (const value of other === anything ? ['a', 1] : scalars(other, spoken, budget)) {
      yield pinFields(['key', pinValue(value)]);
      for (const key of spoken.strings) yield pinFields([key, pinValue(value)]);
    }
  }
}

function* allOf(node: SchemaNode, spoken: Spoken, depth: number, budget: Budget): Generator<Pin> {
  if (node.type === 'array') yield* ofItems(node, spoken, budget);
  else yield* ofFields(node, spoken, depth, budget);
}

function* ofItems(node: SchemaNode, spoken: Spoken, budget: Budget): Generator<Pin> {
  const item = node.items ?? anything;
  yield pinValue([]);
  const values =
    item.type === 'object'
      ? [...ofFields(item, spoken, 1, budget)].slice(0, 30)
      : scalars(item, spoken, budget).map(pinValue);
  for (const pin of values) yield { kind: 'list', items: [pin], every: pin };
  const unlike =
    item.type === 'object'
      ? representatives(item, spoken, budget)
      : [...namedItems(item, spoken, budget).map(pinValue), ...values.slice(0, 6)];
  for (const pin of unlike) {
    for (const other of unlike) yield { kind: 'list', items: [pin, other] };
  }
  for (const count of [1, 2, 3, ...spoken.numbers.flatMap((number) => [number, number + 1])]) {
    if (count > 600) continue;
    const sampler = new Sampler({ branch: 0, richness: 0, useDefaults: false }, budget);
    const items = Array.from({ length: count }, (_, index) =>
      sampler.value([item], undefined, 0, index),
    );
    if (items.every((value) => value !== undefined)) yield pinValue(items);
  }
}

/** Texts that the rule names and the item may be, each with another one that the item may be. */
function namedItems(item: SchemaNode, { strings }: Spoken, budget: Budget): JsonValue[] {
  const question = questionOf(item);
  return strings
    .filter((text) => accepts(item, text))
    .slice(0, 2)
    .flatMap((text) => {
      const other = findString({ ...question, misses: `^${literalOf(text)}$` }, budget);
      return [text, ...(other.kind === 'found' ? [other.text] : [])];
    });
}

/** An ordinary item, and one for each field that the rule speaks of. */
function representatives(item: SchemaNode, { names }: Spoken, budget: Budget): Pin[] {
  const present = names.flatMap((name): Pin[] => {
    const child = item.properties?.get(name);
    const [value] = child === undefined ? [] : valuesOf(child, budget, 1);
    return value === undefined ? [] : [pinFields([name, pinValue(value)])];
  });
  const plain: Pin = { kind: 'object', fields: new Map() };
  return [plain, ...present].slice(0, 7);
}

function scalars(node: SchemaNode, spoken: Spoken, budget: Budget): JsonValue[] {
  const { strings, numbers } = spoken;
  switch (node.type) {
    case 'string': {
      const near = strings.flatMap((text) => [text, ...around(node, text, budget)]);
      const lengths = numbers
        .filter((number) => number < 5_000)
        .flatMap((length) => ['a'.repeat(length), 'a'.repeat(length + 1)]);
      const usual = ['', 'A', '-', '1', 'example.com'];
      const matching = matchingStrings(node, spoken, budget);
      return [...valuesOf(node, budget, 6), ...near, ...usual, ...lengths, ...matching];
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
        ...multiples(numbers),
      ];
    case 'boolean':
      return [true, false];
    default:
      return [...valuesOf(node, budget, 6), ...strings, ...numbers, 'a', 1, '50%', '0'];
  }
}

/** Strings that begin or end with a text, as long and of the patterns that the schema asks for. */
function around(node: SchemaNode, text: string, budget: Budget): string[] {
  const question = questionOf(node);
  const pad = 'a'.repeat(Math.max(1, Math.min(question.minLength ?? 0, 5_000) - text.length));
  const usual = [`${text}${pad}`, `${pad}${text}`];
  if (text.length > 64 || usual.every((each) => accepts(node, each))) return usual;
  const literal = literalOf(text);
  const found = [`^${literal}`, `${literal}$`].flatMap((shape) => {
    const answer = findString({ ...question, matches: [shape, ...question.matches] }, budget);
    return answer.kind === 'found' ? [answer.text] : [];
  });
  return [...found, ...usual];
}

/** The schema's demands on a string, as a question for one. */
function questionOf(node: SchemaNode): StringQuestion {
  const all = conjuncts(node);
  const [misses] = all.flatMap(({ not }) => not?.pattern ?? []).filter((pattern) => pattern !== '');
  return { ...demandsOnText(all), ...(misses !== undefined && { misses }) };
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
  const larger = short.flatMap((text) => {
    const digits = /^\d{1,9}/.exec(text)?.[0];
    if (digits === undefined) return [];
    return [Number(digits) + 1, Number(digits) * 10].map(
      (it) => `${it}${text.slice(digits.length)}`,
    );
  });
  const counted = numbers.filter((number) => Number.isInteger(number) && number <= 20);
  const parts = counted.flatMap((number) => [
    `${number}.0.0`,
    `${number + 1}.0.0`,
    ...short.flatMap((text) =>
      ['a', ...matched.slice(0, 2)].map((part) => Array<string>(number).fill(part).join(text)),
    ),
  ]);
  return [...matched, ...composed, ...larger, ...parts, ...commonStrings];
}

/** Numbers that others divide, and those halfway between. */
function multiples(numbers: readonly number[]): number[] {
  const factors = numbers.filter((number) => number > 1);
  const between = numbers.flatMap((one) => numbers.map((two) => (one + two) / 2));
  const multiple = factors.flatMap((factor) =>
    numbers.flatMap((number) => {
      const multiple = Math.ceil(number / factor) * factor;
      return [multiple, multiple + factor, multiple + 1];
    }),
  );
  return [...multiple, ...between];
}
