/** Random rules over integers and booleans, whose models another solver knows too. */
import { expect } from 'chai';
import { init, killThreads } from 'z3-solver';
import { samples } from '../../rule/testing/samples.js';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { Dice } from './testing/dice.js';
import { proveDocuments } from './testing/prove-documents.js';

/** An expression of CEL, with what it comes to in the language of SMT; neither where it fails. */
interface Expression {
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}
interface Term {
  readonly text: string;
  readonly value: string;
  readonly isReadable: string;
}

const numbers = ['a', 'b', 'n'];
const flags = ['c', 'd'];
const optional = new Set(['a', 'c', 'n']);
/** `n` is any integer. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  a: [0, 5],
  b: [-3, 3],
};

const all = (...parts: readonly string[]): string => `(and true ${parts.join(' ')})`;
const any = (...parts: readonly string[]): string => `(or false ${parts.join(' ')})`;
const not = (part: string): string => `(not ${part})`;
const literal = (value: number): string => (value < 0 ? `(- ${-value})` : String(value));
/** Integers of CEL have 64 bits, and what is larger fails. */
const largest = 2n ** 63n - 1n;

function term(dice: Dice): Term {
  if (dice.chance(0.4)) {
    const value = dice.below(8) - 2;
    return { text: String(value), value: literal(value), isReadable: 'true' };
  }
  const name = dice.pick(numbers);
  const read = { text: `self.${name}`, value: name, isReadable: `reads_${name}` };
  if (dice.chance(0.7)) return read;
  const value = `(+ ${name} 1)`;
  const isReadable = all(read.isReadable, `(<= ${value} ${largest})`);
  return { text: `self.${name} + 1`, value, isReadable };
}

const signs: readonly (readonly [sign: string, of: (one: string, two: string) => string])[] = [
  ...['<', '<=', '>', '>='].map(
    (sign) => [sign, (one: string, two: string) => `(${sign} ${one} ${two})`] as const,
  ),
  ['==', (one, two) => `(= ${one} ${two})`],
  ['!=', (one, two) => not(`(= ${one} ${two})`)],
];

function leaf(dice: Dice): Expression {
  if (dice.chance(0.2)) {
    const name = dice.pick([...optional]);
    return { text: `has(self.${name})`, yes: `reads_${name}`, no: not(`has_${name}`) };
  }
  if (dice.chance(0.3)) {
    const name = dice.pick(flags);
    const reads = `reads_${name}`;
    return { text: `self.${name}`, yes: all(reads, name), no: all(reads, not(name)) };
  }
  const [one, two] = [term(dice), term(dice)];
  const [sign, of] = dice.pick(signs);
  const holds = of(one.value, two.value);
  const isReadable = all(one.isReadable, two.isReadable);
  return {
    text: `${one.text} ${sign} ${two.text}`,
    yes: all(isReadable, holds),
    no: all(isReadable, not(holds)),
  };
}

/** As CEL has it: what decides, decides even where the other side fails. */
function expression(dice: Dice, depth: number): Expression {
  if (depth <= 0 || dice.chance(0.15)) return leaf(dice);
  const [one, two, three] = [1, 2, 3].map(() => expression(dice, depth - 1)) as [
    Expression,
    Expression,
    Expression,
  ];
  return dice.pick([
    () => ({
      text: `(${one.text} && ${two.text})`,
      yes: all(one.yes, two.yes),
      no: any(one.no, two.no),
    }),
    () => ({
      text: `(${one.text} || ${two.text})`,
      yes: any(one.yes, two.yes),
      no: all(one.no, two.no),
    }),
    () => ({ text: `!(${one.text})`, yes: one.no, no: one.yes }),
    () => ({
      text: `(${one.text} ? ${two.text} : ${three.text})`,
      yes: any(all(one.yes, two.yes), all(one.no, three.yes)),
      no: any(all(one.yes, two.no), all(one.no, three.no)),
    }),
  ])();
}

interface Pair {
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** Of objects that the old schema accepts and the new one refuses. */
  readonly model: string;
}

function field(name: string, more: JsonObject = {}): JsonObject {
  if (flags.includes(name)) return { type: 'boolean' };
  const [minimum, maximum] = ranges[name] ?? [];
  return { type: 'integer', ...(minimum === undefined ? {} : { minimum, maximum }), ...more };
}

function randomPair(dice: Dice): Pair {
  const known = dice.some([1, 2, 2], 0.6).map((depth) => expression(dice, depth));
  const added = dice.chance(0.9) ? [expression(dice, 2)] : [];
  const bounded = added.length === 0 || dice.chance(0.2) ? dice.pick(numbers) : undefined;
  const minimum = dice.below(3);
  const definition = (rules: readonly Expression[], isNew: boolean): JsonObject => {
    const properties = Object.fromEntries(
      [...numbers, ...flags].map((name) => [
        name,
        field(name, isNew && name === bounded ? { minimum } : {}),
      ]),
    );
    const required = Object.keys(properties).filter((name) => !optional.has(name));
    const spec = object(properties, {
      required,
      'x-kubernetes-validations': rules.map(({ text }) => ({ rule: text })),
    });
    return withSchema(object({ spec }, { required: ['spec'] }));
  };
  const isBelow =
    bounded === undefined ? 'false' : all(`has_${bounded}`, `(< ${bounded} ${minimum})`);
  const model = all(
    ...known.map(({ yes }) => yes),
    any(isBelow, ...added.map(({ yes }) => not(yes))),
  );
  return { old: definition(known, false), next: definition([...known, ...added], true), model };
}

/** @param hasFractions an integer may be one that rules cannot read, for being a little more */
function query(model: string, hasFractions: boolean): string {
  const lines = [...numbers, ...flags].flatMap((name) => {
    const isNumber = numbers.includes(name);
    const [least, most] = ranges[name] ?? [-(2n ** 63n), largest];
    const bounds = `(assert (and (<= ${least < 0 ? `(- ${-least})` : least} ${name}) (<= ${name} ${most})))`;
    const isReadable = hasFractions && isNumber ? '=>' : '=';
    return [
      `(declare-const ${name} ${isNumber ? 'Int' : 'Bool'})`,
      `(declare-const has_${name} Bool)(declare-const reads_${name} Bool)`,
      `(assert (${isReadable} reads_${name} has_${name}))`,
      ...(optional.has(name) ? [] : [`(assert has_${name})`]),
      ...(isNumber ? [bounds] : []),
    ];
  });
  return ['(push)', ...lines, `(assert ${model})(check-sat)(pop)`].join('\n');
}

/** For each question whether there is a model. */
async function solve(questions: readonly string[]): Promise<boolean[]> {
  const { em, Z3 } = (await init()) as { em: object; Z3: Awaited<ReturnType<typeof init>>['Z3'] };
  try {
    const context = Z3.mk_context(Z3.mk_config());
    const answers = await Z3.eval_smtlib2_string(context, questions.join('\n'));
    return answers
      .trim()
      .split('\n')
      .map((line) => {
        if (line !== 'sat' && line !== 'unsat') throw new Error(`z3 says ${line}`);
        return line === 'sat';
      });
  } finally {
    await killThreads(em);
  }
}

describe('rules over integers and booleans, beside z3', () => {
  it('are safe only where it finds no model, and shown to break only where there is one', async function () {
    this.timeout(samples(60_000));
    const pairs = Array.from({ length: samples(150) }, (_, index) => randomPair(new Dice(index)));
    const answers = await solve(
      pairs.flatMap(({ model }) => [query(model, false), query(model, true)]),
    );
    expect(answers).to.have.lengthOf(2 * pairs.length);
    const counts = { safe: 0, breaking: 0, undecided: 0 };
    for (const [seed, { old, next }] of pairs.entries()) {
      const [hasModel, hasOddModel] = answers.slice(2 * seed);
      const { effect, results } = proveDocuments(old, next);
      const harms = results.filter(({ effect }) => effect !== 'safe' && effect !== 'behavior');
      const isSafe = harms.every(({ harm }) => harm === 'AbsurdValue');
      counts[isSafe ? 'safe' : effect === 'breaking' ? 'breaking' : 'undecided']++;
      const said = JSON.stringify({ seed, effect, results, old, next });
      if (isSafe) expect(hasModel, said).to.equal(false);
      if (harms.length === 0) expect(hasOddModel, said).to.equal(false);
      if (effect === 'breaking') expect(hasOddModel, said).to.equal(true);
    }
    expect(counts.safe).to.be.greaterThan(samples(15));
    expect(counts.undecided).to.be.lessThan(samples(30));
  });
});
