import { expect } from 'chai';
import { NumberText, type JsonObject } from '../text/documents/index.js';
import { guarantee, onlyBookkeepingChanges, type GuardedRequest } from './guarantees.js';

const base: JsonObject = {
  kind: 'CustomResourceDefinition',
  metadata: { name: 'x', annotations: { a: 'b' }, resourceVersion: '1' },
  spec: { list: [1, { deep: new NumberText('1.0') }] },
  status: { storedVersions: ['v1'] },
};
const metadata = (change: JsonObject): JsonObject => ({
  ...base,
  metadata: { ...(base.metadata as JsonObject), ...change },
});
const changedSpec: JsonObject = { ...base, spec: { list: [1, { deep: 1 }] } };
const going = (change: JsonObject): JsonObject =>
  metadata({ deletionTimestamp: '2026-01-01T00:00:00Z', ...change });
const terminating = going({ finalizers: ['a', 'b'] });

const rows: [name: string, request: GuardedRequest, isNeverDenied: boolean][] = [
  ['a change of spec', { oldObject: base, object: changedSpec }, false],
  ['CREATE', { object: base }, false],
  ['DELETE', { oldObject: base }, false],
  ['a status write', { subResource: 'status', oldObject: base, object: changedSpec }, true],
  [
    'a status write that brings nothing but what the API server writes',
    {
      subResource: 'status',
      oldObject: base,
      object: { ...changedSpec, metadata: metadata({ resourceVersion: '2' }).metadata ?? null },
    },
    true,
  ],
  ...['labels', 'annotations', 'ownerReferences', 'finalizers'].map(
    (field): [string, GuardedRequest, boolean] => [
      `a status write that brings ${field}`,
      {
        subResource: 'status',
        oldObject: base,
        object: { ...changedSpec, metadata: metadata({ [field]: {} }).metadata ?? null },
      },
      false,
    ],
  ),
  [
    'a write of status beside an equal spec',
    { oldObject: base, object: { ...base, status: {} } },
    true,
  ],
  ['labels', { oldObject: base, object: metadata({ labels: { a: 'b' } }) }, true],
  ['finalizers', { oldObject: base, object: metadata({ finalizers: ['a'] }) }, true],
  ['owner references', { oldObject: base, object: metadata({ ownerReferences: [] }) }, true],
  [
    'managed fields and versions',
    {
      oldObject: base,
      object: metadata({ managedFields: [], resourceVersion: '2', generation: 2 }),
    },
    true,
  ],
  ['annotations', { oldObject: base, object: metadata({ annotations: {} }) }, false],
  ['a spec whose deletion has begun', { oldObject: terminating, object: changedSpec }, false],
  [
    'one of the finalizers of what is being deleted',
    { oldObject: terminating, object: going({ finalizers: ['a'] }) },
    true,
  ],
  [
    'the last finalizer of what is being deleted',
    { oldObject: terminating, object: going({ finalizers: [] }) },
    false,
  ],
  [
    'the last finalizer, by the API server',
    { user: 'system:apiserver', oldObject: terminating, object: going({ finalizers: [] }) },
    true,
  ],
  [
    'a deletionTimestamp that only the request brings',
    {
      oldObject: base,
      object: {
        ...changedSpec,
        metadata: metadata({ deletionTimestamp: '2026-01-01T00:00:00Z' }).metadata ?? null,
      },
    },
    false,
  ],
  [
    'the garbage collector',
    {
      user: 'system:serviceaccount:kube-system:generic-garbage-collector',
      oldObject: base,
      object: changedSpec,
    },
    true,
  ],
  [
    'the namespace controller',
    {
      user: 'system:serviceaccount:kube-system:namespace-controller',
      oldObject: base,
      object: changedSpec,
    },
    true,
  ],
  [
    'somebody with such a name elsewhere',
    {
      user: 'system:serviceaccount:default:namespace-controller',
      oldObject: base,
      object: changedSpec,
    },
    false,
  ],
  [
    '1 where 1.0 stood',
    { oldObject: base, object: { ...base, spec: { list: [1, { deep: 1 }] } } },
    false,
  ],
  [
    'keys named as Object.prototype has them',
    { oldObject: base, object: { ...base, toString: 1 } },
    false,
  ],
];

describe('guarantees', () => {
  for (const [name, request, isNeverDenied] of rows) {
    it(`${isNeverDenied ? 'never deny' : 'leave to the policy'}: ${name}`, () => {
      const reason = guarantee(request) ?? onlyBookkeepingChanges(request);
      expect(reason !== undefined).to.equal(isNeverDenied);
    });
  }
});
