import { from } from '../../../rule/index.js';
import { own } from '../../../text/documents/index.js';
import { pinValue } from '../../proof/pin.js';
import { defineContractRule } from './rule.js';
import { fieldDifferences } from './field-differences.js';

export const nullAllowed = defineContractRule({
  id: 'NullAllowed',
  audience: 'readers',
  fields: ['schema.nullable'],
  checks: 'A field may be null.',
  why: 'Until now a null was dropped or refused, so that clients never read one.',
  instead: 'Leave the field out where it has no value.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { nullable: 'the field may be null from now on' },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, nullable: true } }',
    says: 'the field may be null from now on',
  },
  compare: (pair) =>
    fieldDifferences(pair, ['nullable'], ({ new: next }) =>
      own(next, 'nullable') === true ? { id: 'nullable', pin: pinValue(null) } : undefined,
    ),
});
