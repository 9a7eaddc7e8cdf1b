/** Messages of the Model Context Protocol, one a line, on standard input and output. */
import { once } from 'node:events';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { InvalidInputError, parseJson, stringifyJson } from '../../text/documents/index.js';
import { readLines, type Line } from '../../text/documents/lines.js';

/** Both sides of a large definition, and room for a bundle. */
const maxMessageBytes = 32 * 1024 * 1024;

export class LineTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: AsyncIterable<Buffer | string>;
  readonly #output: NodeJS.WritableStream;
  readonly #unanswered = new Set<RequestId>();
  #onAnswered = (): void => undefined;

  constructor(input: AsyncIterable<Buffer | string>, output: NodeJS.WritableStream) {
    this.#input = input;
    this.#output = output;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Settles when the input has ended and what it asks is answered. */
  async readAll(): Promise<void> {
    for await (const line of readLines(this.#input, maxMessageBytes)) {
      const message = read(line);
      if (typeof message === 'string') await this.#refuse(message);
      else {
        this.#note(message);
        this.onmessage?.(message);
      }
    }
    while (this.#unanswered.size > 0) {
      await new Promise<void>((resolve) => (this.#onAnswered = resolve));
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isTaken = this.#output.write(`${stringifyJson(message)}\n`);
    if (!('method' in message)) this.#settle(message.id);
    if (!isTaken) await once(this.#output, 'drain');
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** A cancelled request is not answered. */
  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#unanswered.add(message.id);
    else if (message.method === 'notifications/cancelled') {
      this.#settle(message.params?.['requestId'] as RequestId | undefined);
    }
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    this.#onAnswered();
  }

  async #refuse(message: string): Promise<void> {
    await this.send({ jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message } });
  }
}

/** The message; or why the line holds none. Without a message there is no id to answer. */
function read(line: Line): JSONRPCMessage | string {
  if ('tooLong' in line) return `the message is longer than ${maxMessageBytes} bytes`;
  try {
    const message = JSONRPCMessageSchema.safeParse(
      parseJson(line.bytes, { maxBytes: maxMessageBytes }),
    );
    return message.success ? message.data : 'the line is not a JSON-RPC 2.0 message';
  } catch (error) {
    if (error instanceof InvalidInputError) return error.message;
    throw error;
  }
}
