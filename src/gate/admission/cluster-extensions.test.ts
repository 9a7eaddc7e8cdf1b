import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { known } from '../../olm/rules/objects/testing/queue-catalog.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { olmReviewers } from './olm-objects.js';
import { review, type Reviewed } from './review.js';

function extension(catalog: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name: 'queue' },
    spec: { source: { sourceType: 'Catalog', catalog: { packageName: 'queue', ...catalog } } },
    ...more,
  };
}

function ask(
  object: JsonObject,
  oldObject: JsonObject | null = null,
  policy: Partial<Policy> = {},
): Promise<Reviewed> {
  const state = FolderState.of([]);
  state.knownCatalogs = [known()];
  const group = 'olm.operatorframework.io';
  return review(
    {
      uid: '1',
      kind: { group, version: 'v1', kind: 'ClusterExtension' },
      resource: { group, version: 'v1', resource: 'clusterextensions' },
      name: 'queue',
      operation: oldObject === null ? 'CREATE' : 'UPDATE',
      object,
      oldObject,
    },
    olmReviewers(state),
    {
      policy: { ...defaultPolicy, ...policy },
      view: state.cluster,
      judge: () => Promise.reject(new Error('not asked here')),
      caller: 'api-server',
      now: new Date(0),
    },
  );
}

const broken = extension({ version: '1.2 ||' });

describe('reviews of ClusterExtensions', () => {
  it('deny a range that cannot be read, naming the extension', async () => {
    const { response } = await ask(broken);
    expect(response.status?.message).to.match(
      /^ClusterExtension queue spec\.source\.catalog\.version: desired version range .*\nTo fix: correct the range.*\nTo go on anyway.*\nTo see it again: kubectl create --dry-run=server -f FILE\nClusterExtension queue was refused by olm-guard:\nClusterExtensionRange at \$\.spec\.source\.catalog\.version: desired version range "1\.2 \|\|" is invalid/,
    );
  });

  it('never hold such a range against a change that leaves it as it was', async () => {
    const { response, decision } = await ask(
      { ...broken, metadata: { name: 'queue', annotations: { team: 'blue' } } },
      broken,
    );
    expect(response.allowed).to.equal(true);
    expect(decision).to.equal('warned');
  });

  it('obey the policy rule by rule and family by family', async () => {
    const modes = (name: string, mode: 'deny' | 'warn' | 'audit'): Partial<Policy> => ({
      modes: new Map([[name, mode]]),
    });
    expect((await ask(broken, null, modes('ClusterExtensionRange', 'warn'))).decision).to.equal(
      'warned',
    );
    const quiet = await ask(extension({}), null, modes('ClusterExtensionResolution', 'audit'));
    expect(quiet.response.warnings?.join() ?? '').not.to.include('ClusterExtensionResolution');
    const strict = modes('ClusterExtensionPackage', 'deny');
    expect((await ask(extension({ packageName: 'quue' }), null, strict)).decision).to.equal(
      'denied',
    );
  });

  it('say in the audit log what it resolves to, warned about or not', async () => {
    const fresh = await ask(extension({ channels: ['stable'] }));
    expect(fresh.response.auditAnnotations).to.deep.equal({
      'resolves-to':
        'installs queue.v1.2.0 (1.2.0) of catalog community; this assumes that ClusterCatalog community is available and selected and no other ClusterCatalog has the package',
    });
    const status = { install: { bundle: { name: 'queue.v1.2.0', version: '1.2.0' } } };
    const there = extension({ channels: ['stable'] }, { status });
    const stays = await ask(extension({ channels: ['stable'], version: '1.2.0' }), there);
    expect(stays.response.auditAnnotations).to.deep.equal({
      'resolves-to':
        'stays at queue.v1.2.0 (1.2.0) of catalog community; this assumes that ClusterCatalog community is available and selected and no other ClusterCatalog has the package',
    });
  });
});
