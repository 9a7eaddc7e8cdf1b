import { defineRefusalRule, validation } from './rule.js';

export const definitionNames = defineRefusalRule({
  id: 'DefinitionNames',
  checks:
    'A name, group, scope or approval that no API server takes, or one that cannot change any more.',
  why: 'The definition is refused as a whole.',
  instead:
    'Name the definition PLURAL.GROUP with names of lower case letters, digits and dashes, and leave group, plural, kind and scope as they are stored.',
  source: validation('ValidateCustomResourceDefinitionNames', 'validateAPIApproval'),
  example: {
    after:
      'spec: { group: example, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'should be a domain with at least one dot',
    accepted:
      'spec: { group: example.com, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    /^(?:metadata|spec\.(?:group|names|scope)|status\.acceptedNames)/.test(field),
});
