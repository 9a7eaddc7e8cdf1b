import { expect } from 'chai';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { preferred, lossesOf, type Losses } from './consumer.js';
import { judgeConsumers } from './judge.js';

/** `v1:scale,status` is served with both subresources, `-v1` is not served. */
function definition(versions: readonly string[]): ReturnType<typeof readCustomResourceDefinition> {
  return readCustomResourceDefinition({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      versions: versions.map((each) => {
        const [name = '', subresources = ''] = each.replace('-', '').split(':');
        const all = subresources.split(',').filter((one) => one !== '');
        return {
          ...{ name, served: !each.startsWith('-'), storage: name === 'v1' },
          subresources: Object.fromEntries(all.map((one) => [one, {}])),
        };
      }),
    },
  });
}

interface Row {
  readonly name: string;
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly lost?: Partial<Losses>;
  /** What an autoscaler is told. */
  readonly says?: string;
}

const rows: readonly Row[] = [
  { name: 'nothing changes', old: ['v1:scale,status'], next: ['v1:scale,status'] },
  { name: 'a version comes', old: ['v1:scale'], next: ['v1:scale', 'v1beta1'] },
  {
    name: 'a version goes that nobody prefers',
    old: ['v1beta1:scale', 'v1:scale'],
    next: ['v1:scale'],
    lost: { versions: ['v1beta1'] },
  },
  {
    name: 'a version is served no longer',
    old: ['v1beta1', 'v1'],
    next: ['-v1beta1', 'v1'],
    lost: { versions: ['v1beta1'] },
  },
  {
    name: 'scale goes from a version that nobody prefers',
    old: ['v1beta1:scale', 'v1:scale'],
    next: ['v1beta1', 'v1:scale'],
    lost: { subresources: ['scale'] },
  },
  {
    name: 'scale goes from the preferred version',
    old: ['v1beta1:scale', 'v1:scale'],
    next: ['v1beta1:scale', 'v1'],
    lost: { subresources: ['scale'], scaling: true },
    says: 'uses the scale subresource of version v1, which is gone',
  },
  {
    name: 'the preferred version goes, and the next one has no scale',
    old: ['v1beta1', 'v1:scale'],
    next: ['v1beta1'],
    lost: { versions: ['v1'], scaling: true },
    says: 'the preferred version, which is now v1beta1 and has none',
  },
  {
    name: 'a version without scale becomes the preferred one',
    old: ['v1:scale'],
    next: ['v1:scale', 'v2'],
    lost: { scaling: true },
    says: 'the preferred version, which is now v2 and has none',
  },
  {
    name: 'none is served any more',
    old: ['v1:scale'],
    next: ['-v1:scale'],
    lost: { versions: ['v1'], scaling: true },
    says: 'needs version v1, which is no longer served',
  },
  {
    name: 'status goes',
    old: ['v1:status'],
    next: ['v1'],
    lost: { subresources: ['status'] },
  },
];

describe('what an update takes away', () => {
  for (const { name, lost, says, ...sides } of rows) {
    it(name, () => {
      const [old, next] = [definition(sides.old), definition(sides.next)];
      const none = { versions: [], subresources: [], scaling: false };
      expect(lossesOf(old.document, next.document)).to.deep.equal({ ...none, ...lost });
      const needs = [{ version: preferred, subresource: 'scale' }] as const;
      const found = judgeConsumers(old, next, [{ name: 'an autoscaler', needs }]);
      expect(found.map(({ message }) => message)).to.have.lengthOf(says === undefined ? 0 : 1);
      if (says !== undefined) expect(found[0]?.message).to.include(says);
    });
  }
});
