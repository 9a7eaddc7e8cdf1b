import { expect } from 'chai';
import { newerReleases } from './upstream.js';

describe('releases that are newer than what is followed', () => {
  it('are named, and what cannot be asked is too', () => {
    const said = newerReleases((module) =>
      module.endsWith('/operator-controller')
        ? { latest: 'v1.999.0' }
        : module.startsWith('k8s.io/')
          ? { unknown: 'no network' }
          : { latest: 'v0.0.1' },
    );
    expect(said).to.deep.equal([
      'operator-framework/operator-controller: v1.11.0 is followed, and v1.999.0 is out',
      'kubernetes/apiextensions-apiserver v0.35.4: not asked: no network',
    ]);
  });
});
