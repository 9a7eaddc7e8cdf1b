import { sortErrors, type Release } from '../../kubernetes/index.js';
import {
  InvalidInputError,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { type Finding, referenceTo } from '../../rule/index.js';
import { findingNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';
import { releaseSchema } from './release-schema.js';
import { validators } from './validators.js';

interface Input {
  readonly crd: JsonObject;
  readonly version: string;
  readonly objects: readonly JsonValue[];
  readonly oldObjects?: readonly JsonValue[];
  readonly release?: Release;
}

const rule = 'StoredObject';

export const crdObjects = defineOperation<Input>({
  name: 'crd-objects',
  summary:
    'What the API server would say to a create of each custom resource, or to an update from the old ones.',
  input: {
    type: 'object',
    required: ['crd', 'version', 'objects'],
    properties: {
      crd: { type: 'object', description: 'the CustomResourceDefinition' },
      version: { type: 'string', description: 'the version under which the objects are written' },
      objects: { type: 'array', description: 'the custom resources' },
      oldObjects: {
        type: 'array',
        description: 'the stored objects in the same order; with them each write is an update',
      },
      release: releaseSchema,
    },
  },
  output: {
    type: 'object',
    properties: {
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            valid: { type: ['boolean', 'null'] },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  type: { type: 'string' },
                  field: { type: 'string' },
                  detail: { type: 'string' },
                },
              },
            },
            notEvaluated: {
              type: 'array',
              items: {
                type: 'object',
                properties: { field: { type: 'string' }, reason: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  },
  judge({ crd, version, objects, oldObjects, release }) {
    if (oldObjects !== undefined && oldObjects.length !== objects.length) {
      throw new InvalidInputError(
        'E_INPUT',
        `has ${oldObjects.length} objects, but there are ${objects.length} in objects`,
        { path: '$.oldObjects' },
      );
    }
    const validator = validators.get(crd, version, release);
    const findings: Finding[] = [];
    const results = objects.map((object, index) => {
      const old = oldObjects?.[index];
      const result =
        old === undefined
          ? validator.validateCreate(object)
          : validator.validateUpdate(object, old);
      const errors = sortErrors(result.errors).map(({ type, field, detail }) => ({
        type,
        field,
        detail,
      }));
      const about = { version, ...(isObject(object) && { object: referenceTo(object) }) };
      for (const { field, detail, type } of errors) {
        const message = detail === '' ? type.replace('FieldValue', '') : detail;
        findings.push(findingNamed(rule, { severity: 'error', message, path: field, ...about }));
      }
      for (const { field, reason } of result.notEvaluated ?? []) {
        const message = `not evaluated: ${reason}`;
        findings.push(
          findingNamed(rule, {
            severity: 'warning',
            effect: 'undecided',
            message,
            path: field,
            ...about,
          }),
        );
      }
      return { ...result, errors };
    });
    return {
      allowed: results.every(({ valid }) => valid !== false),
      findings,
      output: { results },
    };
  },
});
