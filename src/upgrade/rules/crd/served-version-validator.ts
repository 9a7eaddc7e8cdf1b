import { from, oneVersion, sameInBothVersions, twoVersions } from '../../../rule/index.js';
import { describeComparison } from './rule.js';

export const servedVersionValidatorRule = describeComparison({
  id: 'ServedVersionValidator',
  checks:
    'Two served versions of the new definition differ, and no webhook converts between them. The rules about fields compare the older version with the newer.',
  why: 'An object written through one version is read, and checked, through the other.',
  instead:
    'Serve versions whose schemas accept the same objects, or convert between them by a webhook.',
  source: from.operatorController417(
    'internal/operator-controller/rukpak/preflights/crdupgradesafety/validator.go',
    'ServedVersionValidator',
  ),
  example: {
    before: oneVersion,
    after: twoVersions('string'),
    says: 'version upgrade "v1" to "v2", field "^.spec.size": type changed from "integer" to "string"',
    accepted: sameInBothVersions,
  },
});
