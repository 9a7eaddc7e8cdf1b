/** Answers to what is no review, or none that can be read. */
import type { Request, Response } from 'express';
import { InvalidInputError } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import { drain, HttpError } from './body.js';

/** @throws whatever is no fault of who sent it */
export function httpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidInputError) return new HttpError(400, error.code, sentence(error));
  throw error;
}

/** `the body is not JSON: the input ends too early (line 1, column 17)`. */
function sentence({ message, where }: InvalidInputError): string {
  const text = message.startsWith('is ') ? `the body ${message}` : message;
  return where.line === undefined
    ? text
    : `${text} (line ${where.line}, column ${where.column ?? 1})`;
}

export function refuse(request: Request, response: Response, error: HttpError, log?: Logger): void {
  log?.warn({ status: error.status, reason: error.message }, 'request refused');
  if (error.status === 408) response.set('Connection', 'close');
  else drain(request, response);
  if (response.destroyed) return;
  response.status(error.status).json({ error: { code: error.code, message: error.message } });
}
