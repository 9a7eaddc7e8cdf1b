import { expect } from 'chai';
import { apiRoles, groupRoles, readRoleName } from './group-roles.js';

describe('readRoleName', () => {
  it('reads every name that OLM gives to the roles of an API', () => {
    const crds = ['v1', 'v1alpha1', 'v2beta3'].map((version) => {
      return { name: 'cats.pets-v1-view.io', version, kind: 'Cat' };
    });
    const services = [{ name: 'owls', group: 'zoo.io', version: 'v2', kind: 'Owl' }];
    const { roles } = apiRoles(crds, services);
    expect(roles).to.have.length(15);
    for (const { name, owner } of roles) {
      const read = readRoleName(name);
      expect(read, name).to.include({ kind: 'api' });
      if (read?.kind !== 'api') continue;
      expect(`${read.api}-${read.version}-${read.suffix}`).to.equal(name);
      expect(read.api).to.equal(owner.kind === 'APIService' ? 'owls' : owner.name);
    }
  });

  it('reads every name that OLM gives to the roles of an OperatorGroup', () => {
    for (const group of ['pets', 'pets.admin-9', 'a.view']) {
      const roles = groupRoles(group, 'zoo', []);
      for (const { name, suffix } of roles) {
        expect(readRoleName(name)).to.deep.equal({ kind: 'group', group, suffix });
      }
    }
  });

  it('does not match other names', () => {
    for (const name of ['admin', 'cluster-admin', 'system:view', 'owls-v1-crdview', 'a-b-admin']) {
      expect(readRoleName(name), name).to.equal(undefined);
    }
  });
});
