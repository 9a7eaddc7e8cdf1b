/** Every function, operator and macro of CEL with every mix of types: nothing throws, nothing runs on. */
import { expect } from 'chai';
import fc from 'fast-check';
import { kubernetes } from '../../src/cel/index.js';
import { Random } from '../apiserver/random-schemas.js';
import { Expressions } from '../cel/random-expressions.js';
import { samples } from '../../src/rule/testing/samples.js';
import { answer, type Answer } from '../reference/cel/answer.js';

/** Exactly one of what an expression can come to. */
function outcomes({ errors, program, value, error, notEvaluated }: Answer): string[] {
  return [errors, program, value, error, notEvaluated].filter((each) => each !== undefined);
}

const values = [
  'null', 'true', '0', '-9223372036854775808', '18446744073709551615u', "double('NaN')", "double('-inf')", '1e308', "''",
  "'a'", "b''", "b'\\xff'", '[]', '[[], {}]', '{}', "{'a': 1}", "timestamp('9999-12-31T23:59:59Z')", "duration('-1ns')",
  'optional.none()', 'optional.of(optional.of([1]))', 'type(null)', "quantity('-1n')", "ip('::')", "cidr('::/0')",
  "semver('0.0.0')", "url('/')", 'format.uuid()', '[1.0, 2u]', "['a', null]",
] as const; // prettier-ignore

describe('CEL under attack', () => {
  it('makes something of every call with every mix of types', () => {
    const seeds = fc.tuple(
      fc.integer(),
      fc.constantFrom(0.05, 0.3, 0.8),
      fc.integer({ min: 1, max: 3 }),
    );
    fc.assert(
      fc.property(seeds, ([seed, mixing, depth]) => {
        const made = new Expressions(new Random(seed), new Map(), mixing);
        const rule = made.of(made.anyType(2), depth).slice(0, 5000);
        expect(outcomes(answer({ rule })), rule).to.have.length(1);
      }),
      { numRuns: samples(500) },
    );
  });

  it('makes something of every overload with arguments of any type', () => {
    const calls = [...kubernetes.functions].flatMap(({ name, overloads }) =>
      /[@_]/.test(name) ? [] : overloads.map(({ isMember, parameters }) => ({ name, isMember, count: parameters.length })),
    ); // prettier-ignore
    const any = fc.constantFrom(...values).map((value) => `dyn(${value})`);
    for (const { name, isMember, count } of calls) {
      fc.assert(
        fc.property(fc.array(any, { minLength: count, maxLength: count }), (args) => {
          const rule = isMember
            ? `${args[0]}.${name}(${args.slice(1).join(', ')})`
            : `${name}(${args.join(', ')})`;
          expect(outcomes(answer({ rule })), rule).to.have.length(1);
        }),
        { numRuns: samples(4) },
      );
    }
  });

  it('makes something of every operator between any two values', () => {
    for (const operator of ['+', '-', '*', '/', '%', '<', '<=', '==', '!=', 'in', '&&', '||']) {
      for (const left of values) {
        for (const right of values) {
          const rule = `dyn(${left}) ${operator} dyn(${right})`;
          expect(outcomes(answer({ rule })), rule).to.have.length(1);
        }
      }
    }
  });

  it('bounds what is deep and what is large', () => {
    const large = [
      '('.repeat(100_000),
      '['.repeat(249) + ']'.repeat(249),
      '!'.repeat(50_000) + 'true',
      '-'.repeat(50_000) + '1',
      `1${' + 1'.repeat(20_000)}`,
      `true${' && true'.repeat(10_000)}`,
      `[${'1,'.repeat(30_000)}1].map(x, x).size()`,
      `x${'.a'.repeat(40_000)}`,
      `"${'a'.repeat(99_000)}".matches('(a+)+$')`,
      `${'[1].all(x, '.repeat(60)}true${')'.repeat(60)}`,
      `${'[1, 2, 3, 4, 5, 6, 7, 8, 9].map(x, '.repeat(12)}1${')'.repeat(12)}`,
      `'${'a'.repeat(1000)}'${".replace('', 'aaaaaaaaaa')".repeat(20)}`,
      "'%.9223372036854775806f'.format([1.0])",
      '? '.repeat(40_000),
    ];
    for (const rule of large)
      expect(outcomes(answer({ rule })), rule.slice(0, 40)).to.have.length(1);
  });
});
