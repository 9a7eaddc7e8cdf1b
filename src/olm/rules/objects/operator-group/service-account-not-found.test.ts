import { makeGroup, makeObject, describeRule } from '../testing/harness.js';
import { serviceAccountNotFound } from './group-surroundings.js';

const withAccount = makeGroup({ spec: { targetNamespaces: ['ns'], serviceAccountName: 'sa' } });

describeRule(serviceAccountNotFound, [
  { when: 'none asked for', object: makeGroup(), says: [] },
  {
    when: 'there',
    object: withAccount,
    cluster: [makeObject('ServiceAccount', 'sa', 'ns')],
    says: [],
  },
  { when: 'not in view', object: withAccount, unknown: ['ServiceAccount'], says: [] },
  {
    when: 'in another namespace only',
    object: withAccount,
    cluster: [makeObject('ServiceAccount', 'sa', 'other')],
    says: [{ id: 'notFound', data: { name: 'sa', namespace: 'ns' } }],
  },
]);
