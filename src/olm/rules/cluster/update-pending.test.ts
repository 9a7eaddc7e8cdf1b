import type { JsonObject } from '../../../text/documents/index.js';
import { makeObject } from '../objects/testing/harness.js';
import { describeScanRule, withApi } from './testing/scan-rows.js';
import { updatePending } from './upgrade-blockers.js';

const day = 86_400_000;
const subscription = (status: JsonObject, name = 'cats', approval = 'Automatic'): JsonObject =>
  withApi(
    makeObject('Subscription', name, 'ns', {
      spec: { name, source: 'c', sourceNamespace: 'olm', installPlanApproval: approval },
      status,
    }),
  );
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString();
const pending = { installedCSV: 'cats.v1', currentCSV: 'cats.v2' };

describeScanRule(updatePending, [
  {
    when: 'both are the same, or nothing is installed yet',
    objects: [
      subscription({ installedCSV: 'cats.v1', currentCSV: 'cats.v1' }),
      subscription({ currentCSV: 'dogs.v1' }, 'dogs'),
    ],
    says: [],
  },
  {
    when: 'a newer one is known',
    objects: [subscription(pending)],
    says: [
      {
        of: 'ns/cats',
        id: 'pending',
        data: { installed: 'cats.v1', current: 'cats.v2', since: '' },
      },
    ],
  },
  {
    when: 'another Subscription of the namespace is Manual, and a condition says since when',
    objects: [
      subscription({
        ...pending,
        lastUpdated: ago(day),
        conditions: [{ type: 'InstallPlanPending', lastTransitionTime: ago(3 * day + 5_000) }],
      }),
      subscription({ installedCSV: 'dogs.v1', currentCSV: 'dogs.v1' }, 'dogs', 'Manual'),
    ],
    says: [
      {
        of: 'ns/cats',
        id: 'unapproved',
        data: {
          installed: 'cats.v1',
          current: 'cats.v2',
          since: /^, for 3 days \(since 20/,
        },
      },
    ],
  },
  {
    when: 'only the last write of the status is known',
    objects: [subscription({ ...pending, lastUpdated: ago(5 * 3_600_000 + 5_000) })],
    says: [
      {
        of: 'ns/cats',
        id: 'pending',
        data: {
          installed: 'cats.v1',
          current: 'cats.v2',
          since: /^, for 5 hours \(since 20/,
        },
      },
    ],
  },
]);
