import { expect } from 'chai';
import { releasesByMinor } from '../../src/kubernetes/index.js';
import { moduleFiles, versionIn } from './kubernetes/module-files.js';
import { newestKnown, type AskModule } from './upstream.js';

/** Answers what stands in the table, and refuses the rest. */
const proxyOf =
  (table: Readonly<Record<string, { version: string; date: string }>>): AskModule =>
  (module, query) =>
    table[`${module}@${query}`] ?? { unknown: 'refused' };

function said(source: string, table: Parameters<typeof proxyOf>[0]): string | undefined {
  return newestKnown(proxyOf(table)).find((line) => line.startsWith(source));
}

describe('releases that are newer than what is followed', () => {
  const controller = 'github.com/operator-framework/operator-controller';

  it('are named with their day', () => {
    const latest = { version: 'v1.999.0', date: '2027-01-01' };
    expect(
      said('operator-framework/operator-controller', { [`${controller}@latest`]: latest }),
    ).to.equal(
      'operator-framework/operator-controller: v1.11.0 of 2026-07-23 is followed, and v1.999.0 of 2027-01-01 is out',
    );
  });

  it('are found one by one where they cannot be listed, or the list is old', () => {
    const table = {
      [`${controller}@v1.11.1`]: { version: 'v1.11.1', date: '2026-08-01' },
      [`${controller}@v1.12.0`]: { version: 'v1.12.0', date: '2026-09-01' },
      [`${controller}@v1.12.1`]: { version: 'v1.12.1', date: '2026-09-02' },
    };
    const found =
      'operator-framework/operator-controller: v1.11.0 of 2026-07-23 is followed, and v1.12.1 of 2026-09-02 is out';
    expect(said('operator-framework/operator-controller', table)).to.equal(
      `${found}: not all could be asked: refused`,
    );
    const old = { ...table, [`${controller}@latest`]: { version: 'v0.9.1', date: '2021-05-26' } };
    expect(said('operator-framework/operator-controller', old)).to.equal(found);
  });

  it('of a commit are known by their day', () => {
    const asked = (date: string): string | undefined =>
      said('kubernetes-sigs/crdify', {
        'sigs.k8s.io/crdify@latest': { version: 'v0.7.0', date },
      });
    expect(asked('2026-09-01')).to.contain('and v0.7.0 of 2026-09-01 is out');
    expect(asked('2026-06-02')).to.equal(
      'kubernetes-sigs/crdify: bb9957d of 2026-06-02, none newer is known',
    );
  });

  it('are held against the releases that the programs of the minors are built of', () => {
    const built = [...moduleFiles].map(([minor, file]) => [
      minor,
      versionIn(file, 'k8s.io/apiextensions-apiserver'),
    ]);
    expect([...releasesByMinor]).to.deep.equal(built);
  });

  it('of a minor are those of this minor, and the next minor is told with its command', () => {
    const library = 'k8s.io/apiextensions-apiserver';
    const table = {
      [`${library}@v0.34`]: { version: 'v0.34.99', date: '2027-01-01' },
      [`${library}@v0.38.0-beta.0`]: { version: 'v0.38.0-beta.0', date: '2026-11-06' },
    };
    expect(said('Kubernetes 1.34', table)).to.contain('and v0.34.99 of 2027-01-01 is out');
    expect(said('Kubernetes 1.33', table)).to.contain(
      'none newer is known: not all could be asked',
    );
    expect(said('Kubernetes 1.38', table)).to.equal(
      'Kubernetes 1.38: v0.38.0-beta.0 of 2026-11-06 is out: npm run minor -- 1.38.0-beta.0',
    );
    expect(said('Kubernetes 1.38', {})).to.equal('Kubernetes 1.38: no release is known');
  });
});
