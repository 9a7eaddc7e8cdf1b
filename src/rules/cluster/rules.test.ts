import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { FolderState } from '../../facts/olm-state/folder-state.js';
import type { KnownCatalog } from '../../olm/known-catalog.js';
import { known } from '../olm/testdata/queue-catalog.js';
import { aCsv, aGroup, anObject } from '../olm/testing/harness.js';
import { defaultPolicy } from '../../check/policy.js';
import { scanRules } from './rules.js';
import { scan } from '../../check/scan.js';

const withApi = (object: JsonObject): JsonObject => ({
  apiVersion:
    object['kind'] === 'OperatorGroup'
      ? 'operators.coreos.com/v1'
      : 'operators.coreos.com/v1alpha1',
  ...object,
});
const openshift = (version: string): JsonObject => ({
  apiVersion: 'config.openshift.io/v1',
  ...anObject('ClusterVersion', 'version', '', { status: { desired: { version } } }),
});
const bundle = (properties: string): JsonObject =>
  withApi(aCsv({ metadata: { annotations: { 'operatorframework.io/properties': properties } } }));
const condition = (status: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'operators.coreos.com/v2',
  ...anObject('OperatorCondition', 'cats.v1', 'ns', {
    status: { conditions: [{ type: 'Upgradeable', status, message: 'busy' }] },
    ...more,
  }),
});
const catalog = (namespace: string, state: string): JsonObject =>
  withApi(
    anObject('CatalogSource', 'c', namespace, {
      status: { connectionState: { lastObservedState: state } },
    }),
  );
const extension = (bundle: string, name = 'queue'): JsonObject => ({
  apiVersion: 'olm.operatorframework.io/v1',
  ...anObject('ClusterExtension', name, '', {
    spec: { source: { sourceType: 'Catalog', catalog: { packageName: name } } },
    status: { install: { bundle: { name: bundle, version: '1.0.0' } } },
  }),
});
const disabled = (annotations: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cats.pets', annotations },
});

interface Row {
  readonly rule: string;
  readonly when: string;
  readonly objects: readonly JsonObject[];
  readonly catalogs?: readonly KnownCatalog[];
  readonly says: readonly RegExp[];
}

const maximum = '{"properties":[{"type":"olm.maxOpenShiftVersion","value":"4.14"}]}';
const wide = aGroup({ name: 'wide', namespace: 'other', spec: {}, status: [''] });
const rows: readonly Row[] = [
  {
    rule: 'TargetNamespacesOverlap',
    when: 'both groups are named once each',
    objects: [withApi(aGroup()), withApi(wide)],
    says: [/^info ns\/g: shares .* other\/wide$/, /^info other\/wide: shares .* ns\/g$/],
  },
  {
    rule: 'TargetNamespacesOverlap',
    when: 'groups without a common namespace do not',
    objects: [
      withApi(aGroup()),
      withApi(aGroup({ namespace: 'x', spec: { targetNamespaces: ['x'] } })),
    ],
    says: [],
  },
  {
    rule: 'OperatorNotUpgradeable',
    when: 'an operator says so',
    objects: [condition('False')],
    says: [/^warning ns\/cats\.v1: the next version will wait: .*busy/],
  },
  {
    rule: 'OperatorNotUpgradeable',
    when: 'an override lets it go',
    objects: [
      condition('False', { spec: { overrides: [{ type: 'Upgradeable', status: 'True' }] } }),
      condition('True'),
    ],
    says: [],
  },
  {
    rule: 'CatalogUnhealthy',
    when: 'a global one concerns all namespaces',
    objects: [catalog('olm', 'TRANSIENT_FAILURE'), catalog('ns', ''), catalog('x', 'READY')],
    says: [
      /^warning olm\/c: is TRANSIENT_FAILURE; nothing in any/,
      /^warning ns\/c: was never .* namespace ns/,
    ],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'the next minor is beyond the maximum',
    objects: [openshift('4.14.8'), bundle(maximum)],
    says: [/^error ns\/cats\.v1: works up to OpenShift 4\.14: .* 4\.15$/],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'the next minor is within it',
    objects: [openshift('4.13.8'), bundle(maximum)],
    says: [],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: '4.20 is not 4.2',
    objects: [
      openshift('4.19.1'),
      bundle('{"properties":[{"type":"olm.maxOpenShiftVersion","value":4.20}]}'),
    ],
    says: [],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'OLM cannot read the maximum, and keeps the cluster back for that',
    objects: [
      openshift('4.19.1'),
      bundle('{"properties":[{"type":"olm.maxOpenShiftVersion","value":true}]}'),
    ],
    says: [/^error ns\/cats\.v1: has invalid olm\.maxOpenShiftVersion .*: failed to parse "true"/],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'the annotation is no JSON',
    objects: [openshift('4.19.1'), bundle('{')],
    says: [/^error ns\/cats\.v1: has invalid olm\.maxOpenShiftVersion/],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'OLM v1 has installed it, and the catalog has its maximum',
    objects: [openshift('4.15.2'), extension('queue.v1.2.0')],
    catalogs: [known()],
    says: [/^error queue: queue\.v1\.2\.0 works up to OpenShift 4\.15/],
  },
  {
    rule: 'BlocksClusterUpgrade',
    when: 'OLM v1 has installed a version without a maximum, or the catalogs do not know it',
    objects: [openshift('4.15.2'), extension('queue.v1.1.0'), extension('other.v1', 'other')],
    catalogs: [known()],
    says: [],
  },
  {
    rule: 'BypassInForce',
    when: 'an annotation switches checks off',
    objects: [disabled({ 'olm-guard.io/disable': 'all' })],
    says: [/^info cats\.pets: every check switched off by annotation/],
  },
  {
    rule: 'BypassInForce',
    when: 'one that has expired is worth a warning',
    objects: [
      disabled({
        'olm-guard.io/disable': 'all',
        'olm-guard.io/disable-until': '2020-01-01T00:00:00Z',
      }),
    ],
    says: [/^warning cats\.pets: .*has passed/],
  },
];

describe('rules of a scan', () => {
  for (const { rule, when, objects, catalogs = null, says } of rows) {
    it(`${rule}: ${when}`, async () => {
      const state = FolderState.of(objects, { globalCatalogNamespace: 'olm' });
      state.knownCatalogs = catalogs;
      const { results } = await scan(state, { policy: defaultPolicy, now: new Date() });
      const said = results
        .flatMap(({ verdict }) => verdict.findings)
        .filter((finding) => finding.rule === rule)
        .map(({ severity, object, message }) => {
          const place = [object?.namespace, object?.name].filter((part) => part !== undefined);
          return `${severity} ${place.join('/')}: ${message}`;
        });
      expect(said, said.join('\n')).to.have.lengthOf(says.length);
      for (const expected of says) {
        expect(
          said.some((text) => expected.test(text)),
          `${expected} in ${said.join('\n')}`,
        ).to.equal(true);
      }
    });
  }

  it('have a test each', () => {
    expect(new Set(rows.map(({ rule }) => rule))).to.deep.equal(
      new Set(scanRules.map(({ name }) => name)),
    );
  });

  it('say that extensions were not asked for their maximum without catalogs', async () => {
    const state = FolderState.of([openshift('4.15.2'), extension('queue.v1.2.0')]);
    const { unchecked } = await scan(state, { policy: defaultPolicy, now: new Date() });
    expect(unchecked.join()).to.match(/BlocksClusterUpgrade .*name them by --catalog/);
  });

  it('judge a plan that waits as if it were approved, and pass over one that is done', async () => {
    const plan = (phase: string, approved: boolean): JsonObject =>
      withApi(
        anObject('InstallPlan', phase.toLowerCase(), 'ns', {
          spec: { approved },
          status: { phase },
        }),
      );
    const state = FolderState.of([
      withApi(aGroup()),
      withApi(aGroup({ name: 'second' })),
      plan('RequiresApproval', false),
      plan('Complete', true),
      plan('Installing', true),
    ]);
    const { results } = await scan(state, { policy: defaultPolicy, now: new Date() });
    const plans = results.filter(({ name }) => name.startsWith('InstallPlan'));
    expect(plans.map(({ name, verdict }) => [name, verdict.allowed])).to.deep.equal([
      ['InstallPlan ns/installing', false],
      ['InstallPlan ns/requiresapproval', true],
    ]);
    expect(plans[1]?.verdict.findings[0]?.message).to.match(/^once approved: /);
  });
});
