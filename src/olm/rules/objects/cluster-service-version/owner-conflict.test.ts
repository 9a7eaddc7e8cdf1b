import { aCsv, describeRule } from '../testing/harness.js';
import { ownerConflict } from './other-operators.js';
import { v1, v2 } from './testing/objects.js';

const stranger = aCsv({ name: 'stranger' });
const conflict =
  'error: conflicting CRD owner in namespace: ClusterServiceVersion stranger owns cats.pets';
const byLabel = aCsv({ metadata: { labels: { 'olm.copiedFrom': 'elsewhere' } } });
const byAnnotation = aCsv({ metadata: { annotations: { 'olm.operatorNamespace': 'elsewhere' } } });
const innocent = aCsv({ owns: [], metadata: { labels: { 'olm.copiedFrom': 'elsewhere' } } });

const v3 = aCsv({ name: 'cats.v3', spec: { replaces: 'cats.v2' } });

describeRule(ownerConflict, [
  { when: 'alone', object: v1, says: [] },
  { when: 'replaces the owner', object: v2, cluster: [v1], says: [] },
  { when: 'further down the chain', object: v3, cluster: [v1, v2], says: [] },
  { when: 'is itself replaced', object: v1, cluster: [v2, v3], says: [] },
  {
    when: 'another namespace',
    object: v1,
    cluster: [aCsv({ name: 'other', namespace: 'b' })],
    says: [],
  },
  {
    when: 'a cycle ends',
    object: aCsv({ name: 'a', spec: { replaces: 'b' } }),
    cluster: [aCsv({ name: 'b', spec: { replaces: 'a' } })],
    says: [],
  },
  {
    when: 'a stranger owns it',
    object: v1,
    cluster: [aCsv({ name: 'stranger' })],
    says: [
      'error: conflicting CRD owner in namespace: ClusterServiceVersion stranger owns cats.pets',
    ],
  },
  {
    when: 'what only its status calls a copy',
    object: aCsv({ status: { phase: 'Succeeded', reason: 'Copied' } }),
    cluster: [stranger],
    says: [conflict],
  },
  {
    when: 'an owner that only its status calls a copy',
    object: v1,
    cluster: [aCsv({ name: 'stranger', status: { phase: 'Succeeded', reason: 'Copied' } })],
    says: [conflict],
  },
  ...[byLabel, byAnnotation].flatMap((copy, index) => [
    {
      when: `a copy that OLM makes ${index}`,
      object: copy,
      isByOlm: true,
      cluster: [stranger],
      says: [],
    },
    {
      when: `what says that it is a copy ${index}`,
      object: copy,
      cluster: [stranger],
      says: [conflict],
    },
    {
      when: `a copy that stays one ${index}`,
      object: copy,
      old: copy,
      cluster: [stranger],
      says: [],
    },
    {
      when: `a copy no longer ${index}`,
      object: v1,
      old: copy,
      cluster: [stranger],
      says: [conflict],
    },
    {
      when: `a copy from now on ${index}`,
      object: copy,
      old: v1,
      cluster: [stranger],
      says: [conflict],
    },
  ]),
  {
    when: 'a copy with another spec',
    object: byLabel,
    old: innocent,
    cluster: [stranger],
    says: [conflict],
  },
  {
    when: 'the chain is broken',
    object: v3,
    cluster: [v1],
    says: ['error: conflicting CRD owner in namespace: ClusterServiceVersion cats.v1'],
  },
]);
