/** Which names a place in a rule can use, and where their values are. */
import type { CelType } from './types.js';

export interface Variable {
  readonly type: CelType;
  /** A slot of the frame for variables of macros. */
  readonly source: number | 'self' | 'oldSelf';
}

export class Scope {
  private constructor(
    private readonly variables: ReadonlyMap<string, Variable>,
    private readonly slots: number,
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
    );
  }

  find(name: string): Variable | undefined {
    return this.variables.get(name);
  }

  /** The scope within a macro that names a variable, and the slot of its value. */
  with(name: string, type: CelType): { scope: Scope; slot: number } {
    const variables = new Map(this.variables).set(name, { type, source: this.slots });
    return { scope: new Scope(variables, this.slots + 1, this.mixesTypes), slot: this.slots };
  }

  /** The scope in which literals may mix types. */
  mixing(): Scope {
    return new Scope(this.variables, this.slots, true);
  }
}
