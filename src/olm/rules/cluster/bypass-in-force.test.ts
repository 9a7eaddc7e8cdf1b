import { bypassInForce } from './latent-risks.js';
import { describeScanRule, disabled } from './testing/scan-rows.js';

describeScanRule(bypassInForce, [
  {
    when: 'an annotation switches checks off',
    objects: [disabled({ 'olm-guard.io/disable': 'all' })],
    says: [
      {
        of: 'cats.pets',
        id: 'all',
        data: {
          description: 'annotation "olm-guard.io/disable" on CustomResourceDefinition "cats.pets"',
        },
      },
    ],
  },
  {
    when: 'one that has expired is worth a warning',
    objects: [
      disabled({
        'olm-guard.io/disable': 'all',
        'olm-guard.io/disable-until': '2020-01-01T00:00:00Z',
      }),
    ],
    says: [
      {
        of: 'cats.pets',
        id: 'ignored',
        data: {
          problem:
            'annotation "olm-guard.io/disable" on CustomResourceDefinition "cats.pets" does not count: "olm-guard.io/disable-until: 2020-01-01T00:00:00Z" has passed; set a later time, or take the annotations away',
        },
        severity: 'warning',
      },
    ],
  },
]);
