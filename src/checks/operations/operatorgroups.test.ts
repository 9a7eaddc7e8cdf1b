import { expect } from 'chai';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { answer } from './answer.js';

const group: JsonObject = {
  metadata: { name: 'g', namespace: 'ns', annotations: { 'olm.providedAPIs': 'Cat.v1.pets' } },
  spec: { targetNamespaces: ['x'] },
  status: { namespaces: ['x'] },
};
const csv: JsonObject = {
  metadata: { name: 'cats.v1', namespace: 'ns' },
  spec: {
    installModes: [{ type: 'SingleNamespace', supported: true }],
    customresourcedefinitions: { owned: [{ name: 'cats.pets', version: 'v1', kind: 'Cat' }] },
    install: { spec: { permissions: [{ serviceAccountName: 'sa', rules: [{ verbs: ['get'] }] }] } },
  },
  status: { phase: 'Succeeded' },
};
const rival: JsonObject = {
  metadata: { name: 'h', namespace: 'b', annotations: { 'olm.providedAPIs': 'Cat.v1.pets' } },
  status: { namespaces: ['x'] },
};

/** The answer as a script sees it: through JSON. */
function asked(operation: string, input: JsonObject): JsonValue {
  return JSON.parse(JSON.stringify(answer(operation, input))) as JsonValue;
}

describe('OperatorGroup operations', () => {
  it('membership: reports an active member', () => {
    expect(
      asked('membership', { clusterServiceVersion: csv, operatorGroups: [group] }),
    ).to.have.nested.include({
      'verdict.allowed': true,
      'output.member': true,
      'output.state': 'active',
    });
  });

  it('membership: namespaces in the input settle the groups first', () => {
    const fresh = { ...group, status: null };
    const input = { clusterServiceVersion: csv, operatorGroups: [fresh] };
    expect(asked('membership', input)).to.have.nested.property('output.state', 'waiting');
    expect(asked('membership', { ...input, namespaces: [] })).to.have.nested.property(
      'output.state',
      'active',
    );
  });

  it('membership: names the other group and says what OpenShift’s documentation gets wrong', () => {
    const static_ = { ...group, metadata: { name: 'g', namespace: 'ns' } };
    const result = asked('membership', {
      clusterServiceVersion: csv,
      operatorGroups: [static_, rival],
    });
    expect(result).to.have.nested.include({
      'verdict.allowed': false,
      'verdict.findings[0].rule': 'InterOperatorGroupOwnerConflict',
      'output.clashes[0].group': 'h/b',
      'output.explanation[0]':
        'Cat.v1.pets is already provided by OperatorGroup h of namespace b for namespace x',
    });
    const unsupported = { ...csv, spec: {} };
    expect(asked('membership', { clusterServiceVersion: unsupported, operatorGroups: [group] }))
      .to.have.nested.property('output.explanation[0]')
      .that.contains('either');
  });

  it('operatorgroup-sync: a missing service account is refused once', () => {
    const withAccount = { ...group, spec: { targetNamespaces: ['x'], serviceAccountName: 'sa' } };
    const result = asked('operatorgroup-sync', { operatorGroup: withAccount, serviceAccounts: [] });
    expect(result).to.have.nested.property('verdict.findings').with.lengthOf(1);
    expect(result).to.have.nested.property('verdict.findings[0].rule', 'ServiceAccountNotFound');
  });

  it('operatorgroup-sync: bad targets are refused', () => {
    const bad = { ...group, spec: { targetNamespaces: [''] } };
    expect(asked('operatorgroup-sync', { operatorGroup: bad })).to.have.nested.include({
      'verdict.allowed': false,
      'output.error': 'TargetNamespaces cannot contain NamespaceAll: []',
    });
  });

  it('operatorgroup-sync: annotates members', () => {
    const result = asked('operatorgroup-sync', {
      operatorGroup: group,
      clusterServiceVersions: [csv],
    });
    expect(result).to.have.nested.property('output.annotatedCSVs[0].annotations').that.deep.equals({
      'olm.operatorGroup': 'g',
      'olm.operatorNamespace': 'ns',
      'olm.targetNamespaces': 'x',
    });
  });

  it('operator-access: documented roles only for all namespaces', () => {
    const input = { clusterServiceVersion: csv, operatorGroups: [group] };
    const single = asked('operator-access', input);
    expect(single).to.have.nested.property('output.apiClusterRoles').with.lengthOf(4);
    expect(single).to.have.nested.property('output.documentedApiClusterRoles').with.lengthOf(0);
    expect(single).to.have.nested.property('output.grants.scope', 'target-namespaces');
    const everywhere = { ...group, spec: {}, status: { namespaces: [''] } };
    const global = {
      ...csv,
      spec: {
        ...(csv['spec'] as JsonObject),
        installModes: [{ type: 'AllNamespaces', supported: true }],
      },
    };
    const all = asked('operator-access', {
      clusterServiceVersion: global,
      operatorGroups: [everywhere],
    });
    expect(all).to.have.nested.property('output.documentedApiClusterRoles').with.lengthOf(4);
    expect(all).to.have.nested.property('output.grants.scope', 'cluster');
  });

  it('operator-access: nothing for an operator that its group fails', () => {
    const result = asked('operator-access', { clusterServiceVersion: csv, operatorGroups: [] });
    expect(result).to.have.nested.include({
      'output.active': false,
      'output.reason': 'NoOperatorGroup',
    });
    expect(result).to.have.nested.property('output.apiClusterRoles').with.lengthOf(0);
  });

  it('copied-csvs: shows the copies as objects', () => {
    const input = {
      clusterServiceVersion: csv,
      operatorGroups: [group],
      namespaces: [{ name: 'x' }],
    };
    expect(asked('copied-csvs', input)).to.have.nested.include({
      'output.copies[0].metadata.namespace': 'x',
      'output.copies[0].status.reason': 'Copied',
    });
  });

  it('copied-csvs: follows features.disableCopiedCSVs of the OLMConfig', () => {
    const everywhere = { ...group, spec: {}, status: { namespaces: [''] } };
    const input = (disableCopiedCSVs: boolean): JsonObject => ({
      clusterServiceVersion: {
        ...csv,
        metadata: {
          ...(csv['metadata'] as JsonObject),
          annotations: { 'olm.operatorGroup': 'g', 'olm.targetNamespaces': '' },
        },
        spec: {
          ...(csv['spec'] as JsonObject),
          installModes: [{ type: 'AllNamespaces', supported: true }],
        },
      },
      operatorGroups: [everywhere],
      namespaces: [{ name: 'x' }],
      olmConfig: {
        apiVersion: 'operators.coreos.com/v1',
        kind: 'OLMConfig',
        metadata: { name: 'cluster' },
        spec: { features: { disableCopiedCSVs } },
      },
    });
    const copies = (answered: JsonValue): unknown =>
      (answered as unknown as { output: { copies: unknown[] } }).output.copies.length;
    expect(copies(asked('copied-csvs', input(false)))).to.equal(1);
    expect(copies(asked('copied-csvs', input(true)))).to.equal(0);
  });

  it('operatorgroup-targets: warns of a selector that matches nothing', () => {
    const spec = { selector: { matchLabels: { env: 'prod' } } };
    const result = asked('operatorgroup-targets', { namespace: 'ns', spec, namespaces: [] });
    expect(result).to.have.nested.property('verdict.warnings').with.lengthOf(1);
    expect(result).to.have.nested.property('output.statusNamespaces').that.deep.equals([]);
  });

  it('operatorgroup-targets: a list that Go never filled is null', () => {
    expect(
      asked('operatorgroup-targets', { namespace: 'ns', namespaces: null }),
    ).to.have.nested.include({
      'verdict.allowed': true,
      'output.targetNamespacesAnnotation': '',
    });
  });

  it('names the field that does not fit', () => {
    const input = { namespace: 'ns', spec: { targetNamespaces: [1] } };
    expect(asked('operatorgroup-targets', input)).to.have.nested.include({
      'error.code': 'E_INPUT',
      'error.where.path': '$.spec.targetNamespaces[0]',
    });
  });
});
