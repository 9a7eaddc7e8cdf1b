import type { JsonObject } from '../../text/documents/index.js';
import { checkInstallModes } from '../../olm/index.js';
import { flagAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { findingNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';
import * as schema from './operatorgroup-schemas.js';

export const installModes = defineOperation<JsonObject>({
  name: 'install-modes',
  summary:
    'Whether the install modes of a ClusterServiceVersion support a set of target namespaces.',
  quick: true,
  input: {
    type: 'object',
    required: ['operatorNamespace'],
    properties: {
      installModes: schema.installModes,
      operatorNamespace: schema.text,
      targets: schema.optionalTexts,
      targetNamespacesAnnotation: schema.optionalText,
    },
  },
  judge(input) {
    const modes = objectsAt(input, 'installModes').map((mode) => ({
      type: textAt(mode, 'type') ?? '',
      supported: flagAt(mode, 'supported'),
    }));
    const targets =
      textAt(input, 'targetNamespacesAnnotation')?.split(',') ?? textsAt(input, 'targets');
    const refusal = checkInstallModes(modes, textAt(input, 'operatorNamespace') ?? '', targets);
    if (refusal === null) return { allowed: true, findings: [], output: { error: null, targets } };
    const { reason, message, stage } = refusal;
    return {
      allowed: false,
      findings: [findingNamed(reason, { severity: 'error', message })],
      output: { error: message, stage, csvReason: reason, targets },
    };
  },
});
