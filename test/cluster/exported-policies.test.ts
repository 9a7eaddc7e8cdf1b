/** `export vap`: what a real API server denies by these policies alone, and what it lets pass. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseYaml, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { definitions } from './widgets.js';

type Schema = Record<string, unknown>;

const fields: Schema = {
  name: { type: 'string', maxLength: 20 },
  mode: { type: 'string', enum: ['fast', 'slow'] },
  size: { type: 'integer', minimum: 1, maximum: 10 },
  ratio: { type: 'number', minimum: 0, exclusiveMinimum: true },
  port: { 'x-kubernetes-int-or-string': true },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  parts: {
    type: 'array',
    maxItems: 5,
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, note: { type: 'string' } },
    },
  },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  open: { type: 'object', additionalProperties: true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  flag: { type: 'boolean' },
  maybe: { type: 'string', nullable: true },
  count: { type: 'integer', enum: [1, 2], minimum: 1 },
  level: { type: 'integer', nullable: true, maximum: 9 },
  keyed: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a', 'b'],
    items: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    },
  },
  'it"s \\ $odd\n': { type: 'string' },
  code: { type: 'string', pattern: '^[a-z]+$' },
  box: { type: 'object', properties: { a: { type: 'string' } } },
  template: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object' } },
  },
  ruled: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    'x-kubernetes-validations': [{ rule: 'has(self.a)' }],
  },
};
const ruled = fields['ruled'] as Schema;
const maybe = fields['maybe'] as Schema;
const parts = fields['parts'] as Schema;
const partItems = parts['items'] as Schema;
const partFields = partItems['properties'] as Schema;

const definition = (
  plural: string,
  spec: Schema,
  more: Schema = {},
  root: Schema = {},
): JsonObject =>
  parseYaml(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: plural, plural, singular: plural, listKind: `${plural}List` },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: spec, ...more } },
                ...root,
              },
            },
          },
        ],
      },
    }),
  ) as JsonObject;

const changed = (name: string, schema: Schema): Schema => ({ ...fields, [name]: schema });
const without = (name: string): Schema =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));

const removed = (path: string): string =>
  `"NoExistingFieldRemoved" validation failed: crd/pinned.example.com version/v1 field/${path} may not be removed`;
const refused = (path: string, what: string): string =>
  `"ChangeValidator" validation failed: version "v1", field "${path}": ${what}`;

const declared = 'a field is declared whose values may be others now';

const denied: readonly (readonly [
  what: string,
  spec: Schema,
  text: string,
  more?: Schema,
  root?: Schema,
])[] = [
  ['a field that goes', without('name'), removed('^.spec.name')],
  [
    'a field of a list that goes',
    changed('parts', {
      type: 'array',
      maxItems: 5,
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    }),
    removed('^.spec.parts[*].note'),
  ],
  [
    'another type',
    changed('name', { type: 'integer' }),
    refused('^.spec.name', 'type may not change from string'),
  ],
  [
    'an enum value that goes',
    changed('mode', { type: 'string', enum: ['fast'] }),
    refused('^.spec.mode', 'enum lacks values that are allowed now'),
  ],
  [
    'an enum where there was none',
    changed('name', { type: 'string', maxLength: 20, enum: ['a'] }),
    refused('^.spec.name', 'enum lacks values that are allowed now'),
  ],
  [
    'a higher minimum',
    changed('size', { type: 'integer', minimum: 2, maximum: 10 }),
    refused('^.spec.size', 'minimum refuses values that are allowed now'),
  ],
  [
    'a minimum that becomes exclusive',
    changed('size', { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 10 }),
    refused('^.spec.size', 'minimum refuses values that are allowed now'),
  ],
  [
    'a lower maxItems',
    changed('parts', { ...(fields['parts'] as Schema), maxItems: 4 }),
    refused('^.spec.parts', 'maxItems refuses values that are allowed now'),
  ],
  [
    'a maxLength where there was none',
    changed('parts', {
      ...(fields['parts'] as Schema),
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, note: { type: 'string', maxLength: 3 } },
      },
    }),
    refused('^.spec.parts[*].note', 'maxLength refuses values that are allowed now'),
  ],
  [
    'a list type',
    changed('parts', {
      ...(fields['parts'] as Schema),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    refused('^.spec.parts', 'list type refuses lists that are allowed now'),
  ],
  [
    'a field that becomes required',
    fields,
    refused('^.spec', 'required lists fields that objects need not have now'),
    { required: ['name'] },
  ],
  [
    'a field that becomes required at the top',
    fields,
    refused('^', 'required lists fields that objects need not have now'),
    {},
    { required: ['spec'] },
  ],
  [
    'a key that a map has to have',
    changed('labels', { ...(fields['labels'] as Schema), required: ['a'] }),
    refused('^.spec.labels', 'required lists fields that objects need not have now'),
  ],
  [
    'an integer or string that becomes a string',
    changed('port', { type: 'string' }),
    refused('^.spec.port', 'type may not change from integer or string'),
  ],
  [
    'a boolean that becomes an integer or string',
    changed('flag', { 'x-kubernetes-int-or-string': true }),
    refused('^.spec.flag', 'type may not change from boolean'),
  ],
  [
    'any value that becomes a string',
    changed('any', { type: 'string' }),
    refused('^.spec.any', 'type may not change from any'),
  ],
  [
    'null that is not allowed any more',
    changed('maybe', { type: 'string' }),
    refused('^.spec.maybe', 'null is allowed now'),
  ],
  [
    'a number that leaves its enum',
    changed('count', { type: 'integer', minimum: 1, enum: [1] }),
    refused('^.spec.count', 'enum lacks values that are allowed now'),
  ],
  [
    'a maximum of an integer or string',
    changed('port', { 'x-kubernetes-int-or-string': true, maximum: 9 }),
    refused('^.spec.port', 'maximum refuses values that are allowed now'),
  ],
  [
    'multipleOf',
    changed('size', { ...(fields['size'] as Schema), multipleOf: 2 }),
    refused('^.spec.size', 'multipleOf refuses values that are allowed now'),
  ],
  [
    'a key of a list that goes',
    changed('keyed', {
      ...(fields['keyed'] as Schema),
      'x-kubernetes-list-map-keys': ['a'],
    }),
    refused('^.spec.keyed', 'list type refuses lists that are allowed now'),
  ],
  [
    'an object that has to be a whole one',
    changed('free', {
      ...(fields['free'] as Schema),
      'x-kubernetes-embedded-resource': true,
    }),
    refused('^.spec.free', 'objects need not be whole Kubernetes objects now'),
  ],
  [
    'unknown fields that are pruned',
    changed('free', { type: 'object' }),
    refused('^.spec.free', 'unknown fields are kept now'),
  ],
  [
    'a map of anything that becomes one of strings',
    changed('open', { type: 'object', additionalProperties: { type: 'string' } }),
    refused('^.spec.open', 'unknown fields are kept now'),
  ],
  [
    'a map that becomes a list beside it',
    changed('labels', { type: 'object', items: { type: 'string' } }),
    removed('^.spec.labels[*]'),
  ],
  [
    'a pattern where there was none',
    changed('name', { type: 'string', maxLength: 20, pattern: '^a' }),
    refused('^.spec.name', 'pattern may refuse values that are allowed now'),
  ],
  [
    'another pattern',
    changed('code', { type: 'string', pattern: '^[a-y]+$' }),
    refused('^.spec.code', 'pattern may refuse values that are allowed now'),
  ],
  [
    'a format that is enforced',
    changed('name', { type: 'string', maxLength: 20, format: 'date-time' }),
    refused('^.spec.name', 'format may refuse values that are allowed now'),
  ],
  [
    'another rule in CEL',
    changed('ruled', { ...ruled, 'x-kubernetes-validations': [{ rule: 'has(self.b)' }] }),
    refused('^.spec.ruled', 'a rule in CEL may refuse values that are allowed now'),
  ],
  [
    'a condition where there was none',
    changed('name', { type: 'string', maxLength: 20, not: { enum: ['a'] } }),
    refused('^.spec.name', 'allOf, anyOf, oneOf or not may refuse values that are allowed now'),
  ],
  [
    'a map of anything whose values become strings beside unknown fields',
    changed('open', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      additionalProperties: { type: 'string' },
    }),
    refused('^.spec.open', declared),
  ],
  [
    'an integer or string where anything was',
    changed('open', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { 'x-kubernetes-int-or-string': true } },
    }),
    refused('^.spec.open', declared),
  ],
  [
    'an enum where anything was',
    changed('free', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { 'x-kubernetes-preserve-unknown-fields': true, enum: [1] } },
    }),
    refused('^.spec.free', declared),
  ],
  [
    'items where anything was',
    changed('any', { 'x-kubernetes-preserve-unknown-fields': true, items: { type: 'integer' } }),
    refused('^.spec.any', declared),
  ],
  [
    'an integer among the strings of a map',
    changed('labels', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'integer' } },
    }),
    refused('^.spec.labels', declared),
  ],
  [
    'a field that goes where others are integers',
    changed('box', {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      additionalProperties: { type: 'integer' },
    }),
    removed('^.spec.box.a'),
  ],
  [
    'an object that is no whole one any more',
    changed('template', { type: 'object', properties: { spec: { type: 'object' } } }),
    refused('^.spec.template', 'apiVersion, kind and metadata are kept now'),
  ],
  [
    'a field with an odd name that goes',
    without('it"s \\ $odd\n'),
    removed('^.spec.it"s \\ $odd?'),
  ],
];

const allowed: readonly (readonly [what: string, spec: Schema, more?: Schema])[] = [
  ['a new field', { ...fields, fresh: { type: 'string' } }],
  ['a wider enum', changed('mode', { type: 'string', enum: ['fast', 'slow', 'none'] })],
  ['no enum any more', changed('mode', { type: 'string' })],
  ['wider bounds', changed('size', { type: 'integer', minimum: 0, maximum: 11 })],
  [
    'an integer that becomes a number',
    changed('size', { type: 'number', minimum: 1, maximum: 10 }),
  ],
  [
    'a description of what is kept',
    changed('free', {
      ...(fields['free'] as Schema),
      properties: { a: { 'x-kubernetes-preserve-unknown-fields': true, description: 'any' } },
    }),
  ],
  ['a bound that includes itself', changed('ratio', { type: 'number', minimum: 0 })],
  [
    'a description',
    changed('name', { type: 'string', maxLength: 20, description: 'what it is called' }),
  ],
  [
    'a format that nobody enforces',
    changed('name', { type: 'string', maxLength: 20, format: 'fancy' }),
  ],
  ['no pattern any more', changed('code', { type: 'string' })],
  [
    'a field that becomes required with a default',
    { ...fields, fresh: { type: 'string', default: 'a' } },
    { required: ['fresh'] },
  ],
  [
    'another pattern that takes what the old one took',
    changed('code', { type: 'string', pattern: '^[a-z0-9]+$' }),
  ],
  ['a pattern that takes every string', changed('maybe', { ...maybe, pattern: '^' })],
  [
    'a rule that says otherwise what one said of the same field',
    changed('ruled', { ...ruled, 'x-kubernetes-validations': [{ rule: '(has(self.a))' }] }),
  ],
  [
    'a rule about a new field of items',
    changed('parts', {
      ...parts,
      items: { ...partItems, properties: { ...partFields, id: { type: 'string' } } },
      'x-kubernetes-validations': [{ rule: 'self.all(part, !has(part.id) || part.id != "")' }],
    }),
  ],
  [
    'a condition that names a new field',
    changed('ruled', {
      ...ruled,
      properties: { ...(ruled['properties'] as Schema), fresh: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['fresh'] }],
    }),
  ],
  [
    'a rule about a new field',
    changed('ruled', {
      ...ruled,
      properties: { ...(ruled['properties'] as Schema), fresh: { type: 'string' } },
      'x-kubernetes-validations': [
        { rule: 'has(self.a)' },
        { rule: '!has(self.fresh) || self.fresh != ""' },
      ],
    }),
  ],
  [
    'a field that goes where unknown ones are preserved',
    without('name'),
    { 'x-kubernetes-preserve-unknown-fields': true },
  ],
];

describe('policies that are exported', function () {
  this.timeout(240_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-policies-'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const apply = (text: string) =>
    cluster().kubectl(['apply', '--server-side', '-f', '-'], { stdin: text });

  async function install(plural: string, ...args: string[]): Promise<void> {
    const crd = definition(plural, fields);
    const created = await cluster().request('POST', definitions, stringifyJson(crd));
    expect(created.code, created.text).to.equal(201);
    const file = join(folder, `${plural}.json`);
    writeFileSync(file, stringifyJson(crd));
    const { code, stdout, stderr } = await run(['export', 'vap', file, ...args]);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(`${plural}.example.com: not covered: what the schema says of`);
    const applied = await apply(stdout);
    expect(applied.code, applied.stderr).to.equal(0);
  }

  async function update(
    plural: string,
    spec: Schema,
    more?: Schema,
    root?: Schema,
    user?: readonly string[],
  ): Promise<string> {
    const crd = stringifyJson(definition(plural, spec, more, root));
    const as =
      user === undefined ? [] : ['--as=breaker', ...user.map((group) => `--as-group=${group}`)];
    const { code, stderr } = await cluster().kubectl(
      ['replace', '--dry-run=server', '-f', '-', ...as],
      { stdin: crd },
    );
    return code === 0 ? 'allowed' : stderr;
  }

  const enforced = (plural: string): Promise<unknown> =>
    until('the policies to count', async () =>
      (await update(plural, without('name'))) === 'allowed' ? undefined : true,
    );

  describe('of all fields', () => {
    before(async () => {
      await install('pinned');
      await enforced('pinned');
    });

    for (const [what, spec, text, more, root] of denied) {
      it(`deny ${what}, in the rule's words`, async () => {
        expect(await update('pinned', spec, more, root)).to.include(text);
      });
    }
    for (const [what, spec, more] of allowed) {
      it(`allow ${what}`, async () => {
        expect(await update('pinned', spec, more)).to.equal('allowed');
      });
    }

    it('let pass who may break glass, and what is switched off', async () => {
      const groups = ['system:masters', 'olm-guard:break-glass'];
      expect(await update('pinned', without('name'), {}, {}, groups)).to.equal('allowed');
      const annotate = (value: string) =>
        cluster().kubectl([
          'annotate',
          'crd',
          'pinned.example.com',
          `olm-guard.io/disable${value}`,
        ]);
      await annotate('=all');
      expect(await update('pinned', without('name'))).to.equal('allowed');
      await annotate('-');
      expect(await update('pinned', without('name'))).to.include('NoExistingFieldRemoved');
    });

    it('count no switch-off that a release brought, and none with an end', async () => {
      const crd = definition('pinned', fields);
      const metadata = {
        name: 'pinned.example.com',
        annotations: { 'olm-guard.io/disable': 'all' },
      };
      const brought = await cluster().kubectl(
        ['apply', '--server-side', '--force-conflicts', '--field-manager=vendor', '-f', '-'],
        { stdin: stringifyJson({ ...crd, metadata }) },
      );
      expect(brought.code, brought.stderr).to.equal(0);
      expect(await update('pinned', without('name'))).to.include('NoExistingFieldRemoved');
      const annotate = (...values: string[]) =>
        cluster().kubectl(['annotate', '--overwrite', 'crd', 'pinned.example.com', ...values]);
      await annotate('olm-guard.io/disable-');
      await annotate('olm-guard.io/disable=all', 'olm-guard.io/disable-until=2001-01-01T00:00:00Z');
      expect(await update('pinned', without('name'))).to.include('NoExistingFieldRemoved');
      await annotate('olm-guard.io/disable-', 'olm-guard.io/disable-until-');
    });
  });

  describe('of changes in steps', () => {
    const all: Schema = { a: { type: 'string' }, b: { type: 'string' } };
    const fewer: Schema = { a: { type: 'string' } };
    const stepped = (versions: [name: string, spec: Schema][], conversion?: object): JsonObject => {
      const crd = definition('stepped', all);
      const spec = crd['spec'] as JsonObject;
      const [version] = spec['versions'] as JsonObject[];
      spec['versions'] = versions.map(([name, of], index) => ({
        ...version,
        ...{ name, storage: index === 0 },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: of } },
          },
        },
      })) as unknown as JsonObject[];
      return { ...crd, spec: { ...spec, ...(conversion && { conversion }) } } as JsonObject;
    };
    const replace = async (crd: JsonObject): Promise<string> => {
      const stdin = stringifyJson(crd);
      const { code, stderr } = await cluster().kubectl(['replace', '-f', '-'], { stdin });
      return code === 0 ? 'allowed' : stderr;
    };

    before(async () => {
      const file = join(folder, 'stepped.json');
      const crd = stringifyJson(stepped([['v1', all]]));
      expect((await cluster().request('POST', definitions, crd)).code).to.equal(201);
      writeFileSync(file, crd);
      expect((await apply((await run(['export', 'vap', file])).stdout)).code).to.equal(0);
      await until('the policies to count', async () => {
        const stdin = stringifyJson(stepped([['v1', fewer]]));
        const trial = ['replace', '--dry-run=server', '-f', '-'];
        return (await cluster().kubectl(trial, { stdin })).code === 0 ? undefined : true;
      });
    });

    it('deny that a version loses a field after it has become the storage version', async () => {
      const moved: [string, Schema][] = [
        ['v2', all],
        ['v1', all],
      ];
      expect(await replace(stepped(moved))).to.equal('allowed');
      const narrowed: [string, Schema][] = [
        ['v2', fewer],
        ['v1', all],
      ];
      expect(await replace(stepped(narrowed))).to.include('version/v2 field/^.spec.b may not');
    });

    it('deny that a conversion webhook goes that has come since', async () => {
      const versions: [string, Schema][] = [
        ['v3', fewer],
        ['v2', all],
        ['v1', all],
      ];
      const clientConfig = { url: 'https://127.0.0.1:1/convert' };
      const webhook = { conversionReviewVersions: ['v1'], clientConfig };
      const converted = stepped(versions, { strategy: 'Webhook', webhook });
      expect(await replace(converted)).to.equal('allowed');
      expect(await replace(stepped(versions))).to.include('ConversionRemoved');
    });
  });

  it('pin only what objects use', async () => {
    const objects = join(folder, 'objects.yaml');
    writeFileSync(
      objects,
      'apiVersion: example.com/v1\nkind: used\nmetadata: { name: a }\nspec: { name: one, size: 4, mode: fast, count: 1, level: null }\n',
    );
    await install('used', '--objects', objects);
    await enforced('used');
    expect(await update('used', without('labels'))).to.equal('allowed');
    const lower = { ...without('labels'), level: { ...(fields['level'] as Schema), maximum: 8 } };
    expect(await update('used', lower)).to.include('maximum refuses');
    expect(await update('used', changed('mode', { type: 'string', enum: ['fast'] }))).to.equal(
      'allowed',
    );
    expect(await update('used', changed('mode', { type: 'string', enum: ['slow'] }))).to.include(
      'enum lacks values',
    );
    expect(await update('used', changed('size', { type: 'integer', minimum: 4 }))).to.equal(
      'allowed',
    );
    expect(await update('used', changed('size', { type: 'integer', minimum: 5 }))).to.include(
      'minimum refuses',
    );
  });

  it('say which versions no object was given in', async () => {
    const file = join(folder, 'alone.json');
    writeFileSync(file, stringifyJson(definition('alone', fields)));
    const empty = join(folder, 'empty.json');
    writeFileSync(empty, '{"apiVersion":"v1","kind":"List","items":[]}');
    const { code, stderr } = await run(['export', 'vap', file, '--objects', empty]);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('not covered: fields of v1: no object was given in it');
  });

  it('only warn where that is asked for', async () => {
    await install('watched', '--audit');
    const text = stringifyJson(definition('watched', without('name')));
    await until('the policies to warn', async () => {
      const { code, stderr } = await cluster().kubectl(['replace', '--dry-run=server', '-f', '-'], {
        stdin: text,
      });
      expect(code, stderr).to.equal(0);
      return stderr.includes('NoExistingFieldRemoved') ? true : undefined;
    });
  });

  it('are accepted for every definition of the examples', async () => {
    const { stdout } = await run(['export', 'vap', 'examples/cluster', '-o', 'json']);
    const applied = await apply(stdout);
    expect(applied.code, applied.stderr).to.equal(0);
  });

  it('pin thousands of fields with long names', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `field${'x'.repeat(50)}${index}`,
        { type: 'integer', minimum: 1, maximum: 5 },
      ]),
    );
    const file = join(folder, 'many.json');
    const crd = stringifyJson(definition('many', many));
    const created = await cluster().request('POST', definitions, crd);
    expect(created.code, created.text).to.equal(201);
    writeFileSync(file, crd);
    const { stdout } = await run(['export', 'vap', file]);
    const applied = await apply(stdout);
    expect(applied.code, applied.stderr).to.equal(0);
    const last = `field${'x'.repeat(50)}2999`;
    const kept = Object.fromEntries(Object.entries(many).filter(([name]) => name !== last));
    await until('the policies to count', async () =>
      (await update('many', kept)) === 'allowed' ? undefined : true,
    );
    expect(await update('many', kept)).to.include(`field/^.spec.${last} may not be removed`);
    expect(await update('many', { ...many, more: { type: 'string' } })).to.equal('allowed');
  });
});
