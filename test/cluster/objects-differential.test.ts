/** Does a real API server answer to a create as our validator does? Objects made by us, by the hundred. */
import { expect } from 'chai';
import { compileValidator } from '../../src/kubernetes/apiserver/validator.js';
import { parseJson, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { definitions } from './widgets.js';

/** A schema with one field for each thing that the API server checks in its own way. */
const fields: JsonObject = parseJson(`{
  "count": {"type": "integer", "minimum": 1, "maximum": 10},
  "ratio": {"type": "number", "exclusiveMinimum": true, "minimum": 0.5, "multipleOf": 0.25},
  "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"},
  "mode": {"type": "string", "enum": ["Fast", "Slow"], "nullable": true},
  "when": {"type": "string", "format": "date-time"},
  "address": {"type": "string", "format": "ipv4"},
  "port": {"x-kubernetes-int-or-string": true},
  "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "maxItems": 3},
  "parts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
    "items": {"type": "object", "required": ["key"], "properties": {"key": {"type": "string"}, "value": {"type": "integer", "default": 1}}}},
  "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}, "maxProperties": 2},
  "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"known": {"type": "boolean"}}},
  "choice": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
  "pair": {"type": "object", "properties": {"low": {"type": "integer"}, "high": {"type": "integer"}},
    "x-kubernetes-validations": [{"rule": "!has(self.low) || !has(self.high) || self.low <= self.high"}]}
}`) as JsonObject;

/** Texts of JSON: some fit, some do not, and some only look as if. */
const values: Record<string, readonly string[]> = {
  count: ['1', '10', '0', '11', '1.0', '1.5', '"1"', 'null', '1e0', '9007199254740993'],
  ratio: ['1', '0.75', '0.5', '0.3', '2.25', '-1', '1e2'],
  name: ['"ab"', '"a"', '"abcdef"', '"AB"', '"äö"', '""', '["x"]', '3'],
  mode: ['"Fast"', '"fast"', 'null', '""'],
  when: ['"2024-01-01T00:00:00Z"', '"2024-01-01"', '"2024-13-01T00:00:00Z"', '""'],
  address: ['"10.0.0.1"', '"10.0.0.256"', '"::1"', '"010.0.0.1"'],
  port: ['80', '"http"', '1.5', 'true', '{}'],
  tags: ['[]', '["a"]', '["a","a"]', '["a","b","c","d"]', '[1]', '[null]', '"a"'],
  parts: [
    '[{"key":"a"}]',
    '[{"key":"a"},{"key":"a"}]',
    '[{}]',
    '[{"key":"a","value":"x"}]',
    '[{"key":null}]',
  ],
  labels: ['{}', '{"a":"b"}', '{"a":"long"}', '{"a":"b","c":"d","e":"f"}', '{"a":1}', '{"a":null}'],
  any: ['{"x":[1,{"y":null}]}', '{"known":1}', '{"known":true}', '[]'],
  choice: ['{"a":1}', '{"a":1,"b":2}', '{}', '{"b":"x"}', '{"c":1}'],
  pair: ['{"low":1,"high":2}', '{"low":3,"high":2}', '{"low":1}', '{"low":"a","high":2}'],
};

function definition(): JsonObject {
  return parseJson(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: { type: 'object', properties: fields },
                  status: { type: 'object', properties: fields },
                },
              },
            },
          },
        ],
      },
    }),
  ) as JsonObject;
}

/** 300 objects: every value alone, then pseudo-random mixtures, the same in every run. */
function generatedSpecs(count: number): string[] {
  const names = Object.keys(values);
  const specs = names.flatMap((name) => (values[name] ?? []).map((text) => `{"${name}":${text}}`));
  let state = 42;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  while (specs.length < count) {
    const chosen = names.filter(() => random(3) === 0);
    const members = chosen.map((name) => {
      const texts = values[name] ?? [];
      // The first value of each always fits: mixtures should not all be refused.
      return `"${name}":${texts[random(2) === 0 ? 0 : random(texts.length)]}`;
    });
    specs.push(`{${members.join(',')}}`);
  }
  return specs.slice(0, count);
}

describe('a create on a real API server and the same create judged here', function () {
  this.timeout(240_000);
  const cluster = useCluster();

  async function install(crd: JsonObject): Promise<string> {
    const text = stringifyJson(crd);
    const answer = await cluster().request('POST', definitions, text);
    expect(answer.code, answer.text).to.equal(201);
    const { spec } = JSON.parse(text) as {
      spec: { group: string; names: { plural: string }; versions: { name: string }[] };
    };
    const base = `/apis/${spec.group}/${spec.versions[0]?.name}`;
    await until(`${spec.names.plural} to be served`, async () => {
      const list = await cluster().request('GET', `${base}/${spec.names.plural}`);
      return list.code === 200 ? true : undefined;
    });
    return `${base}/namespaces/default/${spec.names.plural}`;
  }

  const outcome = (code: number): string =>
    code === 201 || code === 200
      ? 'accepted'
      : code === 422 || code === 400
        ? 'refused'
        : `${code}`;

  it('300 generated objects, and their status where they were accepted', async () => {
    const crd = definition();
    const path = await install(crd);
    const validator = compileValidator(crd, 'v1');
    const differences: string[] = [];
    const seen = { accepted: 0, refused: 0 };
    for (const [index, spec] of generatedSpecs(300).entries()) {
      const text = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"t${index}","namespace":"default"},"spec":${spec}}`;
      const real = outcome((await cluster().request('POST', path, text)).code);
      const ours = validator.validateCreate(parseJson(text)).valid ? 'accepted' : 'refused';
      if (real !== ours) differences.push(`${spec}: ${real} there, ${ours} here`);
      seen[ours]++;
      if (index % 10 !== 0) continue;
      // The same values as a status, which has a door of its own.
      const carrier = `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"s${index}","namespace":"default"},"spec":{}`;
      const created = await cluster().request('POST', path, `${carrier}}`);
      const stored = parseJson(created.text) as JsonObject;
      const next = parseJson(created.text) as JsonObject;
      next.status = parseJson(spec);
      const put = await cluster().request('PUT', `${path}/s${index}/status`, stringifyJson(next));
      const judged = validator.validateUpdate(next, stored).valid ? 'accepted' : 'refused';
      if (outcome(put.code) !== judged) {
        differences.push(`status ${spec}: ${put.code} there, ${judged} here`);
      }
    }
    expect(differences).to.deep.equal([]);
    expect(seen.accepted).to.be.greaterThan(60);
    expect(seen.refused).to.be.greaterThan(60);
  });
});
