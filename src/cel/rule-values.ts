/** The values that the rules of one place share, each converted when it is first read. */
import type { JsonValue } from '../text/documents/index.js';
import type { SchemaNode } from '../apiserver/schema.js';
import { EvaluationError } from './errors.js';
import { fromJson, withoutSchema } from './from-json.js';
import { noValue, Optional, type CelValue } from './values.js';

export class RuleValues {
  private converted: CelValue | undefined;
  private convertedOld: CelValue | undefined;

  constructor(
    private readonly value: JsonValue,
    /** Null counts as none. */
    private readonly old: JsonValue | undefined,
    private readonly schema: SchemaNode,
  ) {}

  get hasOld(): boolean {
    return this.old !== undefined && this.old !== null;
  }

  /** @throws EvaluationError for data that does not fit its schema */
  self(): CelValue {
    return (this.converted ??= fromJson(this.value, this.schema));
  }

  /** @throws EvaluationError for data that does not fit its schema */
  oldSelf(): CelValue {
    return (this.convertedOld ??= fromJson(this.old as JsonValue, this.schema));
  }

  /** What `optionalOldSelf` rules see; an old value that does not fit is an error once it is read. */
  optionalOldSelf(): Optional {
    if (!this.hasOld) return noValue;
    try {
      return new Optional(withoutSchema(this.oldSelf()));
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      const reason = `unsupported conversion to ref.Val: (*errors.errorString)${error.message}`;
      return new Optional(new EvaluationError(reason));
    }
  }
}
