/** Resolution in a thread of its own, which keeps what it needs to know of the catalogs. */
import { expect } from 'chai';
import type { ResolutionQuestion } from '../../src/gate/admission/resolution-question.js';
import type { Catalog } from '../../src/olm/catalogs/catalog.js';
import { loadCatalog } from '../../src/olm/catalogs/load.js';
import { ResolutionThread } from '../../src/gate/server/resolution-thread.js';
import { until } from './until.js';

const worker = new URL('./resolution-worker.mjs', import.meta.url);
const origin = { name: 'community', namespace: 'olm', priority: 0 };
const needsMissing = {
  type: 'olm.package.required',
  value: { packageName: 'missing', versionRange: '>=1.0.0' },
};

/** Package `queue`, which any namespace can have, and `stuck`, which none can. */
const catalog = catalogOf(...packageOf('queue'), ...packageOf('stuck', needsMissing));
const served = { ...origin, catalog };

function packageOf(name: string, ...needs: readonly object[]): object[] {
  const properties = [
    { type: 'olm.package', value: { packageName: name, version: '1.0.0' } },
    ...needs,
  ];
  const csv = `${name}.v1.0.0`;
  return [
    { schema: 'olm.package', name, defaultChannel: 'stable' },
    { schema: 'olm.channel', package: name, name: 'stable', entries: [{ name: csv }] },
    { schema: 'olm.bundle', package: name, name: csv, image: 'example.com/a', properties },
  ];
}

function catalogOf(...objects: readonly object[]): Catalog {
  const content = Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n'));
  return loadCatalog([{ path: 'catalog.json', content }]).catalog;
}

function subscribing(name: string, namespace = 'ns'): ResolutionQuestion {
  const state = (names: readonly string[]): ResolutionQuestion['after'] => ({
    namespace,
    globalCatalogNamespace: 'olm',
    operatorGroups: [{ name: 'group', namespace }],
    subscriptions: names.map((each) => ({
      ...{ name: each, namespace, package: each },
      ...{ catalog: 'community', catalogNamespace: 'olm' },
    })),
  });
  return { before: state([]), after: state([name]) };
}

describe('the thread that resolves', () => {
  const threads: ResolutionThread[] = [];
  const open = (): ResolutionThread => {
    const thread = new ResolutionThread({ worker, megabytes: 2048 });
    threads.push(thread);
    return thread;
  };
  afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

  it('answers by the catalogs it was given, and says what stops a namespace', async () => {
    const thread = open();
    thread.know([served]);
    const [resolved, stopped] = await Promise.all([
      thread.resolve(subscribing('queue')),
      thread.resolve(subscribing('stuck')),
    ]);
    expect(resolved).to.include({ outcome: 'succeeded' });
    expect(resolved.findings).to.deep.equal([]);
    expect(stopped.outcome).to.equal('failed');
    expect(stopped.findings.map(({ rule }) => rule)).to.deep.equal(['ResolutionConflict']);
  });

  it('lets what is asked early wait for the catalogs', async () => {
    const thread = open();
    const asked = thread.resolve(subscribing('queue'));
    thread.know([served]);
    expect((await asked).outcome).to.equal('succeeded');
  });

  it('answers by new catalogs once they are there, the last of several', async () => {
    const thread = open();
    thread.know([served]);
    expect((await thread.resolve(subscribing('queue'))).outcome).to.equal('succeeded');
    thread.know([served, served]);
    thread.know([{ ...origin, catalog: catalogOf() }]);
    await until(async () => (await thread.resolve(subscribing('queue'))).outcome === 'failed');
  });

  it('knows the catalogs again when it had to be replaced', async () => {
    const thread = open();
    thread.know([served]);
    const fatal = await thread.resolve(subscribing('stuck', 'fatal')).catch(String);
    expect(fatal).to.include('the judgement ended early');
    expect((await thread.resolve(subscribing('queue'))).outcome).to.equal('succeeded');
  });
});
