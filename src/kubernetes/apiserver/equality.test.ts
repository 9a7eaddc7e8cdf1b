import { expect } from 'chai';
import { NumberText, type JsonValue } from '../../text/documents/index.js';
import { enumHolder } from './equality.js';

const whole = new NumberText('1.0');

describe('an enum', () => {
  const rows: readonly (readonly [listed: JsonValue[], holds: JsonValue[], not: JsonValue[]])[] = [
    [
      ['a', 'A'],
      ['a', 'A', 65],
      ['b', 66, 'a ', null, true],
    ],
    [
      [1, 3],
      [1, whole, 1.5, 3.9],
      [2, 0.5, '1', null, [1]],
    ],
    [
      [whole, 2.5],
      [1, whole, 2.5],
      [2, 1.5, 2.75, '\u0001'],
    ],
    [[{ a: 1, b: [2] }], [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [whole] }, [], '{}']],
    [[null, true], [true], [null, false, 'true', 1]],
    [[0], [0, -0, 0.25], [1, '']],
    [['\ufffd'], ['\ufffd', 0xd800, -1], ['\u0000']],
  ];
  for (const [listed, holds, not] of rows) {
    it(`of ${JSON.stringify(listed)} holds what Kubernetes takes for listed`, () => {
      const isHeld = enumHolder(listed);
      expect(holds.filter((value) => !isHeld(value))).to.deep.equal([]);
      expect(not.filter((value) => isHeld(value))).to.deep.equal([]);
    });
  }

  it('is walked once, however many values are asked about', () => {
    let reads = 0;
    const listed = new Proxy<JsonValue[]>(
      Array.from({ length: 1000 }, (_, index) => index),
      {
        get: (target, key, receiver): unknown => {
          reads++;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    const isHeld = enumHolder(listed);
    const once = reads;
    for (let value = 0; value < 2000; value++) expect(isHeld(value)).to.equal(value < 1000);
    expect(reads).to.equal(once);
  });
});
