/** Definitions whose size is an attack: each is judged right, and off the event loop. */
import { expect } from 'chai';
import { type GateProcess, shippedNode, startGateProcess } from '../../bench/gate-process.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { send } from '../server/gate.js';
import { definition, responseIn, reviewText } from '../server/reviews.js';

function fields(count: number): JsonObject {
  const entries = Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string' }]);
  return { type: 'object', properties: Object.fromEntries(entries) as JsonObject };
}

function nested(levels: number, inner: JsonObject): JsonObject {
  let schema = inner;
  for (let level = 0; level < levels; level++) {
    schema = { type: 'object', properties: { a: schema } };
  }
  return schema;
}

function versions(count: number, openAPIV3Schema: JsonObject): JsonObject {
  const all = Array.from({ length: count }, (_, index) => ({
    ...{ name: `v${index + 1}`, served: true, storage: index === 0 },
    schema: { openAPIV3Schema },
  }));
  return definition({ versions: all });
}

describe('a definition that is large', () => {
  let gate: GateProcess;
  before(async () => {
    gate = await startGateProcess([], {
      node: shippedNode,
    });
  });
  after(() => gate.stop());

  const rows: [what: string, before: JsonObject, after: JsonObject][] = [
    ['450 served versions of 30 fields', versions(450, fields(30)), versions(450, fields(29))],
    // Small enough to be judged at once, were it not for the versions.
    ['60 served versions of 30 fields', versions(60, fields(30)), versions(60, fields(29))],
    ['5,000 served versions', versions(5000, fields(2)), versions(5000, fields(1))],
    [
      '5,000 fields beneath 400 levels',
      versions(1, nested(400, fields(5000))),
      versions(1, nested(400, fields(4999))),
    ],
  ];
  for (const [what, oldObject, object] of rows) {
    it(`is denied for what it removes, and others are answered meanwhile: ${what}`, async function () {
      this.timeout(300_000);
      const settled: string[] = [];
      const post = async (name: string, body: string): Promise<boolean> => {
        const path = '/validate?timeout=30s';
        const { text } = await send(gate.url, gate.authority, body, { path });
        settled.push(name);
        return responseIn(text).allowed;
      };
      const large = post('large', reviewText({ oldObject, object }));
      // Another asks only when the large one has come, and is answered by the same event loop.
      const small = Promise.all(Array.from({ length: 5 }, () => post('small', reviewText())));
      expect(await small).to.deep.equal([true, true, true, true, true]);
      expect((await fetch(`${gate.metricsUrl}/livez`)).status).to.equal(200);
      expect(await large).to.equal(false);
      expect(settled.at(-1)).to.equal('large');
    });
  }
});
