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
};

const definition = (plural: string, spec: Schema, more: Schema = {}): JsonObject =>
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

const denied: readonly (readonly [what: string, spec: Schema, text: string, more?: Schema])[] = [
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
  ['a bound that includes itself', changed('ratio', { type: 'number', minimum: 0 })],
  [
    'a description',
    changed('name', { type: 'string', maxLength: 20, description: 'what it is called' }),
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

  async function install(plural: string, ...args: string[]): Promise<void> {
    const crd = definition(plural, fields);
    const created = await cluster().request('POST', definitions, stringifyJson(crd));
    expect(created.code, created.text).to.equal(201);
    const file = join(folder, `${plural}.json`);
    writeFileSync(file, stringifyJson(crd));
    const { code, stdout, stderr } = await run(['export', 'vap', file, ...args]);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include(`${plural}.example.com: not covered: deletion of the definition`);
    const applied = await cluster().kubectl(['apply', '-f', '-'], { stdin: stdout });
    expect(applied.code, applied.stderr).to.equal(0);
  }

  async function update(
    plural: string,
    spec: Schema,
    more?: Schema,
    user?: readonly string[],
  ): Promise<string> {
    const crd = stringifyJson(definition(plural, spec, more));
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

    for (const [what, spec, text, more] of denied) {
      it(`deny ${what}, in the rule's words`, async () => {
        expect(await update('pinned', spec, more)).to.include(text);
      });
    }
    for (const [what, spec, more] of allowed) {
      it(`allow ${what}`, async () => {
        expect(await update('pinned', spec, more)).to.equal('allowed');
      });
    }

    it('let pass who may break glass, and what is switched off', async () => {
      const groups = ['system:masters', 'olm-guard:break-glass'];
      expect(await update('pinned', without('name'), {}, groups)).to.equal('allowed');
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
  });

  it('pin only what objects use', async () => {
    const objects = join(folder, 'objects.yaml');
    writeFileSync(
      objects,
      'apiVersion: example.com/v1\nkind: used\nmetadata: { name: a }\nspec: { name: one, size: 4, mode: fast }\n',
    );
    await install('used', '--objects', objects);
    await enforced('used');
    expect(await update('used', without('labels'))).to.equal('allowed');
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
    const applied = await cluster().kubectl(['apply', '-f', '-'], { stdin: stdout });
    expect(applied.code, applied.stderr).to.equal(0);
  });
});
