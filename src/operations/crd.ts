/** `crd`: whether a CustomResourceDefinition may be upgraded to another. */
import { judgeUpgrade, referenceProfiles, type ReferenceProfile } from '../crd/index.js';
import { proveUpgrade } from '../crd/containment/proof.js';
import { InvalidInputError, type JsonObject } from '../documents/index.js';
import { defineOperation } from './operation.js';

interface CrdInput {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly profile?: string;
}

const isReferenceProfile = (profile: string): profile is ReferenceProfile =>
  (referenceProfiles as readonly string[]).includes(profile);

export const crd = defineOperation<CrdInput>({
  name: 'crd',
  summary: 'Judges the upgrade from one CustomResourceDefinition to another.',
  input: {
    type: 'object',
    required: ['old', 'new'],
    additionalProperties: false,
    properties: {
      old: { type: 'object', description: 'The CustomResourceDefinition as the cluster has it.' },
      new: { type: 'object', description: 'The CustomResourceDefinition that replaces it.' },
      profile: { type: 'string', default: 'olm-v1', description: 'Whose rules decide.' },
    },
  },
  judge({ old, new: next, profile = 'olm-v1' }) {
    if (profile === 'proof') {
      const { allowed, findings, effect, results } = proveUpgrade(old, next);
      return { allowed, findings, output: { message: '', effect, results } };
    }
    if (!isReferenceProfile(profile)) {
      throw new InvalidInputError(
        'E_INPUT',
        `there is no profile "${profile}"; use one of ${[...referenceProfiles, 'proof'].join(', ')}`,
        { path: '$.profile' },
      );
    }
    const { allowed, findings, errors, message } = judgeUpgrade(old, next, profile);
    return { allowed, findings, output: { message, errors } };
  },
});
