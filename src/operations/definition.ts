/** Operation `definition`: would the API servers of these minors take the CustomResourceDefinition? */
import { definitionFindings } from '../rules/definition/index.js';
import { judgeDefinition, newestMinor, parseMinors, sizesOf } from '../definition/index.js';
import type { JsonObject } from '../text/documents/index.js';
import { defineOperation } from './operation.js';

interface Input {
  readonly old?: JsonObject;
  readonly new: JsonObject;
  readonly kubernetes?: readonly string[];
}

export const definition = defineOperation<Input>({
  name: 'definition',
  summary:
    'What API servers of Kubernetes 1.29 to 1.36 would say to a create of a CustomResourceDefinition, or to an update from the old one, and how large it is.',
  input: {
    type: 'object',
    required: ['new'],
    additionalProperties: false,
    properties: {
      old: {
        type: 'object',
        description: 'The stored definition; with it the write is an update.',
      },
      new: { type: 'object', description: 'The definition that is written.' },
      kubernetes: {
        type: 'array',
        minItems: 1,
        items: { type: 'string' },
        description: 'Minors, as in 1.30 or 1.30..1.36; the newest known one by default.',
      },
    },
  },
  output: {
    type: 'object',
    properties: {
      refusals: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kubernetes: { type: 'array', items: { type: 'string' } },
            on: { enum: ['create', 'update'] },
            field: { type: 'string' },
            type: { type: 'string' },
            message: { type: 'string' },
          },
        },
      },
      sizes: {
        type: 'object',
        properties: {
          json: { type: 'integer', description: 'bytes' },
          lastApplied: { type: 'integer', description: 'bytes' },
          annotations: { type: 'integer', description: 'bytes' },
          limits: { type: 'array', items: { type: 'object' } },
          descriptions: { type: 'object' },
        },
      },
    },
  },
  judge({ old, new: next, kubernetes = [newestMinor] }) {
    const refusals = judgeDefinition(next, old, parseMinors(kubernetes.join(',')));
    const sizes = sizesOf(next);
    return {
      allowed: refusals.length === 0,
      findings: definitionFindings(next, refusals, sizes),
      output: { refusals, sizes },
    };
  },
});
