/** The one error class for input that cannot be judged, places in it, and how much of it is read. */
import { shortMessage } from '../shortened.js';

export type InputErrorCode =
  | 'E_JSON'
  | 'E_YAML'
  | 'E_INPUT'
  | 'E_OPERATION'
  | 'E_LIMIT'
  | 'E_RANGE'
  | 'E_VERSION'
  | 'E_RESOLVE'
  | 'E_CATALOG';

/** A place in an input: lines and columns count from 1, `path` is a JSON path such as `$.spec.versions[0]`. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** For bad input only, never for a programming error. `message` is one sentence without the place. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(
    readonly code: InputErrorCode,
    message: string,
    readonly where: Place = {},
    /** Fields that the answer has beside code and message, e.g. `apiAccepts`. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(shortMessage(message));
  }

  at(place: Place): InvalidInputError {
    return new InvalidInputError(
      this.code,
      this.message,
      { ...place, ...this.where },
      this.details,
    );
  }

  /** `file:line:column: $.path: message`, leaving out what is not known. */
  describe(): string {
    const { file, line, column, path } = this.where;
    const position = [
      file === '-' ? '<stdin>' : file,
      line,
      line === undefined ? undefined : column,
    ]
      .filter((part) => part !== undefined)
      .join(':');
    return [position, path, this.message]
      .filter((part) => part !== undefined && part !== '')
      .join(': ');
  }
}

/** For `catch`: handles input that cannot be judged, and throws any other error again. */
export function ifRefused<Other>(
  otherwise: (error: InvalidInputError) => Other,
): (error: unknown) => Other {
  return (error) => {
    if (error instanceof InvalidInputError) return otherwise(error);
    throw error;
  };
}

/** Reads, or gives what `otherwise` makes of input that cannot be judged. */
export function orRefusal<Read, Other>(
  read: () => Read,
  otherwise: (error: InvalidInputError) => Other,
): Read | Other {
  try {
    return read();
  } catch (error) {
    return ifRefused(otherwise)(error);
  }
}

/** An error of the most common code. */
export function invalidInput(
  message: string,
  where?: Place,
  details?: Readonly<Record<string, unknown>>,
): InvalidInputError {
  return new InvalidInputError('E_INPUT', message, where, details);
}

export function placeAt(text: string, offset: number): { line: number; column: number } {
  return { line: 1 + countLines(text, 0, offset), column: columnAt(text, offset) };
}

export function columnAt(text: string, offset: number): number {
  return offset === 0 ? 1 : offset - text.lastIndexOf('\n', offset - 1);
}

/** How many lines begin between the two offsets. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}

/** Places in one text, for callers that need many. */
export class LineStarts {
  readonly #starts = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  placeAt(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 };
  }
}

/** How much of an input is read before it is refused with `E_LIMIT`. */
export interface Limits {
  /** Bytes (of UTF-8) or, for text that is already decoded, UTF-16 code units. */
  readonly maxBytes: number;
  /** Levels of lists and objects inside each other. */
  readonly maxDepth: number;
  /** Values; a number in JSON that has to keep its text counts five times, for it takes as much. */
  readonly maxValues: number;
  /** Nodes that YAML aliases may add to one document. */
  readonly maxAliasNodes: number;
}

/** How deep an API server reads (sigs.k8s.io/json), and what a review or a list wraps around an object. */
const maxDepth = 10_000 + 10;

const limits: { -readonly [Limit in keyof Limits]: Limits[Limit] } = {
  maxBytes: 256 * 1024 * 1024,
  maxDepth,
  maxValues: Infinity,
  maxAliasNodes: 1_000_000,
};

export const defaultLimits: Limits = limits;

/** V8 ends the whole process when a thread needs much at once that it may not have, such as a longer list. */
export function limitValues(maxValues: number): void {
  limits.maxValues = maxValues;
}
