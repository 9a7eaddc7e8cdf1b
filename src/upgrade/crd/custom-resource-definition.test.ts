import { expect } from 'chai';
import { InvalidInputError, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import {
  isCustomResourceDefinition,
  readCustomResourceDefinition,
  requireCrd,
} from './custom-resource-definition.js';
import { definition } from '../rules/crd/testing/definition.js';

const base = definition({ versions: [{ schema: {} }], stored: ['v1'] });
const changed = (part: Record<string, JsonValue>): JsonValue => ({ ...base, ...part });
const spec = (part: Record<string, JsonValue>): JsonValue =>
  changed({ spec: { scope: 'Namespaced', versions: [], ...part } });

describe('reading a CustomResourceDefinition', () => {
  const broken: [row: string, value: JsonValue, path: string, message: string][] = [
    ['not an object', [], '$', 'must be an object'],
    ['nothing', null, '$', 'is missing'],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Pod' },
      '$.kind',
      'is a Pod, not a CustomResourceDefinition',
    ],
    ['no kind', {}, '$.kind', 'is without a kind, not a CustomResourceDefinition'],
    [
      'v1beta1',
      changed({ apiVersion: 'apiextensions.k8s.io/v1beta1' }),
      '$.apiVersion',
      'convert it to apiextensions.k8s.io/v1',
    ],
    [
      'another apiVersion',
      changed({ apiVersion: 'v1' }),
      '$.apiVersion',
      'must be apiextensions.k8s.io/v1',
    ],
    ['no metadata', changed({ metadata: null }), '$.metadata', 'is missing'],
    ['no name', changed({ metadata: {} }), '$.metadata.name', 'is missing'],
    ['an empty name', changed({ metadata: { name: '' } }), '$.metadata.name', 'is empty'],
    ['no spec', changed({ spec: null }), '$.spec', 'is missing'],
    ['no versions', spec({ versions: null }), '$.spec.versions', 'is missing'],
    ['versions that are no list', spec({ versions: {} }), '$.spec.versions', 'must be a list'],
    [
      'a version that is text',
      spec({ versions: ['v1'] }),
      '$.spec.versions[0]',
      'must be an object',
    ],
    ['a version without name', spec({ versions: [{}] }), '$.spec.versions[0].name', 'is missing'],
    [
      'served that is text',
      spec({ versions: [{ name: 'v1', served: 'yes' }] }),
      '$.spec.versions[0].served',
      'must be true or false',
    ],
    [
      'a schema that is a list',
      spec({ versions: [{ name: 'v1', schema: { openAPIV3Schema: [] } }] }),
      '$.spec.versions[0].schema.openAPIV3Schema',
      'must be an object',
    ],
    ['a scope that is a number', spec({ scope: 1 }), '$.spec.scope', 'must be text'],
    [
      'a stored version that is a number',
      changed({ status: { storedVersions: [1] } }),
      '$.status.storedVersions[0]',
      'must be text',
    ],
  ];
  for (const [row, value, path, message] of broken) {
    it(`refuses ${row} and says where`, () => {
      expect(() => readCustomResourceDefinition(value, { file: 'a.yaml' }))
        .to.throw(InvalidInputError, message)
        .with.deep.property('where', { file: 'a.yaml', path });
    });
  }

  it('puts the place of the whole in front', () => {
    expect(() => requireCrd(5, { path: '$.old' }))
      .to.throw(InvalidInputError)
      .with.deep.property('where', { path: '$.old' });
  });

  it('does without what a judgement does not need', () => {
    const read = readCustomResourceDefinition({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'a' },
      spec: {
        versions: [
          { name: 'v1', schema: null },
          { name: 'v1', served: null },
        ],
      },
    });
    expect(read).to.include({ name: 'a', scope: '', convertsByWebhook: false });
    expect(read.versions.map(({ served, schema }) => [served, schema])).to.deep.equal([
      [false, undefined],
      [false, undefined],
    ]);
    expect(read.version('v1')?.index).to.equal(0);
    expect(read.version('v2')).to.equal(undefined);
  });

  it('tells definitions of any API version from other values', () => {
    expect(isCustomResourceDefinition(base)).to.equal(true);
    expect(
      isCustomResourceDefinition(changed({ apiVersion: 'apiextensions.k8s.io/v1beta1' })),
    ).to.equal(true);
    expect(isCustomResourceDefinition(changed({ kind: 'List' }))).to.equal(false);
    expect(isCustomResourceDefinition('text')).to.equal(false);
  });

  const versions: JsonObject[] = [{ name: 'v1' }, { name: 'v2', storage: true }];
  const conditions: JsonValue[] = [];
  const installed: [
    row: string,
    given: Record<string, JsonValue>,
    status: JsonValue | undefined,
  ][] = [
    ['without a status', { spec: { versions } }, { storedVersions: ['v2'] }],
    [
      'with the empty status that generators write',
      { spec: { versions }, status: { conditions, storedVersions: [] } },
      { conditions, storedVersions: ['v2'] },
    ],
    [
      'that a cluster has',
      { spec: { versions }, status: { storedVersions: ['v1', 'v2'] } },
      { storedVersions: ['v1', 'v2'] },
    ],
    ['without a storage version', { spec: { versions: [{ name: 'v1' }] } }, undefined],
  ];
  for (const [row, given, status] of installed) {
    it(`as installed: ${row}`, () => {
      const { apiVersion, kind, metadata } = base;
      const document = { ...{ apiVersion, kind, metadata }, ...given } as JsonObject;
      const read = readCustomResourceDefinition(document).asInstalled();
      expect(read.document['status']).to.deep.equal(status);
      expect(read).to.deep.equal(readCustomResourceDefinition(read.document));
    });
  }
});
