/** Exported policies of definitions with odd names, values and sizes: a real API server takes each, and evaluates it. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  metaOf,
  NumberText,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../src/text/documents/index.js';
import { addUse, policyOf, type Need } from '../../src/gate/index.js';
import { readDefinition } from '../../src/kubernetes/index.js';
import { bindingsPath, policiesPath } from '../../src/gate/policy-sync/coverage.js';
import { samples } from '../../src/rule/testing/samples.js';
import { until } from '../apiserver/processes.js';
import { useCluster } from '../apiserver/mocha.js';
import { definitions, things } from './widgets.js';

const oddTexts = [
  '\u007f',
  '\u0085',
  '\u009f\u0080',
  'a\u2028b\u2029',
  '\ufeff',
  '\u202eexe.txt',
  '😀\u{e0041}\uffff',
  '"] == [] || true || ["\\',
  '\\E.*\\Q',
  '\\',
  "'''\n\t\r",
  '\u0000',
  '${x}$&',
  '__proto__',
  'constructor',
  'in',
  '日本語',
];
const text = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc
    .tuple(fc.constantFrom(...oddTexts), fc.constantFrom(...oddTexts))
    .map((both) => both.join('x')),
  fc.string({ unit: 'binary', maxLength: 8 }).map((each) => each.replaceAll(/\p{Cs}/gu, '')),
);
const long = fc
  .tuple(
    fc.constantFrom(300, 19_999, 50_001, 100_001),
    fc.constantFrom('a', '"', '\\', 'é', '\u007f'),
  )
  .map(([length, letter]) => letter.repeat(length));
const numbers = fc
  .constantFrom(
    ...[
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775808',
      '-9223372036854775809',
    ],
    ...['18446744073709551616', '1e300', '-1E-300', '0.1', '1.0', '-0', '0', '1e21'],
    ...['9007199254740993', '0.30000000000000004'],
  )
  .map((each): JsonValue => new NumberText(each));

const bounded = (bound: JsonValue, keyword: string) => ({ type: 'number', [keyword]: bound });
const field: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({ type: 'string' }),
  fc
    .array(fc.oneof({ weight: 5, arbitrary: text }, long), { minLength: 1, maxLength: 3 })
    .map((all) => ({
      type: 'string',
      enum: [...new Set(all)],
    })),
  fc
    .uniqueArray(numbers, { minLength: 1, maxLength: 4, selector: String })
    .map((all) => ({ type: 'number', enum: all })),
  fc
    .array(fc.oneof(text, numbers, fc.boolean(), fc.constant(null), fc.constant(['a'])), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all) => ({ 'x-kubernetes-preserve-unknown-fields': true, enum: all as JsonValue[] })),
  fc
    .tuple(numbers, fc.constantFrom('minimum', 'maximum'))
    .map(([bound, keyword]) => bounded(bound, keyword)),
  fc
    .oneof(text, long)
    .map((each) => ({ type: 'string', pattern: each.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&') })),
  text.map((each) => ({
    type: 'string',
    'x-kubernetes-validations': [{ rule: `self != ${JSON.stringify(each)}` }],
  })),
  text.map((each) => ({
    type: 'object',
    required: [each],
    properties: { [each]: { type: 'string' }, b: { type: 'integer' } },
  })),
  fc.integer({ min: 1, max: 1000 }).map((maxLength) => ({ type: 'string', maxLength })),
);
const some = fc
  .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: text }, long), field), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all): JsonObject => Object.fromEntries(all));
const many: readonly JsonObject[] = [
  fieldsOf(300, (index) => ({ type: 'integer', maximum: index + 5 })),
  fieldsOf(300, (index) => ({ type: 'string', enum: [`a${index}`, 'b'] })),
  fieldsOf(300, (index) => ({ type: 'string', pattern: `^a{${index}}$` })),
  fieldsOf(120, (index) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: `self.a != 'x${index}'` }],
  })),
  fieldsOf(3, () => ({ type: 'string', enum: numbered(800, 'value') })),
  fieldsOf(2, () => ({
    type: 'object',
    required: numbered(700, 'field'),
    properties: fieldsOf(700, () => ({ type: 'string' })),
  })),
  fieldsOf(40, (index) => ({ type: 'string', enum: [`${index}${'x'.repeat(19_000)}`] })),
  fieldsOf(6_000, () => ({ type: 'string' })),
];

function numbered(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

function fieldsOf(count: number, schemaOf: (index: number) => JsonObject): JsonObject {
  return Object.fromEntries(numbered(count, 'field').map((name, index) => [name, schemaOf(index)]));
}

function definitionOf(index: number, properties: JsonObject): JsonObject {
  return things(`odd${index}.example.com`, {
    served: false,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { kept: { type: 'string' }, ...properties } },
        },
      },
    },
  });
}

/** The definition with something else in the schema of its `spec`. */
function withSpec(crd: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const copy = parseJson(stringifyJson(crd)) as JsonObject;
  const spec = own(copy, 'spec') as JsonObject;
  for (const version of own(spec, 'versions') as JsonObject[]) {
    const schema = own(own(version, 'schema') as JsonObject, 'openAPIV3Schema') as JsonObject;
    const properties = own(schema, 'properties') as JsonObject;
    properties['spec'] = change(own(properties, 'spec') as JsonObject);
  }
  return copy;
}

describe('policies of odd definitions', function () {
  this.timeout(900_000);
  const cluster = useCluster();
  const made: JsonObject[] = [];
  const refusals: string[] = [];

  const send = (method: string, path: string, body: JsonValue, contentType?: string) =>
    cluster().request(
      method,
      path,
      stringifyJson(body),
      contentType === undefined ? {} : { contentType },
    );

  /** As `vap sync` does, which makes YAML of it for the API server. */
  async function apply(object: JsonObject): Promise<void> {
    const path = own(object, 'kind') === 'ValidatingAdmissionPolicy' ? policiesPath : bindingsPath;
    const { name } = metaOf(object);
    const query = '?fieldManager=olm-guard&force=true';
    const { code, text: answer } = await send(
      'PATCH',
      `${path}/${name}${query}`,
      object,
      'application/apply-patch+yaml',
    );
    if (code !== 201) refusals.push(`${name}: ${answer.slice(0, 600)}`);
  }

  const update = async (crd: JsonObject): Promise<string> => {
    const path = `${definitions}/${metaOf(crd).name}`;
    const stored = parseJson((await cluster().request('GET', path)).text) as JsonObject;
    const body = { ...crd, metadata: own(stored, 'metadata') ?? {} };
    const answer = await send('PUT', `${path}?dryRun=All`, body);
    if (answer.code === 409) return update(crd);
    return answer.code === 200 ? 'allowed' : answer.text;
  };
  const withoutKept = (crd: JsonObject): JsonObject =>
    withSpec(crd, (spec) => {
      const properties = { ...(own(spec, 'properties') as JsonObject) };
      delete properties['kept'];
      return { ...spec, properties };
    });

  before(async () => {
    const specs = [...many, ...fc.sample(some, { numRuns: Math.max(30, samples(3)), seed: 42 })];
    for (const [index, properties] of specs.entries()) {
      const crd = definitionOf(index, properties);
      const { code, text: answer } = await send('POST', definitions, crd);
      // Kubernetes itself refuses some: CEL has no such text, or a version of it is too long.
      if (code !== 201) {
        expect(answer, stringifyJson(crd).slice(0, 2000)).to.include('"code":422');
        continue;
      }
      made.push(crd);
      const { schema } = readDefinition(crd, 'v1');
      const needs = new Map<string, Need>();
      addUse({ spec: { kept: 'a' } }, schema, needs);
      const use = index % 3 === 0 ? { use: new Map([['v1', needs]]) } : {};
      for (const object of policyOf(crd, use).objects) await apply(object);
    }
    await until('the policies to count', async () =>
      (await update(withoutKept(made.at(-1) as JsonObject))) === 'allowed' ? undefined : true,
    );
  });

  it('are all taken', () => {
    expect(refusals).to.deep.equal([]);
    expect(made.length).to.be.above(20);
  });

  it('deny that a field goes, and are evaluated without an error', async () => {
    for (const crd of made) {
      const denial = await update(withoutKept(crd));
      expect(denial, metaOf(crd).name).to.include('^.spec.kept may not be removed');
      expect(denial).not.to.match(/failed expression|resulted in error|cost limit/);
    }
  });

  it('allow that a description changes', async () => {
    for (const crd of made) {
      const described = withSpec(crd, (spec) => ({ ...spec, description: 'other words' }));
      expect(await update(described), metaOf(crd).name).to.equal('allowed');
    }
  });
});
