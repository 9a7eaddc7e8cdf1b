/** Objects of a cluster, and rows that a scan of them is held against. */
import { expect } from 'chai';
import type { JsonObject } from '../../../../text/documents/index.js';
import { FolderState } from '../../../../cluster/olm-state/folder-state.js';
import type { KnownCatalog } from '../../../objects/view.js';
import {
  aCsv,
  type ExpectedMessage,
  expectWords,
  makeGroup,
  makeObject,
} from '../../objects/testing/harness.js';
import type { Finding } from '../../../../rule/index.js';
import { defaultPolicy } from '../../../../policy/policy.js';
import { scan } from '../../../../checks/cluster-scan/scan.js';
import type { ScanRule } from '../rule.js';

export const withApi = (object: JsonObject): JsonObject => ({
  apiVersion:
    object['kind'] === 'OperatorGroup'
      ? 'operators.coreos.com/v1'
      : 'operators.coreos.com/v1alpha1',
  ...object,
});
export const openshift = (version: string): JsonObject => ({
  apiVersion: 'config.openshift.io/v1',
  ...makeObject('ClusterVersion', 'version', '', { status: { desired: { version } } }),
});
export const bundle = (properties: string): JsonObject =>
  withApi(aCsv({ metadata: { annotations: { 'operatorframework.io/properties': properties } } }));
export const condition = (status: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'operators.coreos.com/v2',
  ...makeObject('OperatorCondition', 'cats.v1', 'ns', {
    status: { conditions: [{ type: 'Upgradeable', status, message: 'busy' }] },
    ...more,
  }),
});
export const catalog = (namespace: string, state: string): JsonObject =>
  withApi(
    makeObject('CatalogSource', 'c', namespace, {
      status: { connectionState: { lastObservedState: state } },
    }),
  );
export const extension = (bundle: string, name = 'queue'): JsonObject => ({
  apiVersion: 'olm.operatorframework.io/v1',
  ...makeObject('ClusterExtension', name, '', {
    spec: { source: { sourceType: 'Catalog', catalog: { packageName: name } } },
    status: { install: { bundle: { name: bundle, version: '1.0.0' } } },
  }),
});
export const disabled = (annotations: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'cats.pets', annotations },
});

export const maximum = '{"properties":[{"type":"olm.maxOpenShiftVersion","value":"4.14"}]}';
export const wide = makeGroup({ name: 'wide', namespace: 'other', spec: {}, status: [''] });

interface Row {
  readonly when: string;
  readonly objects: readonly JsonObject[];
  readonly catalogs?: readonly KnownCatalog[];
  readonly says: readonly (ExpectedMessage & {
    /** `namespace/name` of the object. */
    readonly of: string;
  })[];
}

export function describeScanRule(rule: ScanRule, rows: readonly Row[]): void {
  describe(`rule ${rule.id}`, () => {
    for (const { when, objects, catalogs = null, says } of rows) {
      it(when, async () => {
        const state = FolderState.of(objects, { globalCatalogNamespace: 'olm' });
        state.knownCatalogs = catalogs;
        const { results } = await scan(state, { policy: defaultPolicy, now: new Date() });
        const found = results
          .flatMap(({ verdict }) => verdict.findings)
          .filter((finding) => finding.rule === rule.id);
        expect(found, found.map(({ message }) => message).join('\n')).to.have.lengthOf(says.length);
        for (const [index, { of, ...expected }] of says.entries()) {
          const finding = found[index] as Finding;
          expect(placeOf(finding)).to.equal(of);
          expectWords(rule, finding, expected);
        }
      });
    }
  });
}

function placeOf({ object }: Finding): string {
  return [object?.namespace, object?.name].filter((part) => part !== undefined).join('/');
}
