/** Which names a place in a rule can use, and where their values are. */
import type { CompileError } from './errors.js';
import { functions } from './functions.js';
import type { FunctionTable } from './signature.js';
import type { CelType } from './types.js';

/** What expressions of one environment may use. */
export interface Language {
  readonly functions: FunctionTable;
  /** Macros by name and number of arguments, as `exists/2`; absent: all. */
  readonly macros?: ReadonlySet<string>;
  /** A literal of several types is one of dyn, instead of a mistake. */
  readonly joinsTypes?: boolean;
  /** Literals that no conversion takes are mistakes. */
  readonly checksLiterals?: boolean;
  /** Operands of `&&` and `||` that are no bool are named one by one. */
  readonly namesOperands?: boolean;
}

export const kubernetes: Language = { functions, checksLiterals: true };

export interface Variable {
  readonly type: CelType;
  /** A slot of the frame for variables of macros. */
  readonly source: number | 'self' | 'oldSelf';
}

export class Scope {
  private constructor(
    private readonly variables: ReadonlyMap<string, Variable>,
    private readonly slots: number,
    readonly language: Language,
    /** Mistakes so far, where all of them are wanted; else the first one ends the compilation. */
    readonly mistakes?: CompileError[],
    /** Whether literals may mix types, as they may in the arguments of `format`. */
    readonly mixesTypes = false,
  ) {}

  static of(self: CelType, oldSelf: CelType): Scope {
    return new Scope(
      new Map([
        ['self', { type: self, source: 'self' }],
        ['oldSelf', { type: oldSelf, source: 'oldSelf' }],
      ]),
      0,
      kubernetes,
    );
  }

  /** One variable, which is read from the frame's `self`; mistakes are collected. */
  static ofVariable(name: string, type: CelType, language: Language): Scope {
    return new Scope(new Map([[name, { type, source: 'self' }]]), 0, language, []);
  }

  find(name: string): Variable | undefined {
    return this.variables.get(name);
  }

  /** The scope within a macro that names a variable, and the slot of its value. */
  with(name: string, type: CelType): { scope: Scope; slot: number } {
    const variables = new Map(this.variables).set(name, { type, source: this.slots });
    const { slots, language, mistakes, mixesTypes } = this;
    return { scope: new Scope(variables, slots + 1, language, mistakes, mixesTypes), slot: slots };
  }

  /** The scope in which literals may mix types. */
  mixing(): Scope {
    return new Scope(this.variables, this.slots, this.language, this.mistakes, true);
  }
}
