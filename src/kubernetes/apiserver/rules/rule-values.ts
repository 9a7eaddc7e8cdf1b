/** The values that the rules of one place share, each converted when it is first read. */
import {
  type CelValue,
  EvaluationError,
  noValue,
  Optional,
  type Variables,
} from '../../../cel/index.js';
import type { JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode } from '../schema.js';
import { fromJson, readWithoutSchema } from './from-json.js';

export class RuleValues implements Variables {
  private converted: CelValue | undefined;
  private convertedOld: CelValue | undefined;

  constructor(
    private readonly value: JsonValue,
    /** Null counts as none. */
    private readonly old: JsonValue | undefined,
    /** Without one, values are of any type. */
    private readonly schema: SchemaNode | undefined,
    /** Where no rule of the place looks at the old value, its messages cannot do so either. */
    private readonly isOldSeen: boolean,
  ) {}

  /** @throws EvaluationError for data that does not fit its schema */
  get(name: string): CelValue | undefined {
    if (name === 'self') return (this.converted ??= this.read(this.value));
    return name === 'oldSelf' && this.isOldSeen && this.hasOld ? this.oldSelf() : undefined;
  }

  get hasOld(): boolean {
    return this.old !== undefined && this.old !== null;
  }

  /** The variables that `optionalOldSelf` rules see. */
  get withOptionalOld(): Variables {
    return { get: (name) => (name === 'oldSelf' ? this.optionalOldSelf() : this.get(name)) };
  }

  private oldSelf(): CelValue {
    return (this.convertedOld ??= this.read(this.old as JsonValue));
  }

  private read(value: JsonValue): CelValue {
    return this.schema === undefined ? readWithoutSchema(value) : fromJson(value, this.schema);
  }

  /** An old value that does not fit is an error once it is read. */
  private optionalOldSelf(): Optional {
    if (!this.hasOld) return noValue;
    try {
      return new Optional(this.oldSelf());
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const reason = `unsupported conversion to ref.Val: (*errors.errorString)${error.message}`;
      return new Optional(new EvaluationError(reason));
    }
  }
}
