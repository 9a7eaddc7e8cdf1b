import { expect } from 'chai';
import { apiHash, type ApiRole, apiRoles, documentedApiRoles } from './group-roles.js';

const crds = [{ name: 'cats.pets.io', version: 'v1', kind: 'Cat' }];
const services = [{ name: 'owls', group: 'zoo.io', version: 'v2', kind: 'Owl' }];

function summary(roles: readonly ApiRole[]): string[] {
  return roles.map(({ name, rules, owner }) =>
    [
      name,
      ...rules.map((rule) =>
        [rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames ?? []].join(' '),
      ),
      owner.kind,
    ].join(' | '),
  );
}

describe('apiRoles', () => {
  it('makes four roles per CustomResourceDefinition and three per APIService', () => {
    expect(summary(apiRoles(crds, services).roles)).to.deep.equal([
      'cats.pets.io-v1-admin | * pets.io cats  | CustomResourceDefinition',
      'cats.pets.io-v1-edit | create,update,patch,delete pets.io cats  | CustomResourceDefinition',
      'cats.pets.io-v1-view | get,list,watch pets.io cats  | CustomResourceDefinition',
      'cats.pets.io-v1-crdview | get apiextensions.k8s.io customresourcedefinitions cats.pets.io | CustomResourceDefinition',
      'owls-v2-admin | * zoo.io owls  | APIService',
      'owls-v2-edit | create,update,patch,delete zoo.io owls  | APIService',
      'owls-v2-view | get,list,watch zoo.io owls  | APIService',
    ]);
  });

  it('labels the crdview role as a view', () => {
    const hash = apiHash({ group: 'pets.io', version: 'v1', kind: 'Cat' });
    expect(apiRoles(crds, []).roles[3]?.labels).to.deep.equal({
      'olm.managed': 'true',
      [`olm.opgroup.permissions/aggregate-to-${hash}-view`]: 'true',
      'rbac.authorization.k8s.io/aggregate-to-view': 'true',
    });
  });

  it('stops at a name without a dot, as OLM does', () => {
    const result = apiRoles([...crds, { name: 'owls', version: 'v1', kind: 'Owl' }], services);
    expect(result.error).to.equal("invalid parsing of name 'owls', got [owls]");
    expect(result.roles).to.have.lengthOf(4);
  });
});

describe('documentedApiRoles', () => {
  it('names the roles as tables 2.5 and 2.6 do', () => {
    expect(documentedApiRoles('g', crds, services).map((role) => role.name)).to.deep.equal([
      'Cat.pets.io-v1-admin',
      'Cat.pets.io-v1-edit',
      'Cat.pets.io-v1-view',
      'Cat.pets.io-v1-view-crdview',
      'Owl.zoo.io-v2-admin',
      'Owl.zoo.io-v2-edit',
      'Owl.zoo.io-v2-view',
    ]);
  });

  it('labels them with the name of the group', () => {
    const labels = documentedApiRoles('g', crds, []).map((role) => role.labels);
    expect(labels.slice(2)).to.deep.equal([
      {
        'rbac.authorization.k8s.io/aggregate-to-view': 'true',
        'olm.opgroup.permissions/aggregate-to-view': 'g',
      },
      {
        'rbac.authorization.k8s.io/aggregate-to-view': 'true',
        'olm.opgroup.permissions/aggregate-to-view': 'g',
      },
    ]);
  });
});
