import { expect } from 'chai';
import { apiHash, documentedGroupRoles, groupRoleName, groupRoles } from './group-roles.js';

const cat = { group: 'pets', version: 'v1', kind: 'Cat' };
const dog = { group: 'pets', version: 'v1', kind: 'Dog' };

describe('groupRoles', () => {
  it('makes admin, edit and view in this order, owned by the group', () => {
    const roles = groupRoles('g', 'ns', []);
    expect(roles.map((role) => role.suffix)).to.deep.equal(['admin', 'edit', 'view']);
    expect(roles[0]?.labels).to.deep.equal({
      'olm.managed': 'true',
      'olm.owner': 'g',
      'olm.owner.kind': 'OperatorGroup',
      'olm.owner.namespace': 'ns',
    });
    expect(roles[0]?.aggregationRule).to.equal(null);
  });

  it('selects one label per API, sorted, each once', () => {
    const [admin] = groupRoles('g', 'ns', [dog, cat, dog]);
    const labels = admin?.aggregationRule?.clusterRoleSelectors.map(
      (selector) => Object.keys(selector.matchLabels)[0],
    );
    const hashes = [apiHash(cat), apiHash(dog)].sort();
    expect(labels).to.deep.equal(
      hashes.map((hash) => `olm.opgroup.permissions/aggregate-to-${hash}-admin`),
    );
  });

  it('does not pad the hash with zeros', () => {
    expect(apiHash({ group: '', version: '', kind: '' })).to.equal('7da1a07b4a03f2d');
  });

  const names: [rule: string, length: number, expected: number][] = [
    ['a short name is kept', 5, 5],
    ['a long name is cut so that the whole has 253 bytes', 253, -1],
  ];
  for (const [rule, length, kept] of names) {
    it(rule, () => {
      const name = groupRoleName('n'.repeat(length), 'ns', 'view');
      if (kept === -1) expect(name).to.have.lengthOf(253);
      else expect(name).to.match(new RegExp(`^olm\\.og\\.n{${kept}}\\.view-[0-9a-zA-Z]{30,38}$`));
    });
  }

  it('tells groups of one name in two namespaces apart', () => {
    expect(groupRoleName('g', 'a', 'edit')).to.not.equal(groupRoleName('g', 'b', 'edit'));
  });

  it('knows the names and labels of OpenShift 4.12', () => {
    expect(
      documentedGroupRoles('g').map((role) => [role.name, role.aggregationRule]),
    ).to.deep.equal(
      ['admin', 'edit', 'view'].map((suffix) => [
        `g-${suffix}`,
        {
          clusterRoleSelectors: [
            { matchLabels: { [`olm.opgroup.permissions/aggregate-to-${suffix}`]: 'g' } },
          ],
        },
      ]),
    );
  });
});
