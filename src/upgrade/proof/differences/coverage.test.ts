import { expect } from 'chai';
import { readSchema, type SchemaNode } from '../../../kubernetes/index.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { Budget } from '../budget.js';
import { uncheckedKeywords } from './coverage.js';
import { Identities } from '../identity.js';
import { SchemaWalk } from './walk.js';

const string = { type: 'string' };
const withField = { type: 'object', properties: { a: string } };
const node = (schema: JsonObject): SchemaNode => readSchema(schema, '$');
const list = (more: JsonObject): JsonObject => ({ type: 'array', ...more });

describe('what the rules of the walk look at', () => {
  const rows: [string, JsonObject, JsonObject, 'structure' | 'validation', string[]][] = [
    ['what rules compare', string, { ...string, maxLength: 1 }, 'structure', []],
    ['what speaks of no value', string, { ...string, maxItems: 1 }, 'structure', []],
    ['items that are gone', list({ items: withField }), list({}), 'structure', ['items']],
    ['scalar items that are gone', list({ items: string }), list({}), 'structure', []],
    [
      'how anything is kept',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', additionalProperties: true },
      'structure',
      ['additionalProperties', 'preserveUnknownFields'],
    ],
    [
      'a validation rule under an operator',
      string,
      { 'x-kubernetes-validations': [{ rule: 'self != "a"' }] },
      'validation',
      ['rules'],
    ],
    [
      'a validation rule that an operator leaves out',
      { ...string, 'x-kubernetes-validations': [{ rule: 'self != "a"' }] },
      {},
      'validation',
      [],
    ],
  ];
  for (const [title, before, after, mode, expected] of rows) {
    it(title, () => {
      const pair = { before: node(before), after: node(after), place: undefined, mode };
      const budget = new Budget(1_000);
      expect(uncheckedKeywords(pair, false, new Identities(budget))).to.deep.equal(expected);
    });
  }

  it('is not hidden by what else is found at the place', () => {
    const walk = new SchemaWalk(new Budget(1_000), 1_000);
    const [before, after] = [list({ items: withField, maxItems: 2 }), list({ maxItems: 3 })].map(
      node,
    );
    walk.compare({
      before: before as SchemaNode,
      after: after as SchemaNode,
      ...{ place: undefined, mode: 'structure' },
    });
    expect(walk.differences.map(({ proof, reason }) => [proof, reason])).to.deep.equal([
      ['safe', 'maxItems is relaxed'],
      ['open', 'the schemas differ in items, which no rule here compares'],
    ]);
  });
});
