import type { JsonObject } from '../../text/documents/index.js';
import {
  readLabelSelector,
  selectTargets,
  surfaceTargets,
  targetNamespacesAnnotation,
} from '../../olm/index.js';
import { objectsAt, textAt, textMapAt, textsAt } from '../../text/documents/fields.js';
import { findingNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';
import { labelSelector, namespaces, optionalTexts, text } from './operatorgroup-schemas.js';

export const operatorgroupTargets = defineOperation<JsonObject>({
  name: 'operatorgroup-targets',
  summary: 'Which namespaces an OperatorGroup selects, and which it counts for in intersections.',
  quick: true,
  input: {
    type: 'object',
    required: ['namespace'],
    properties: {
      namespace: text,
      namespaces: { ...namespaces, type: ['array', 'null'] },
      spec: {
        type: ['object', 'null'],
        additionalProperties: true,
        properties: { targetNamespaces: optionalTexts, selector: labelSelector },
      },
    },
  },
  judge(input) {
    const selection = {
      targetNamespaces: textsAt(input, 'spec', 'targetNamespaces'),
      selector: readLabelSelector(input, 'spec', 'selector'),
    };
    const known = objectsAt(input, 'namespaces').map((namespace) => ({
      name: textAt(namespace, 'name') ?? '',
      labels: textMapAt(namespace, 'labels'),
    }));
    const targets = selectTargets(selection, known);
    if (targets.error !== null) {
      return {
        allowed: false,
        findings: [
          findingNamed('OperatorGroupTargets', { severity: 'error', message: targets.error }),
        ],
        output: { error: targets.error },
      };
    }
    const warnings =
      targets.namespaces.length > 0
        ? []
        : [
            'The selector matches no namespace: OLM leaves status.namespaces empty and fails every ' +
              'member with NoTargetNamespaces; this is not the same as selecting all namespaces.',
          ];
    return {
      allowed: true,
      findings: [],
      warnings,
      output: {
        error: null,
        statusNamespaces: targets.namespaces,
        targetNamespacesAnnotation: targetNamespacesAnnotation(targets.namespaces),
        surfaceTargets: surfaceTargets(
          textAt(input, 'namespace') ?? '',
          targets.namespaces,
        ).names(),
        global: targets.namespaces.length === 1 && targets.namespaces[0] === '',
      },
    };
  },
});
