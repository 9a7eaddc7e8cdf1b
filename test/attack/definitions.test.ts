/** Definitions made to stall or break whoever asks servers about them: each gets an answer. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minorsByDefault } from '../../src/kubernetes/definition/minors.js';
import { defaultLimits } from '../../src/upgrade/proof/limits.js';
import { proveDocuments } from '../../src/upgrade/proof/testing/prove-documents.js';
import { judgeContract } from '../../src/upgrade/rules/contract/judge.js';
import { judgeByReference } from '../../src/upgrade/rules/crd/profiles.js';
import {
  exampleDefinition,
  exampleOfSpec,
} from '../../src/upgrade/rules/crd/example-definition.js';
import { judgeForServers } from '../../src/upgrade/rules/definition/judge.js';
import { parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js'; // prettier-ignore
import { run } from '../cli/command.js';
import { UpgradePair } from '../../src/upgrade/pair.js';

const nested = (levels: number, open: string, close: string, leaf = ''): JsonValue =>
  parseJson(open.repeat(levels) + leaf + close.repeat(levels));
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const spec = (schema: object): JsonObject => exampleOfSpec({ type: 'object', ...schema });
const ruled = (schema: object, ...rules: string[]): JsonObject =>
  spec({ ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });
const lists = {
  properties: Object.fromEntries(many(200, (index) => [`l${index}`, { type: 'array', items: { type: 'string' } }])), // prettier-ignore
};

const rows: [what: string, definition: JsonObject][] = [
  ['properties 400 deep', spec({ properties: nested(400, '{"a":{"type":"object","properties":', '}}', '{}') as JsonObject })], // prettier-ignore
  ['properties 5,000 deep', spec({ properties: nested(5_000, '{"a":{"type":"object","properties":', '}}', '{}') as JsonObject })], // prettier-ignore
  [
    '10,000 rules at one place',
    ruled({}, ...many(10_000, (index) => `self == self || ${index} > 0`)),
  ],
  ['1,000 rules over 200 lists without bounds', ruled(lists, ...many(1_000, (index) => `self.l${index % 200}.all(x, self.l${(index + 1) % 200}.exists(y, x == y))`))], // prettier-ignore
  ['a rule that names 200 lists', ruled(lists, many(200, (index) => `self.l${index}.all(x, x != "")`).join(' && '))], // prettier-ignore
  ['a rule of 90,000 characters', ruled({}, `${'true && '.repeat(11_000)}true`)],
  ['a rule of parentheses', ruled({}, `${'('.repeat(20_000)}true${')'.repeat(20_000)}`)],
  ['a rule of nested folds', ruled({ properties: { l: { type: 'array', items: { type: 'integer' } } } }, `${'self.l.all(x, '.repeat(60)}true${')'.repeat(60)}`)], // prettier-ignore
  ['an enum of 200,000', spec({ properties: { a: { type: 'string', enum: many(200_000, (index) => `v${index}`) } } })], // prettier-ignore
  ['references in circles', spec({ properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } }, definitions: { c: { $ref: '#/definitions/c' } } })], // prettier-ignore
  ['patterns that explode', spec({ properties: { a: { type: 'string', pattern: '((((a{1000}){1000}){1000}){1000})*' }, b: { type: 'string', pattern: `${'('.repeat(5_000)}a${')*'.repeat(5_000)}` }, c: { type: 'string', pattern: '(a|a?)+$'.repeat(2_000) } } })], // prettier-ignore
  ['a default 1,000 deep', spec({ properties: { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: nested(1_000, '{"a":', '}', '1') } } })], // prettier-ignore
  ['a default against a pattern that backtracks', spec({ properties: { a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(5_000)}!` } } })], // prettier-ignore
  ['odd characters in names', spec({ properties: { '\u0000': { type: 'string' }, '\ud800': { type: 'string' }, __proto__x: { type: 'string' }, ['__proto__']: { type: 'string' }, 'a[b].c': { type: '' }, '\u202e': { type: 'x' } } })], // prettier-ignore
  ['bounds past every number', ruled({ properties: { l: { type: 'array', maxItems: 9_223_372_036_854_775_000, items: { type: 'string', maxLength: 9_223_372_036_854_775_000 } } } }, 'self.l.all(a, self.l.all(b, a + b != a))')], // prettier-ignore
  ['5,000 versions', exampleWithVersions(5_000)],
  ['20,000 alternatives', spec({ anyOf: many(20_000, (index) => ({ required: [`f${index}`] })) })],
  ['a status subresource over odd roots', exampleDefinition({ type: 'array', items: { type: 'string' } })], // prettier-ignore
  ['nothing', {}],
  ['lists for objects', { metadata: [], spec: [] }],
];

function exampleWithVersions(count: number): JsonObject {
  const definition = spec({});
  const versions = many(count, (index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema: {
      openAPIV3Schema: { type: 'object', properties: { [`f${index}`]: { type: 'string' } } },
    },
  }));
  return { ...definition, spec: { ...(definition['spec'] as JsonObject), versions } };
}

describe('a definition made to stall who asks servers about it', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-definitions-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [what, definition] of rows) {
    it(`has an answer, new and in place of itself: ${what}`, () => {
      for (const old of [undefined, definition]) {
        const { findings, unchecked } = judgeForServers(definition, old, minorsByDefault());
        expect(findings.every(({ message }) => message.length > 0)).to.equal(true);
        for (const sentence of unchecked) expect(sentence).to.match(/was not judged: /);
      }
    });
  }

  it('has a proof within the heap, whatever strings it demands beside rules that none meets', async () => {
    const strings = Object.fromEntries(many(20, (at) => [`s${at}`, { type: 'string', minLength: 100_000 }])); // prettier-ignore
    const demanding = {
      ...{ type: 'object', required: [...Object.keys(strings), 'k'] },
      properties: { ...strings, k: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: "self.k.startsWith('a') && self.k == 'n' + 'o'" }],
    };
    const properties = Object.fromEntries(many(6, (at) => [`o${at}`, demanding]));
    const input = { profile: 'proof', old: spec({ properties, required: Object.keys(properties) }), new: spec({}) }; // prettier-ignore
    const { code, stdout } = await run(['preflight'], {
      stdin: stringifyJson({ id: 1, operation: 'crd', input }),
      env: { NODE_OPTIONS: '--max-old-space-size=192' },
    });
    expect(code).to.equal(0);
    expect(stdout).to.include('"effect":"undecided"');
  });

  it('has a verdict, however many fields it changes', () => {
    // More than a call takes arguments.
    const fields = (schema: object): JsonObject =>
      spec({ properties: Object.fromEntries(many(130_000, (index) => [`f${index}`, schema])) });
    const [open, bounded] = [fields({}), fields({ maximum: 1 })];
    judgeByReference(UpgradePair.read(open, bounded), 'olm-v1');
    expect(judgeContract(UpgradePair.read(bounded, open)).findings).to.not.have.lengthOf(0);
    const minors = { all: ['1.36'], deciding: ['1.36'] } as const;
    expect(judgeForServers(open, undefined, minors).findings).to.have.lengthOf.above(130_000);
  });

  it('has a proof within its budget, however many alternatives are held against others', () => {
    const alternatives = (name: string): JsonObject =>
      spec({ anyOf: many(4_000, (index) => ({ required: [`${name}${index}`] })) });
    const { effect, cost } = proveDocuments(alternatives('a'), alternatives('b'));
    expect(effect).to.not.equal('safe');
    expect(cost).to.be.at.most(defaultLimits.values);
  });

  it('ends a command with a verdict', async function () {
    this.timeout(240_000);
    for (const what of ['a rule that names 200 lists', 'a rule of nested folds']) {
      const [, definition = {}] = rows.find(([name]) => name === what) ?? [];
      const [old, next] = ['old', 'new'].map((name) => join(folder, `${name}.json`)) as [string, string]; // prettier-ignore
      writeFileSync(old, stringifyJson(spec({})));
      writeFileSync(next, stringifyJson(definition));
      const { code, stderr } = await run(['check', 'crd', old, next]);
      expect({ code, stderr }, what).to.deep.equal({ code: 1, stderr: '' });
    }
  });
});
