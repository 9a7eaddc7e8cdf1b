import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  InvalidInputError,
  invalidInput,
  isObject,
  type InputErrorCode,
  type JsonValue,
  type Place,
} from '../../text/documents/index.js';
import type { Verdict } from '../../rule/index.js';
import { didYouMean } from '../../text/nearest.js';
import type { Judgement, JudgeOptions, Operation } from './operation.js';
import { readPointer } from '../../text/json-pointer.js';

export interface AnswerError extends Readonly<Record<string, unknown>> {
  readonly code: InputErrorCode;
  readonly message: string;
  readonly where?: Place;
}

export type Answer =
  { readonly verdict: Verdict; readonly output: unknown } | { readonly error: AnswerError };

// The operations' schemas are few and fixed, so one instance serves the process; tests validate them.
const ajv = new Ajv2020({
  meta: false,
  validateSchema: false,
  strict: false,
  validateFormats: false,
  // Errors then contain the schema that refuses, from which the message lists the known fields.
  verbose: true,
});
const validators = new Map<string, ValidateFunction>();

/** Checks the input against the operation's schema and judges it. @throws InvalidInputError */
function judge(
  operation: Operation,
  input: JsonValue | undefined,
  options?: JudgeOptions,
): Judgement {
  if (!isObject(input)) {
    throw invalidInput('input must be an object', { path: '$' });
  }
  let validate = validators.get(operation.name);
  if (validate === undefined) {
    validate = ajv.compile(operation.input);
    validators.set(operation.name, validate);
  }
  if (!validate(input)) throw schemaError(validate.errors?.[0]);
  return operation.judge(input, options);
}

function verdictOf({ findings = [], warnings = [], bypassedBy, ...given }: Judgement): Verdict {
  const { allowed = findings.every(({ severity }) => severity !== 'error') } = given;
  return { allowed, findings, warnings, ...(bypassedBy === undefined ? {} : { bypassedBy }) };
}

/** Runs the operation; input that cannot be judged gives an answer with an error. */
export function answerOperation(
  operation: Operation,
  input: JsonValue | undefined,
  options?: JudgeOptions,
): Answer {
  try {
    const judgement = judge(operation, input, options);
    return { verdict: verdictOf(judgement), output: judgement.output };
  } catch (error) {
    if (error instanceof InvalidInputError) return { error: answerError(error) };
    if (error instanceof RangeError && error.message.includes('call stack')) {
      return { error: { code: 'E_LIMIT', message: 'nests too deep to be judged' } };
    }
    throw error;
  }
}

export function answerError(error: InvalidInputError): AnswerError {
  const where = Object.keys(error.where).length === 0 ? {} : { where: error.where };
  return { code: error.code, message: error.message, ...where, ...error.details };
}

function schemaError(error: ErrorObject | undefined): InvalidInputError {
  const path = `$${readPointer(error?.instancePath ?? '')
    .map(step)
    .join('')}`;
  return invalidInput(reason(error), { path });
}

function step(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function unknownField(name: string, schema: ErrorObject['parentSchema']): string {
  const known = Object.keys((schema?.['properties'] ?? {}) as object);
  return `has an unknown field "${name}"${didYouMean(name, known)}`;
}

function reason(error: ErrorObject | undefined): string {
  const parameters = (error?.params ?? {}) as Record<string, unknown>;
  switch (error?.keyword) {
    case 'additionalProperties':
      return unknownField(String(parameters['additionalProperty']), error.parentSchema);
    case 'required':
      return `needs the field "${String(parameters['missingProperty'])}"`;
    case 'enum':
      return `must be one of ${JSON.stringify(parameters['allowedValues'])}`;
    case 'type':
      return `must be ${[parameters['type']].flat().join(' or ')}`;
    default:
      return error?.message ?? 'does not fit the schema of the operation';
  }
}
