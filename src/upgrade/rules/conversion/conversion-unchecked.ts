import { defineRule, from, sameInBothVersions } from '../../../rule/index.js';

export const conversionUnchecked = defineRule({
  id: 'ConversionUnchecked',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'warning',
  checks: 'A conversion webhook that was not asked, with the reason.',
  why: 'Nothing is known about it: that no fault was found says nothing.',
  instead:
    'Let the gate ask it (manifests/components/conversion), or ask it from where it can be reached: olm-guard roundtrip. Under `unjudged: deny` an update whose converter is not asked is denied, unless the policy says `modes: {ConversionUnchecked: warn}`.',
  source: from.us('docs/threat-model.md'),
  messages: {
    unasked: 'the converter was not asked{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: unasked, reason: it is named by a url }`,
    says: 'was not asked',
  },
});
