import { expect } from 'chai';
import { InvalidInputError } from './error.js';
import { streamObjects } from './object-stream.js';
import { stringifyJson } from './json.js';
import type { JsonValue } from './value.js';

async function read(text: string, size: number): Promise<JsonValue[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) {
      await Promise.resolve();
      yield bytes.subarray(at, at + size);
    }
  }
  const all: JsonValue[] = [];
  for await (const objects of streamObjects('-', { stdin: pieces() })) all.push(...objects);
  return all;
}

const tricky = '{"kind":"A","spec":{"a":"}]\\"{[","items":[1.0,{"x":"é€😀"}]},"b":[{}]}';

describe('streamObjects', () => {
  const rows: [rule: string, text: string, expected: string[]][] = [
    ['nothing', '  \n', []],
    ['one JSON object', tricky, [tricky]],
    ['JSON objects one after another', `${tricky}\n${tricky}{}`, [tricky, tricky, '{}']],
    [
      'a JSON List, whatever stands around its items',
      `{"apiVersion":"v1","metadata":{"items":[{"not":"this"}]},"items":[${tricky},\n{"b":2}],"kind":"List","x":{"items":[]}}{"c":3}`,
      [tricky, '{"b":2}', '{"c":3}'],
    ],
    ['an empty List', '{"items":[],"kind":"List"}', []],
    [
      'a JSON object that is no List and has items of its own',
      '{"kind":"A","a":{"b":1},"items":[{"c":1}],"z":2}{"items":[],"kind":"B"}',
      ['{"c":1}', '{"kind":"A","a":{"b":1},"items":[{"c":1}],"z":2}', '{"items":[],"kind":"B"}'],
    ],
    ['the value "items" is no key', '{"a":"items","b":[{"c":1}]}', ['{"a":"items","b":[{"c":1}]}']],
    [
      'YAML documents',
      '# head\n---\na: 1\n---\n# nothing\n---\nb:\n  - |\n    --- text\n...\n---\nc: 3',
      ['{"a":1}', '{"b":["--- text\\n"]}', '{"c":3}'],
    ],
    [
      'a YAML List as kubectl writes it',
      'apiVersion: v1\nitems:\n- kind: A\n  spec:\n    x:\n    - 1\n- kind: B\nkind: List\nmetadata:\n  resourceVersion: ""\n---\nd: 4\n',
      ['{"kind":"A","spec":{"x":[1]}}', '{"kind":"B"}', '{"d":4}'],
    ],
  ];
  for (const [what, items] of [
    ['indented', 'items:\n  - kind: A\n  - kind: B\n'],
    ['behind a comment', 'items: # two\n- kind: A\n# and\n- kind: B\n'],
    ['on lines of their own', 'items:\n\n-\n  kind: A\n-\n  kind: B\n'],
    ['under a quoted key', '"items":\n- kind: A\n- kind: B\n'],
    ['in brackets', 'items: [{kind: A}, {kind: B}]\n'],
    ['in lists', 'items:\n- kind: CList\n  items: [{kind: A}]\n- kind: B\n'],
  ] as const) {
    const text = `apiVersion: v1\n${items}kind: List\n---\nd: 4\n`;
    rows.push([
      `a YAML List with items ${what}`,
      text,
      ['{"kind":"A"}', '{"kind":"B"}', '{"d":4}'],
    ]);
  }
  rows.push(
    [
      'text that reads like a List',
      'a: "x\nitems:\n- kind: A\n"\n',
      ['{"a":"x items: - kind: A "}'],
    ],
    [
      'an object with a list of items behind other fields',
      'kind: A\nspec: {b: 1}\nitems:\n- 1\n',
      ['{"kind":"A","spec":{"b":1},"items":[1]}', '1'],
    ],
  );
  const list = 'apiVersion: v1\nitems:\n- kind: A\nkind: List\n';
  rows.push([
    'a List whose other fields have lists and texts that read like items',
    `${list}a:\n- kind: B\nb: "\n- kind: C"\n---\nd: 4\n`,
    ['{"kind":"A"}', '{"d":4}'],
  ]);
  for (const [rule, text, expected] of rows) {
    it(`${rule}, cut anywhere`, async () => {
      for (const size of [1, 2, 3, 5, 7, 11, 1000]) {
        const values = await read(text, size);
        expect(
          values.map((value) => stringifyJson(value)),
          `pieces of ${size}`,
        ).to.deep.equal(expected);
      }
    });
  }

  const refusals: [rule: string, text: string, code: string][] = [
    ['JSON that ends too early', '{"a": {"b": 1}', 'E_JSON'],
    ['JSON that is none', '{"a" 1}', 'E_JSON'],
    ['YAML that is none', 'a: b\n  c: d\n', 'E_YAML'],
  ];
  for (const second of ['items:', 'items :', '"items":', '"\\u0069tems":', '? items\n:']) {
    it(`refuses a second list of items behind the first: ${JSON.stringify(second)}`, async () => {
      const text = `apiVersion: v1\nitems:\n- kind: A\nkind: List\n${second}\n- kind: B\n`;
      const error = await read(text, 1000).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(InvalidInputError);
      expect((error as InvalidInputError).code).to.equal('E_YAML');
    });
  }
  it('refuses a List that ends between two items', async () => {
    const error = await read('{"kind":"List","items":[{"a":1},', 4).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(InvalidInputError);
    expect((error as InvalidInputError).describe()).to.equal('<stdin>:1: ends inside a list');
  });
  it('names no item for what is wrong around the items', async () => {
    const error = await read('{"kind":"A","items":[{"c":1}],"x":tru}', 4).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(InvalidInputError);
    expect((error as InvalidInputError).message).to.match(/^the object around items of the file: /);
  });
  for (const [rule, text, code] of refusals) {
    it(`refuses ${rule}, naming the object`, async () => {
      const error = await read(text, 4).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(InvalidInputError);
      expect((error as InvalidInputError).code).to.equal(code);
      expect((error as InvalidInputError).message).to.match(/^object 1 of the file: /);
    });
  }
});
