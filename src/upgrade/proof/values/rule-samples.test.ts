/** Objects that the old schema accepts are found, though it refuses what is usual. */
import { expect } from 'chai';
import { compileValidator } from '../../../kubernetes/apiserver/validator.js';
import { sampleObjects } from './samples.js';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { proveDocuments } from '../testing/prove-documents.js';
import { sampleObject } from './sample-object.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const ruled = (schema: JsonObject, ...rules: string[]): JsonObject => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const list = (items: JsonObject, ...rules: string[]): JsonObject =>
  ruled({ type: 'array', items, maxItems: 10 }, ...rules);
const definition = (spec: JsonObject): JsonObject => withSchema(object({ spec }));

function effectOf(old: JsonObject, next: JsonObject): string {
  return proveDocuments(definition(old), definition(next)).effect;
}

describe('objects that schemas accept', () => {
  for (const field of [
    ruled(string, "self.matches('x')"),
    ruled(string, "self.matches('^[a-z]+-[0-9]{3}$')"),
    ruled(string, "self.matches(r'^\\d+\\.\\d+$')"),
    ruled(string, "self.startsWith('abc-') && self.endsWith('z')"),
    ruled(string, "self in ['foo', 'bar']"),
    ruled(string, "self == 'foo' || self == 'bar'"),
    ruled(string, 'size(self) > 12'),
    ruled({ ...string, pattern: '^[a-z.]+$' }, "self.endsWith('.svc')"),
    ruled(string, "url(self).getScheme() == 'https'"),
    ruled(string, "duration(self) > duration('1h')"),
    ruled(string, "quantity(self).isGreaterThan(quantity('1Gi'))"),
    ruled(string, "timestamp(self) > timestamp('2030-01-01T00:00:00Z')"),
    ruled(string, 'isIP(self)'),
    ruled(string, 'isCIDR(self)'),
    ruled(string, 'semver(self).major() > 2'),
    ruled(
      string,
      "self.split('.').all(part, part.matches('^[a-z]{2,}$')) && self.split('.').size() >= 3",
    ),
    ruled(integer, 'self > 100 && self % 7 == 0'),
    ruled({ type: 'number' }, 'self > 0.5 && self < 0.75'),
    ruled(
      { 'x-kubernetes-int-or-string': true },
      "type(self) == string ? self.endsWith('%') : self > 5",
    ),
    ruled(
      { type: 'object', additionalProperties: string, maxProperties: 5 },
      "self.all(key, key.startsWith('app.') && self[key].matches('^v[0-9]+$'))",
      'self.size() > 0',
    ),
    {
      ...list(
        {
          ...object({ a: integer, b: integer }),
          required: ['a', 'b'],
        },
        'self.all(x, x.a > x.b && x.b > 7)',
      ),
      minItems: 1,
    },
    {
      ...ruled(
        { type: 'object', additionalProperties: string, maxProperties: 5 },
        "self.all(key, key.startsWith('app.'))",
      ),
      minProperties: 1,
    },
  ]) {
    const [{ rule }] = field['x-kubernetes-validations'] as [{ rule: string }];
    it(`lose a field that goes: ${rule}`, () => {
      const old = { ...object({ field, kept: string }), required: ['field'] };
      expect(effectOf(old, object({ kept: string }))).to.equal('data-loss');
      // Whoever asks for any object gets one too.
      expect(sampleObject(definition(old), 'v1'), 'one').not.to.equal(undefined);
      expect(sampleObjects(compileValidator(definition(old), 'v1'), 5), 'some').not.to.have.length(
        0,
      );
    });
  }

  for (const [what, field] of Object.entries({
    'a number between two bounds': {
      ...{ type: 'number', minimum: 0.5, maximum: 0.75 },
      ...{ exclusiveMinimum: true, exclusiveMaximum: true },
    },
    'a word by its edges': { ...string, pattern: '\\bfoo\\b.*\\d' },
    'what not leaves': { ...string, pattern: '^[a-c]$', not: { enum: ['a', 'b'] } },
    'an embedded resource of one kind': {
      ...object({ kind: { ...string, enum: ['Pod'] } }),
      'x-kubernetes-embedded-resource': true,
    },
    'a moment of one decade': { ...string, format: 'date-time', pattern: '^203' },
    'a book by its number': { ...string, format: 'isbn' },
    'an object by its id': { ...string, format: 'bsonobjectid' },
  })) {
    it(`lose a field that goes: ${what}`, () => {
      const old = { ...object({ field, kept: string }), required: ['field'] };
      expect(effectOf(old, object({ kept: string }))).to.equal('data-loss');
    });
  }

  const rows: readonly (readonly [title: string, old: JsonObject, next: JsonObject])[] = [
    [
      'a value that only a rule listed is listed no more',
      object({ mode: ruled(string, "self in ['foo', 'bar']") }),
      object({ mode: { ...string, enum: ['foo'] } }),
    ],
    [
      'a bound beside a rule about the same number',
      object({ size: ruled(integer, 'self % 2 == 1 && self > 10') }),
      object({ size: { ...integer, minimum: 14 } }),
    ],
    [
      'a bound of a field that rules compare with another',
      ruled(
        object({ min: integer, max: integer }, { required: ['min', 'max'] }),
        ...['self.min <= self.max', 'self.max > 50'],
      ),
      object({ min: integer, max: { ...integer, maximum: 40 } }),
    ],
    [
      'a bound within a list that several rules shape',
      object({
        ports: list(
          object({ name: string, port: integer }, { required: ['name', 'port'] }),
          'self.all(one, self.exists_one(other, other.name == one.name))',
          ...['self.exists(each, each.port == 443)', 'self.size() >= 2'],
        ),
      }),
      object({
        ports: list(object({ name: string, port: { ...integer, maximum: 442 } })),
      }),
    ],
    [
      'a new rule beside one that stays',
      object({ name: ruled(string, "self.startsWith('a-')") }),
      object({ name: ruled(string, "self.startsWith('a-')", 'self.size() < 5') }),
    ],
  ];
  it('break by a new rule that one combination breaks, of which old rules demand more', () => {
    const tls = ruled(
      object({
        mode: { ...string, enum: ['Terminate', 'Passthrough'], default: 'Terminate' },
        secrets: list(string),
      }),
      "self.mode == 'Terminate' ? size(self.secrets) > 0 : true",
    );
    const listener = object({ name: string, protocol: string, tls }, { required: ['protocol'] });
    const old = [
      "self.all(each, each.protocol in ['HTTPS', 'TLS'] ? has(each.tls) : true)",
      "self.all(each, each.protocol in ['HTTP', 'TCP'] ? !has(each.tls) : true)",
    ];
    const next =
      "self.all(each, each.protocol == 'HTTPS' && has(each.tls) ? each.tls.mode == 'Terminate' : true)";
    const before = object({ listeners: list(listener, ...old) });
    expect(effectOf(before, object({ listeners: list(listener, ...old, next) }))).to.equal(
      'breaking',
    );
  });

  for (const [title, old, next] of rows) {
    it(`break by ${title}`, () => {
      expect(effectOf(old, next)).to.equal('breaking');
    });
  }

  const tls = object({ mode: { ...string, enum: ['Terminate', 'Passthrough'] }, secret: string });
  const beside: readonly (readonly [rule: string, fields: JsonObject, required: string[]])[] = [
    ["self.a == 'x' && self.b == 'y' && self.c == 'z'", { a: string, b: string, c: string }, []],
    ['self.a + self.b == 100', { a: integer, b: integer }, ['a', 'b']],
    ['self.name in self.names', { names: list(string), name: string }, ['name', 'names']],
    ["self.?a.?b.orValue('') == 'q'", { a: object({ b: string }) }, []],
    [
      "has(self.tls) && self.tls.mode == 'Terminate' && has(self.tls.secret) && self.port == 443",
      { tls, port: integer },
      [],
    ],
    [
      "self.mode == 'A' ? has(self.a) && !has(self.b) : has(self.b) && !has(self.a)",
      { mode: { ...string, enum: ['A', 'B'] }, a: object({ x: string }), b: object({ y: string }) },
      ['mode'],
    ],
  ];
  for (const [rule, fields, required] of beside) {
    it(`lose a field beside others of which a rule demands: ${rule}`, () => {
      const old = ruled({ ...object({ ...fields, gone: boolean }), required }, rule);
      expect(effectOf(old, ruled({ ...object(fields), required }, rule))).to.equal('data-loss');
    });
  }

  it('are not claimed where rules exclude each other', () => {
    const field = ruled(string, "self.startsWith('a')", "self.startsWith('b')");
    expect(effectOf(object({ field }), object({}))).to.equal('undecided');
  });
});
