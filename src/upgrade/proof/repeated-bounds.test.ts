/** Rules that only repeat or relax what a bound or another rule says already refuse nothing. */
import { expect } from 'chai';
import { readSchema, type SchemaNode } from '../../kubernetes/index.js';
import { object, withSchema } from '../rules/crd/testing/definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { Budget } from './budget.js';
import { SchemaWalk } from './differences/walk.js';
import { proveDocuments } from './testing/prove-documents.js';
import { repeats, reshaped, ruled, text } from './testing/repeated-bounds.js';

function judged(old: JsonObject, next: JsonObject): string {
  const [before, after] = [old, next].map((each) =>
    withSchema(object({ spec: object({ f: each }) })),
  );
  const { results } = proveDocuments(before as JsonObject, after as JsonObject);
  const denied = results.filter(
    ({ effect, harm }) => !['safe', 'behavior'].includes(effect) && harm === undefined,
  );
  return denied
    .map(({ effect, reason, witness }) => `${effect}: ${reason} ${JSON.stringify(witness)}`)
    .join('\n');
}

describe('rules that repeat what is said', () => {
  for (const [title, old, next] of repeats) {
    it(title, () => expect(judged(old, next)).to.equal(''));
  }
  for (const [title, old, next] of reshaped) {
    it(`but not that a field is required by what they say of ${title}`, () => {
      expect(judged(old, next)).to.contain('breaking: the field is required from now on');
    });
  }
  it('are not compiled again for each field that is required from now on', () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${index}`);
    const fields = object(Object.fromEntries(names.map((name) => [name, text()])));
    const any = names.slice(0, 40).map((name) => `has(self.${name})`);
    const said = any.map((each) => [each, ...any].join(' || '));
    const old = ruled(fields, ...said);
    const budget = new Budget(200_000);
    const walk = new SchemaWalk(budget, Infinity);
    const [before, after] = [old, { ...old, required: names }].map((each) => readSchema(each, '$'));
    walk.compare({
      before: before as SchemaNode,
      after: after as SchemaNode,
      place: undefined,
      mode: 'structure',
    });
    expect(budget.spent).to.be.lessThan(400_000);
  });
});
