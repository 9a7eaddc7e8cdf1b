import { expect } from 'chai';
import { definition } from '../../upgrade/rules/crd/testing/definition.js';
import { exampleDefinition } from '../../upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../text/documents/index.js';
import { answer } from './answer.js';

const crd = (type: string): JsonObject =>
  definition({ name: 'a.example.com', versions: [{ name: 'v1', schema: { type } }] });

describe('operation crd', () => {
  it('denies by default what does harm, and says what OLM prints of the rest too', () => {
    const described = { type: 'object', description: 'other' };
    const next = definition({
      name: 'a.example.com',
      versions: [{ name: 'v1', schema: described }],
    });
    const harmless = answer('crd', { old: crd('object'), new: next });
    expect(harmless).to.have.nested.property('verdict.allowed', true);
    expect(harmless).to.have.nested.property('verdict.findings[0].severity', 'info');
    expect(harmless)
      .to.have.nested.property('output.message')
      .that.includes('"ChangeValidator" validation failed');
    const asOlm = answer('crd', { old: crd('object'), new: next, profile: 'olm-v1' });
    expect(asOlm).to.have.nested.property('verdict.allowed', false);
    const harmful = answer('crd', { old: crd('object'), new: crd('array') });
    expect(harmful).to.have.nested.property('verdict.allowed', false);
  });

  describe('lets no harm pass because of what stands beside it:', () => {
    const spec = (more: object = {}): object => ({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { a: { type: 'string' } }, ...more },
        status: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    });
    const strict = spec({ required: ['a'] });
    const versions = (...list: object[]): JsonObject => {
      const made = definition({ name: 'a.example.com', versions: [] });
      return { ...made, spec: { ...(made['spec'] as JsonObject), versions: list as JsonObject[] } };
    };
    const version = (name: string, is: string, schema: object, more: object = {}): object => ({
      ...{ name, served: is.includes('served'), storage: is.includes('storage') },
      ...{ schema: { openAPIV3Schema: schema }, ...more },
    });
    const withWebhook = (made: JsonObject): JsonObject => ({
      ...made,
      spec: { ...(made['spec'] as JsonObject), conversion: { strategy: 'Webhook' } },
    });
    const scale = (paths: object): object => ({
      subresources: { scale: { statusReplicasPath: '.status.n', ...paths } },
    });
    const selected = spec({
      properties: {
        n: { type: 'integer' },
        m: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    });
    const rows: [what: string, old: JsonObject, next: JsonObject][] = [
      [
        'the storage version is served from now on',
        versions(version('v1', 'served', spec()), version('v2', 'storage', strict)),
        versions(version('v1', 'served', spec()), version('v2', 'served storage', strict)),
      ],
      [
        'the converter goes as a version comes',
        withWebhook(versions(version('v1', 'served storage', spec()))),
        versions(version('v1', 'served storage', spec()), version('v2', 'served', strict)),
      ],
      [
        'a scale subresource refuses odd numbers',
        versions(
          version('v1', 'served storage', {
            ...selected,
            'x-kubernetes-preserve-unknown-fields': true,
          }),
        ),
        versions(version('v1', 'served storage', selected, scale({ specReplicasPath: '.spec.n' }))),
      ],
      [
        'a scale subresource refuses each selector',
        versions(version('v1', 'served storage', selected)),
        versions(
          version(
            ...(['v1', 'served storage', selected] as const),
            scale({ specReplicasPath: '.spec.n', labelSelectorPath: '.spec.m' }),
          ),
        ),
      ],
    ];
    for (const [what, old, next] of rows) {
      it(what, () => {
        const judged = answer('crd', { old, new: next });
        expect(judged).to.have.nested.property('verdict.allowed', false);
      });
    }

    const replicas = (n: object): object => ({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { n: { type: 'integer', ...n } } },
        status: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    });
    const scaled = scale({ specReplicasPath: '.spec.n', labelSelectorPath: '.status.m' });
    const of = (schema: object, more: object = {}): JsonObject =>
      versions(version('v1', 'served storage', schema, more));
    const selector = (m: object): object => {
      const properties = { n: { type: 'integer' }, ...m };
      return { type: 'object', properties: { status: { type: 'object', properties } } };
    };
    const m = { type: 'object', properties: { a: { type: 'string' } } };
    const twoVersions = (first: object, second: object): JsonObject =>
      versions(version('v1', 'served storage', first), version('v2', 'served', second, scaled));
    const beside: [what: string, old: JsonObject, next: JsonObject, says: RegExp | null][] = [
      [
        'an unchanged scale subresource and a default that it refuses',
        of(replicas({}), scaled),
        of(replicas({ default: -1 }), scaled),
        /the scale subresource refuses what the default sets; \.spec\.n: should be/,
      ],
      [
        'an unchanged scale subresource and a default that it takes',
        of(replicas({}), scaled),
        of(replicas({ default: 1 }), scaled),
        null,
      ],
      [
        'an unchanged scale subresource and a default selector',
        of(selector({ m }), scaled),
        of(selector({ m: { ...m, default: {} } }), scaled),
        /\.status\.m accessor error/,
      ],
      [
        'a new scale subresource that looks for a field in a list',
        of(selector({ o: { type: 'array', items: { type: 'string' } } })),
        of(
          selector({ o: { type: 'array', items: { type: 'string' } } }),
          scale({ specReplicasPath: '.status.o.n' }),
        ),
        /\.status\.o\.n accessor error/,
      ],
      [
        'a struct that becomes atomic, with a list inside whose items appliers share',
        ...[{}, { 'x-kubernetes-map-type': 'atomic' }].map((more) => {
          const l = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
          return of(selector({ o: { type: 'object', properties: { l }, ...more } }));
        }),
        /appliers that shared it, or a list inside it, conflict/,
      ] as [string, JsonObject, JsonObject, RegExp],
      [
        'a struct that becomes atomic, and holds texts',
        ...[{}, { 'x-kubernetes-map-type': 'atomic' }].map((more) =>
          of(selector({ o: { ...m, ...more } })),
        ),
        null,
      ] as [string, JsonObject, JsonObject, null],
      ...(['set', 'map'] as const).map((type): [string, JsonObject, JsonObject, null] => {
        const list = (more: object): JsonObject =>
          of(
            selector({
              l: {
                ...{ type: 'array', maxItems: 1, ...more },
                items: {
                  ...{ type: 'object', 'x-kubernetes-map-type': 'atomic', required: ['k'] },
                  properties: { k: { type: 'string' } },
                },
              },
            }),
          );
        const keys = type === 'map' ? { 'x-kubernetes-list-map-keys': ['k'] } : {};
        const next = list({ 'x-kubernetes-list-type': type, ...keys });
        return [`a list of one item that becomes a ${type}`, list({}), next, null];
      }),
      [
        'a list of type map with more keys',
        ...[['k'], ['k', 'j']].map((keys) =>
          of(
            selector({
              l: {
                ...{ type: 'array', 'x-kubernetes-list-type': 'map' },
                'x-kubernetes-list-map-keys': keys,
                items: {
                  ...{ type: 'object', required: ['k', 'j'] },
                  properties: { k: { type: 'string' }, j: { type: 'string' } },
                },
              },
            }),
          ),
        ),
        null,
      ] as [string, JsonObject, JsonObject, null],
      [
        'a new scale subresource that refuses the default',
        of(replicas({ default: -1 })),
        of(replicas({ default: -1 }), scaled),
        /\.spec\.n: should be/,
      ],
      [
        'a default of the stored version, and the scale subresource of another one',
        twoVersions(replicas({}), replicas({})),
        twoVersions(replicas({ default: -1 }), replicas({})),
        /v2 is read from v1, which sets another default; the scale subresource refuses/,
      ],
      [
        'a selector that was pruned so far',
        twoVersions(selector({ m }), selector({})),
        twoVersions(selector({ m }), selector({ m })),
        /v2 has pruned so far what v1 has stored there; the scale subresource reads it/,
      ],
      ...[{}, { default: {} }].map((more): [string, JsonObject, JsonObject, RegExp] => {
        const asked = {
          ...{ type: 'object', required: ['status'] },
          properties: { status: { type: 'object', ...more } },
        };
        const what = `a new status subresource where a status is required, ${JSON.stringify(more)}`;
        const next = of(asked, { subresources: { status: {} } });
        return [what, of(asked), next, /a create drops the status.*; status: Required value/];
      }),
      [
        'a new status subresource and a rule that takes an object without a status',
        ...([{}, { subresources: { status: {} } }] as const).map((more) => {
          const rule = '!has(self.status) || !has(self.status.n) || self.status.n < 5';
          return of({ ...replicas({}), 'x-kubernetes-validations': [{ rule }] }, more);
        }),
        null,
      ] as [string, JsonObject, JsonObject, null],
    ];
    for (const [what, old, next, says] of beside) {
      it(what, () => {
        const judged = answer('crd', { old, new: next });
        expect(judged).to.have.nested.property('verdict.allowed', says === null);
        if (says !== null) expect(JSON.stringify(judged)).to.match(says);
      });
    }
  });

  it('judges by olm-v1', () => {
    const message = 'version "v1", field "^": type changed from "object" to "array"';
    expect(
      answer('crd', {
        old: crd('object'),
        new: crd('array'),
        profile: 'olm-v1',
        effects: false,
      }),
    ).to.deep.include({
      output: {
        message: `validating upgrade for CRD "a.example.com" failed: CustomResourceDefinition a.example.com failed upgrade safety validation. "ChangeValidator" validation failed: ${message}`,
        errors: [{ validator: 'ChangeValidator', message }],
      },
    });
  });

  it('judges by crdify', () => {
    expect(
      answer('crd', {
        old: crd('object'),
        new: crd('array'),
        profile: 'crdify',
        effects: false,
      }),
    ).to.deep.include({
      output: {
        message:
          'validating upgrade for CRD "a.example.com": v1: ^: type: type changed : "object" -> "array"',
        errors: [
          {
            phase: 'same',
            version: 'v1',
            property: '^',
            validation: 'type',
            message: 'type changed : "object" -> "array"',
          },
        ],
      },
    });
  });

  it('gives each finding its effect', () => {
    const found = answer('crd', { old: crd('object'), new: crd('array') });
    expect(found).to.have.nested.property('verdict.findings[0].effect', 'breaking');
    expect(found).to.have.nested.property('verdict.findings[0].witness.kind', 'Sample');
    expect(found).to.have.nested.property('output.effect', 'breaking');
    expect(found).to.have.nested.property('output.errors.length', 1);
  });

  for (const profile of ['olm-v1', 'crdify', 'proof']) {
    it(`finds no object of a type that is none, and does not fail, by ${profile}`, () => {
      for (const type of ['strange', 'constructor', '__proto__']) {
        const found = answer('crd', { old: crd(type), new: crd('object'), profile });
        expect(found, type).to.have.nested.property('output.effect', 'undecided');
        expect(found, type).to.have.nested.property('verdict.findings.length').that.is.above(0);
      }
    });
  }

  it('words a proof as OLM words its own validators', () => {
    const found = answer('crd', { old: crd('object'), new: crd('array'), profile: 'proof' });
    expect(found)
      .to.have.nested.property('output.message')
      .that.matches(
        /^validating upgrade for CRD "a\.example\.com" failed: .*"Proof" validation failed: version "v1", field "\^": breaks objects: .*; for example \{/,
      );
  });

  it('says nothing when the upgrade is allowed', () => {
    expect(answer('crd', { old: crd('object'), new: crd('object') })).to.deep.equal({
      verdict: { allowed: true, findings: [], warnings: [] },
      output: { message: '', errors: [] },
    });
  });

  const broken: [row: string, input: JsonObject, error: object][] = [
    [
      'a profile that is not there',
      { old: crd('object'), new: crd('object'), profile: 'olm-v2' },
      {
        code: 'E_INPUT',
        message: 'must be one of ["olm-v1","crdify","olm-v1.10","proof"]',
        where: { path: '$.profile' },
      },
    ],
    [
      'another kind',
      { old: crd('object'), new: { apiVersion: 'v1', kind: 'Pod' } },
      {
        code: 'E_INPUT',
        message: 'is a Pod, not a CustomResourceDefinition',
        where: { path: '$.new.kind' },
      },
    ],
  ];
  for (const [row, input, error] of broken) {
    it(`refuses ${row}`, () => {
      expect(answer('crd', input)).to.deep.equal({ error });
    });
  }
});

describe('operation crd-objects', () => {
  it('judges by the release that is named', () => {
    const n = { type: 'integer', format: 'int32' };
    const crd = exampleDefinition({ type: 'object', properties: { n } });
    const metadata = { name: 'a', namespace: 'b' };
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, n: 2 ** 40 };
    const isAllowedIn = (release: object): unknown => {
      const said = answer('crd-objects', { crd, version: 'v1', objects: [object], ...release });
      return 'verdict' in said && said.verdict.allowed;
    };
    const releases = [{}, { release: '1.35' }, { release: '1.36' }];
    expect(releases.map(isAllowedIn)).to.deep.equal([true, true, false]);
  });
});
