/** `olm-guard resolve --kubeconfig`: what it says of a real API server is what it says of the same objects in files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isObject, own, parseDocuments, type JsonObject } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { root, run } from '../cli/command.js';
import { createAll, installOlm } from './olm-definitions.js';

const scenarios: readonly (readonly [folder: string, code: 0 | 1, says: string])[] = [
  ['deadlock', 0, 'Subscription alerts is not upgraded'],
  ['missing-api', 1, 'Nothing meets that: no visible catalog provides it in any version.'],
  ['version-conflict', 1, 'A namespace has at most one operator of package queue'],
  ['deprecated-api', 0, 'Subscription database is not upgraded'],
  ['no-and', 0, 'Installs etcd-cluster.v1.0.0'],
];

describe('resolve --kubeconfig', () => {
  const cluster = useCluster({ users: [{ name: 'nobody' }] });
  before(() => installOlm(cluster()));

  for (const [folder, code, says] of scenarios) {
    it(`${folder}: as from files`, async () => {
      const path = join(root, 'examples', 'resolve', folder);
      const file = join(path, 'state', 'team.yaml');
      const objects = parseDocuments(readFileSync(file, 'utf8'), { file });
      await createAll(
        cluster(),
        objects.flatMap(({ value }) => (isObject(value) ? [movedTo(folder, value)] : [])),
      );
      const catalog = ['--catalog', join(path, 'community')];
      const live = await run([
        ...['resolve', '--namespace', folder, '--kubeconfig', cluster().kubeconfigPath],
        ...catalog,
      ]);
      const ofFiles = await run([
        ...['resolve', '--namespace', 'team', '--state', join(path, 'state')],
        ...catalog,
      ]);
      expect(live.stderr).to.equal('');
      expect(live.code).to.equal(code);
      expect(live.stdout).to.include(says);
      expect(live.stdout.replaceAll(`namespace ${folder}`, 'namespace team')).to.equal(
        ofFiles.stdout,
      );
    });
  }

  it('names the right that is missing, and answers nothing', async () => {
    const path = join(root, 'examples', 'resolve', 'no-and');
    const ended = await run([
      ...['resolve', '--namespace', 'no-and', '--kubeconfig', cluster().kubeconfigPath],
      ...['--context', 'nobody', '--catalog', join(path, 'community')],
    ]);
    expect(ended.code).to.equal(2);
    expect(ended.stdout).to.equal('');
    // All kinds are asked for at once: whichever is refused first is named.
    expect(ended.stderr).to.match(
      /: (operatorgroups|subscriptions|clusterserviceversions|catalogsources)\.\S+ is forbidden: User "nobody" cannot list/,
    );
  });
});

/** The scenarios share a namespace in files; on one cluster each has its own. */
function movedTo(namespace: string, object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (!isObject(metadata) || own(metadata, 'namespace') !== 'team') return object;
  return { ...object, metadata: { ...metadata, namespace } };
}
