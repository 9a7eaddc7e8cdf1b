import { defineRule, from, sameInBothVersions } from '../../../rule/index.js';

export const conversionUnstable = defineRule({
  id: 'ConversionUnstable',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'A conversion that gives something else the second time, in company of other objects, or for the version that the object has already.',
  why: 'Objects change although nobody wrote them: controllers see differences that are none, and write for ever.',
  instead: 'Let the answer depend on the object and the asked version alone.',
  source: from.us('docs/commands.md'),
  messages: {
    unstable: '{field} is converted otherwise the second time from {from} to {to}{detail}',
    batch:
      '{field} is converted otherwise beside other objects than alone from {from} to {to}{detail}',
    ownVersion: '{field} is changed by a conversion to {to}, which the object has already{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v2: [{ spec: { size: 1 } }, { spec: { size: 2 } }, { spec: { size: 3 } }] }`,
    says: 'is converted otherwise',
  },
});
