import { from } from '../../../rule/index.js';
import { valueIn } from './requests.js';
import { defineContractRule } from './rule.js';

export const unknownFieldsKept = defineContractRule({
  id: 'UnknownFieldsKept',
  audience: 'readers',
  fields: ['spec.preserveUnknownFields'],
  checks: 'spec.preserveUnknownFields becomes true, or its default is written.',
  why: 'Objects keep fields that no schema declares; the API server refuses the change, unless the definition had it before.',
  otherwise:
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  instead: 'Say x-kubernetes-preserve-unknown-fields where undeclared fields are wanted.',
  source: from.apiextensions(
    'pkg/apis/apiextensions/validation/validation.go',
    'validateCustomResourceDefinitionSpec',
  ),
  messages: {
    kept: 'undeclared fields are kept from now on',
    default: 'preserveUnknownFields: false is the default',
    written:
      'preserveUnknownFields: false is the default, which API servers do not return: Argo CD shows the definition as out of sync; leave it out',
  },
  example: {
    before: 'spec: { preserveUnknownFields: false }',
    after: 'spec: { preserveUnknownFields: true }',
    says: 'undeclared fields are kept from now on',
    accepted: 'spec: { preserveUnknownFields: false }',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(({ document }) =>
      valueIn(document, 'spec', 'preserveUnknownFields'),
    );
    const place = { side: 'new', keys: ['spec', 'preserveUnknownFields'] } as const;
    if (before !== true && after === true) yield { place, id: 'kept' };
    else if (before === undefined && after === false) yield { place, id: 'written' };
    else if (before === false && after === undefined) {
      yield { place, id: 'default', isHarmless: true };
    }
  },
});
