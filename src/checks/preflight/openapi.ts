import { operations } from '../operations/table.js';
import { flag, integer, list, record, requiring, text } from '../operations/schemas.js';
import type { Operation } from '../operations/operation.js';
import { effects, families, mildHarms, severities, writeAnswers } from '../../rule/index.js';
import { version } from '../../text/package.js';

export const preflightPath = '/v1alpha1/preflight';
/** Header of an answer: its verdict, `true` or `false`. */
export const allowedHeader = 'Olm-Guard-Allowed';

type Json = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1: one path per operation, and the NDJSON stream. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'olm-guard preflight',
      version,
      description:
        'Asks what an operator upgrade would do, before it is applied. Every path is one operation; the same operations answer over NDJSON and on the command line.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths: { ...Object.fromEntries(operations.map(pathOf)), [preflightPath]: streamPath },
    components: {
      schemas,
      responses,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function pathOf(operation: Operation): [string, Json] {
  const answer = {
    type: 'object',
    required: ['verdict', 'output'],
    properties: {
      verdict: { $ref: '#/components/schemas/Verdict' },
      output: operation.output ?? { type: 'object' },
    },
  };
  return [
    `${preflightPath}/${operation.name}`,
    {
      post: {
        operationId: operation.name,
        summary: operation.summary,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: operation.input },
            'application/yaml': { schema: operation.input },
          },
        },
        responses: {
          '200': {
            description: 'The verdict; a refusal is an answer too.',
            headers: { [allowedHeader]: { required: true, schema: { type: 'boolean' } } },
            content: { 'application/json': { schema: answer } },
          },
          '400': { $ref: '#/components/responses/Error' },
          '401': { $ref: '#/components/responses/Error' },
          '413': { $ref: '#/components/responses/Error' },
          '429': { $ref: '#/components/responses/Error' },
        },
      },
    },
  ];
}

const streamPath: Json = {
  post: {
    operationId: 'preflight',
    summary: 'Answers one request per line, in order: {"id", "operation", "input"}.',
    requestBody: { required: true, content: { 'application/x-ndjson': { schema: text } } },
    responses: {
      '200': {
        description:
          'One answer per line: {"id", "operation", "verdict", "output"} or {"id", "error"}.',
        content: { 'application/x-ndjson': { schema: text } },
      },
      '401': { $ref: '#/components/responses/Error' },
    },
  },
};

const closed = (required: readonly string[], properties: Record<string, unknown>): Json => ({
  ...requiring(required, properties),
  additionalProperties: false,
});

const place = {
  ...record({ file: text, line: integer, column: integer, path: text }),
  additionalProperties: false,
};

const requestAnswer = closed(['status'], { status: integer, reason: text });

const patchOperation = closed(['op', 'path'], {
  op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
  path: text,
  from: text,
  value: {},
});

const schemas: Json = {
  Verdict: closed(['allowed', 'findings', 'warnings'], {
    allowed: flag,
    findings: list({ $ref: '#/components/schemas/Finding' }),
    warnings: list(text),
    bypassedBy: text,
  }),
  Finding: closed(['rule', 'family', 'severity', 'message', 'docs'], {
    rule: text,
    foundBy: { ...text, description: 'the rule that found it, where rule asks others' },
    family: { enum: families },
    severity: { enum: severities },
    message: text,
    id: { ...text, description: 'which message of the rule it is' },
    data: {
      type: 'object',
      description: 'the values in the message, by name',
      additionalProperties: { anyOf: [text, { type: 'number' }, list(text)] },
    },
    effect: { enum: effects },
    harm: {
      enum: mildHarms,
      description: 'the kind of harm, where a policy only warns of it by default',
    },
    stored: {
      type: 'object',
      required: ['create', 'update'],
      additionalProperties: false,
      properties: {
        create: { enum: writeAnswers },
        update: { enum: writeAnswers },
        status: { enum: writeAnswers, description: 'of the status subresource' },
        place: { ...text, description: 'what must stay as it is where an answer is ratcheted' },
      },
      description: 'of effect breaking: which writes of such an object are still accepted',
    },
    storedFrom: {
      ...text,
      description: 'the first minor of Kubernetes for which updates are answered so',
    },
    object: requiring(['apiVersion', 'kind', 'name'], {
      apiVersion: text,
      kind: text,
      namespace: text,
      name: text,
    }),
    audience: {
      enum: ['objects', 'clients', 'apply', 'readers', 'display'],
      description: 'who is hurt',
    },
    request: {
      description: 'of clients and apply: a request that is answered otherwise',
      type: 'object',
      required: ['verb', 'path', 'before', 'after'],
      additionalProperties: false,
      properties: {
        verb: { enum: ['GET', 'POST', 'PUT', 'PATCH'] },
        path: text,
        contentType: text,
        body: {},
        before: requestAnswer,
        after: requestAnswer,
      },
    },
    reference: { ...text, description: 'how the reference tells it, where message does not' },
    unprovable: { const: true, description: 'no proof could be looked for' },
    version: text,
    path: text,
    exactPath: { ...text, description: 'the path with names quoted that hold a separator' },
    cause: text,
    place: { ...place, description: 'of catalogs: where it stands' },
    proof: { ...text, description: 'why it has that effect' },
    witness: { description: 'an object that shows the finding is real' },
    fix: {
      description: 'what ends the finding: a JSON Patch (RFC 6902) of the new definition, or words',
      anyOf: [text, list(patchOperation)],
    },
    markers: {
      type: 'array',
      items: text,
      description: 'what the fix is in the Go types that the definition is made of',
    },
    docs: { ...text, format: 'uri', description: 'the page that explains the rule' },
  }),
  Error: requiring(['error'], {
    error: requiring(['code', 'message'], {
      code: {
        enum: [
          'E_JSON',
          'E_YAML',
          'E_INPUT',
          'E_OPERATION',
          'E_LIMIT',
          'E_RANGE',
          'E_VERSION',
          'E_RESOLVE',
          'E_CATALOG',
        ],
      },
      message: text,
      where: place,
    }),
  }),
};

const responses: Json = {
  Error: {
    description: 'Input that cannot be judged: what, where and what to do.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};
