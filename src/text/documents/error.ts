/** The one error class for input that cannot be judged. */
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

/** An error of the most common code. */
export function invalidInput(
  message: string,
  where?: Place,
  details?: Readonly<Record<string, unknown>>,
): InvalidInputError {
  return new InvalidInputError('E_INPUT', message, where, details);
}
