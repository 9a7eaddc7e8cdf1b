/** What expressions of one environment may use. */
import type { FunctionTable } from './overloads.js';
import type { Macro } from './syntax/macros.js';
import type { CelType } from './types.js';

export interface Language {
  readonly functions: FunctionTable;
  readonly macros: ReadonlyMap<string, Macro>;
  /** `a.?b`, `a[?b]`, `[?a]`. */
  readonly hasOptionals: boolean;
  /** Names that stand for types. */
  readonly types: ReadonlyMap<string, CelType>;
  /** The type of an object's field, by the name that the expression has for it. */
  readonly fieldOf: (fields: ReadonlyMap<string, CelType>, name: string) => CelType | undefined;
  /** `1 < 1.0` is a mistake, though it could be evaluated. */
  readonly hidesMixedComparisons?: boolean;
  /** Literals that no conversion takes, or that mix types, are mistakes. */
  readonly checksLiterals?: boolean;
  /** Clauses of a literal format that its literal arguments do not fit are mistakes, too. */
  readonly checksFormats?: boolean;
  /** What literals make is made once, with the program; a pattern that does not compile leaves none. */
  readonly foldsLiterals?: boolean;
}
