/** The values that the rules of one place share, each converted when it is first read. */
import { type CelValue, EvaluationError, noValue, Optional } from '../../../cel/index.js';
import type { JsonValue } from '../../../text/documents/index.js';
import type { SchemaNode } from '../schema.js';
import { fromJson } from './from-json.js';

/** The variables of a rule. */
export type Variables = ReadonlyMap<string, () => CelValue>;

export class RuleValues {
  private converted: CelValue | undefined;
  private convertedOld: CelValue | undefined;
  /** The variables that most rules see. */
  readonly variables: Variables;

  constructor(
    private readonly value: JsonValue,
    /** Null counts as none. */
    private readonly old: JsonValue | undefined,
    private readonly schema: SchemaNode,
    /** Where no rule of the place looks at the old value, its messages cannot do so either. */
    isOldSeen: boolean,
  ) {
    const self = (): CelValue => this.self();
    this.variables = new Map(
      isOldSeen && this.hasOld
        ? [
            ['self', self],
            ['oldSelf', () => this.oldSelf()],
          ]
        : [['self', self]],
    );
  }

  get hasOld(): boolean {
    return this.old !== undefined && this.old !== null;
  }

  /** The variables that `optionalOldSelf` rules see. */
  get optionalVariables(): Variables {
    return new Map([...this.variables, ['oldSelf', () => this.optionalOldSelf()]]);
  }

  /** @throws EvaluationError for data that does not fit its schema */
  private self(): CelValue {
    return (this.converted ??= fromJson(this.value, this.schema));
  }

  /** @throws EvaluationError for data that does not fit its schema */
  private oldSelf(): CelValue {
    return (this.convertedOld ??= fromJson(this.old as JsonValue, this.schema));
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
