import { expect } from 'chai';
import { parseJson, type JsonObject } from '../../text/documents/index.js';
import { aCsv, makeGroup } from '../../olm/rules/objects/testing/harness.js';
import { readCsv } from '../../olm/objects/classic-objects.js';
import {
  transformCsv,
  transformInstallPlan,
  transformMetadata,
  keepMetadata,
} from './transform.js';

describe('what is kept of OLM’s objects', () => {
  const csv = aCsv({
    metadata: {
      managedFields: [{ manager: 'x' }],
      annotations: {
        'alm-examples': 'x'.repeat(5_000),
        'operatorframework.io/properties': '{}',
        'olm.targetNamespaces': 'ns',
        'olm-guard.io/disable': 'all',
      },
    },
    spec: {
      description: 'x'.repeat(10_000),
      icon: [{ base64data: 'x'.repeat(10_000) }],
      replaces: 'cats.v0',
      version: '1.0.0',
      install: {
        spec: {
          deployments: [{ name: 'cats', spec: { template: { a: 'x'.repeat(10_000) } } }],
          clusterPermissions: [{ serviceAccountName: 'cats', rules: [{ verbs: ['get'] }] }],
        },
      },
    },
  });

  it('is a small part of a ClusterServiceVersion, and everything that rules read', () => {
    const trimmed = transformCsv(csv);
    expect(JSON.stringify(trimmed).length).to.be.below(1_500);
    const read = readCsv(trimmed);
    const whole = readCsv(csv);
    const { annotations } = read;
    expect({ ...read, object: {}, annotations: {} }).to.deep.equal({
      ...whole,
      object: {},
      annotations: {},
    });
    expect([...annotations.keys()]).to.have.members(
      [...whole.annotations.keys()].filter((key) => key !== 'alm-examples'),
    );
    expect(trimmed).to.have.nested.property('spec.install.spec.deployments[0].name', 'cats');
    expect(trimmed).to.have.nested.property('spec.install.spec.clusterPermissions');
  });

  it('has a record of who set what only where a switch-off may depend on it', () => {
    const managedFields = [{ manager: 'helm' }];
    const kept = (annotations: JsonObject): JsonObject =>
      keepMetadata({ metadata: { name: 'x', annotations, managedFields } });
    expect(kept({ 'olm-guard.io/disable': 'all' })).to.have.deep.nested.property(
      'metadata.managedFields',
      managedFields,
    );
    expect(kept({ 'core.rukpak.io/safe-crd-upgrade-validation': 'false' })).to.have.nested.property(
      'metadata.managedFields',
    );
    expect(kept({ 'olm.x': 'y' })).not.to.have.nested.property('metadata.managedFields');
  });

  it('has no steps of a plan that is done', () => {
    const plan = (phase: string): JsonObject => ({
      metadata: { name: 'p', namespace: 'ns' },
      spec: { approved: true },
      status: { phase, plan: [{ resource: { manifest: '{}' } }] },
    });
    expect(transformInstallPlan(plan('Complete'))).not.to.have.nested.property('status.plan');
    expect(transformInstallPlan(plan('Installing'))).to.have.nested.property('status.plan');
  });

  it('survives objects of any shape', () => {
    for (const text of [
      '{}',
      '{"metadata":null,"spec":[],"status":1}',
      '{"spec":{"install":5,"webhookdefinitions":{},"customresourcedefinitions":{"owned":[1,null]}}}',
      '{"metadata":{"annotations":{"__proto__":"x","olm.__proto__":1}}}',
    ]) {
      const object = parseJson(text) as JsonObject;
      for (const trim of [transformCsv, transformInstallPlan, transformMetadata, keepMetadata])
        trim(object);
    }
  });

  it('is all of a group but managed fields', () => {
    const group = makeGroup({ provides: 'Cat.v1.pets' });
    expect(transformMetadata(group)).to.deep.equal(group);
  });
});
