import { bypassInForce } from './bypass-in-force.js';
import { describeScanRule, disabled } from './testing/scan-rows.js';

describeScanRule(bypassInForce, [
  {
    when: 'an annotation switches checks off',
    objects: [disabled({ 'olm-guard.io/disable': 'all' })],
    says: [/^info cats\.pets: every check switched off by annotation/],
  },
  {
    when: 'one that has expired is worth a warning',
    objects: [
      disabled({
        'olm-guard.io/disable': 'all',
        'olm-guard.io/disable-until': '2020-01-01T00:00:00Z',
      }),
    ],
    says: [/^warning cats\.pets: .*has passed/],
  },
]);
