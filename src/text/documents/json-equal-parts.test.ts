import { expect } from 'chai';
import { Dice } from '../../upgrade/proof/testing/dice.js';
import { samples } from '../../rule/testing/samples.js';
import { InvalidInputError } from './error.js';
import { leastPart, measureJson } from './json-measure.js';
import { measureShared, parseJson, parseShared, stringifyJson, type ParseOptions } from './json.js';
import type { JsonObject, JsonValue } from './value.js';

const cases = samples(100);

describe('equal parts of JSON', () => {
  const large = { words: 'x'.repeat(leastPart), list: [1, { two: 2 }] };

  function sharing(text: string): JsonValue {
    return shared(Buffer.from(text));
  }

  it('become one value', () => {
    const text = JSON.stringify({ old: { a: large, size: 1 }, new: { b: large, size: 2 } });
    const { old, new: next } = sharing(text) as Record<'old' | 'new', JsonObject>;
    expect(old?.['a']).to.equal(next?.['b']).and.deep.equal(large);
    expect(stringifyJson(sharing(text))).to.equal(text);
  });

  it('are looked for in few bytes, however deep unlike ones lie in each other', () => {
    const deep = (last: number): string =>
      `${'['.repeat(1_000)}"${'x'.repeat(10_000)}${last}"${']'.repeat(1_000)}`;
    const text = `[${Array.from({ length: 9 }, (_each, index) => deep(index)).join(',')}]`;
    const bytes = Buffer.from(text);
    let compared = 0;
    const compare = bytes.compare.bind(bytes);
    bytes.compare = (other, from = 0, to = 0, ...rest) => {
      compared += to - from;
      return compare(other, from, to, ...rest);
    };
    expect(stringifyJson(shared(bytes))).to.equal(text);
    expect(compared).to.be.within(1, 8 * bytes.length);
  });

  it('are no keys, and nothing that stands beside a value', () => {
    const part = JSON.stringify(large);
    for (const text of [
      `{${part}:1}`,
      `{"a":${part}`,
      `${part}${part}`,
      `[${part} ${part}]`,
      `5,${part}`,
      `${part}x`,
      `]]${part}${part}]`,
      `{"a":${part},,"b":1}`,
      `{"a":${part.replace(/}$/, ']')}}`,
    ]) {
      expect(outcome(() => sharing(text))).to.deep.equal(outcome(() => parseJson(text)));
    }
  });

  it('are not gathered behind more ends than beginnings', () => {
    const part = JSON.stringify(large);
    const gathered = (text: string): number | undefined =>
      measureJson(text, { parts: true }).parts?.starts.length;
    expect(gathered(`[${part},${part}]`)).to.equal(3);
    expect(gathered(`]]${part}${part}${'['.repeat(9)}`)).to.equal(7);
  });

  it('keep the last of two keys, keys with escapes, numbers with their text, and __proto__', () => {
    const part = JSON.stringify(large);
    for (const text of [
      `{"a":${part},"a":{"b":${part}}}`,
      `{"a":${part},"a":1}`,
      `{"a":${part},"\\u0061":${part}}`,
      `{"a":${part},"b":1.0,"c":${part}}`,
      `{"__proto__":${part},"b":{"__proto__":${part}}}`,
      `\ufeff{"a":${part}}\n`,
      ` [${part},${part}] `,
    ]) {
      expect(stringifyJson(sharing(text))).to.equal(stringifyJson(parseJson(text)));
    }
  });

  it('report limits like other texts', () => {
    const bytes = Buffer.from(JSON.stringify([large, large]));
    for (const limits of [{ maxValues: 3 }, { maxDepth: 1 }, { maxBytes: 10 }]) {
      const found = outcome(() => shared(bytes, limits));
      expect(found)
        .to.deep.equal(outcome(() => parseJson(bytes, limits)))
        .and.have.property('code', 'E_LIMIT');
    }
  });

  it(`say what the whole says, for ${cases} texts with changed bytes`, () => {
    const random = new Dice(7);
    let same = 0;
    for (let index = 0; index < cases; index++) {
      const bytes = changed(Buffer.from(textOf(random)), random);
      const found = outcome(() => shared(bytes));
      expect(found, bytes.toString('base64')).to.deep.equal(outcome(() => parseJson(bytes)));
      const text = bytes.toString('latin1');
      const { parts, lossyNumbers, ...measure } = measureJson(text, { parts: true });
      const { lossyNumbers: all, ...whole } = measureJson(text);
      expect({ ...measure, isLossy: lossyNumbers.length > 0 }, text).to.deep.equal({
        ...whole,
        isLossy: all.length > 0,
      });
      same += parts?.sameAs.filter((other) => other >= 0).length ?? 0;
    }
    expect(same).to.be.greaterThan(cases / 4);
  });

  it('are found in their places between parts that came and went', () => {
    const member = (name: string): string => `"${name}":${JSON.stringify(large)}`;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const unlike = (each: string): string => `${member(each).slice(0, -1)},"${each}":1}`;
    const side = (members: readonly string[]): string =>
      `{"${'x'.repeat(9)}":{${members.join(',')}}}`;
    const was = side(names.map(unlike));
    for (const now of [
      side(names.slice(2).map(unlike)),
      side(['"z":1', member('z'), ...names.map(unlike)]),
      side(['"a":1', ...names.slice(1).map(unlike)]),
    ]) {
      const { parts } = measureJson(`[${was},${now}]`, { parts: true });
      expect(parts?.sameAs.filter((other) => other >= 0).length, now).to.be.at.least(1);
    }
  });
});

function shared(bytes: Buffer, limits: ParseOptions = {}): JsonValue {
  return parseShared(measureShared(bytes, limits));
}

/** The text of the value as it is written again, or what is wrong. */
function outcome(parse: () => JsonValue): object {
  try {
    return { text: stringifyJson(parse()) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { code: error.code, message: error.message, where: error.where };
  }
}

/** Two sides that share most of what they hold, with characters of one, two and three bytes. */
function textOf(random: Dice): string {
  const word = (): string => random.pick(['a', 'é', '…', '"', '\\', '\u0001', '{', ']', '__proto__']).repeat(random.below(60)); // prettier-ignore
  const leaf = (): string =>
    random.pick([
      ...['1', 'true', 'null', '[]', '{}', '-0', '1.0', '12345678901234567890'],
      ...[JSON.stringify(word()), JSON.stringify(word())],
    ]);
  const known: string[] = [];
  const value = (depth: number): string => {
    if (known.length > 0 && random.below(3) === 0) return random.pick(known);
    if (depth === 0) return leaf();
    const count = 1 + random.below(6);
    const isList = random.below(4) === 0;
    const inside = Array.from({ length: count }, () =>
      isList
        ? value(depth - 1)
        : `${JSON.stringify(random.pick(['a', 'b', 'c', 'd', 'e', word()]))}:${value(depth - 1)}`,
    );
    const text = isList ? `[${inside.join(',')}]` : `{${inside.join(',')}}`;
    if (text.length < 2 * leastPart) known.push(text);
    return text;
  };
  const object = value(3);
  const [from, to] = [random.pick(known), random.pick([leaf(), ...known])];
  const oldObject = random.below(2) === 0 ? value(3) : object.replace(from, () => to);
  return `{"request":{"object":${object},"oldObject":${oldObject}}}`;
}

/** Half of the texts stay as they are. */
function changed(bytes: Buffer, random: Dice): Buffer {
  if (random.below(2) === 0) return bytes;
  const at = random.below(bytes.length);
  switch (random.below(3)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    case 1:
      bytes[at] = random.pick([...'{}[],:"\\ 0n', '\u00ff']).charCodeAt(0);
      return bytes;
    default:
      return bytes.subarray(0, at);
  }
}
