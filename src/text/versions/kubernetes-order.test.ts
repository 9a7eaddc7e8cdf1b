import { expect } from 'chai';
import { compareKubernetesVersions } from './version.js';

describe('order of Kubernetes versions', () => {
  const rising: [rule: string, lower: string, higher: string][] = [
    ['alpha below beta', 'v1alpha1', 'v1beta1'],
    ['beta below stable', 'v1beta1', 'v1'],
    ['stage before number', 'v9beta9', 'v1'],
    ['major as a number', 'v2', 'v10'],
    ['minor as a number', 'v1beta2', 'v1beta11'],
    ['any other name below alpha', 'foo', 'v1alpha1'],
    ['stage without a number is another name', 'v1beta', 'v1alpha1'],
    ['other names the other way round', 'foo10', 'foo1'],
    ['too large for 64 bits is another name', 'v99999999999999999999', 'v1alpha1'],
  ];
  for (const [rule, lower, higher] of rising) {
    it(`${rule}: ${lower} < ${higher}`, () => {
      expect(compareKubernetesVersions(lower, higher)).to.equal(-1);
      expect(compareKubernetesVersions(higher, lower)).to.equal(1);
    });
  }
  it('is 0 for equal names', () => {
    expect(compareKubernetesVersions('v1', 'v1')).to.equal(0);
  });
});
