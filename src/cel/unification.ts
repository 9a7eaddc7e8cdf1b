/** Which types fit which, with variables for unknown ones. Source: cel-go/checker/types.go. */
import { isDynamic, sameType, types, type CelType } from './types.js';

/** Types of values that may be null, beside dynamic ones. */
const nullable = new Set(['any', 'duration', 'object', 'opaque', 'timestamp', 'dyn', 'null']);

export class Unification {
  /** The type of each variable, as far as it is known. */
  private readonly bound = new Map<string, CelType>();
  /** Earlier bindings, so that an attempt that fails leaves no trace. */
  private readonly undo: (readonly [variable: string, before: CelType | undefined])[] = [];
  private variables = 0;

  newVariable(): CelType {
    return { kind: 'parameter', name: `_var${this.variables++}`, parameters: [] };
  }

  /** Whether a value of one type may stand for one of the other; variables are bound on the way. */
  isAssignable(one: CelType, other: CelType): boolean {
    return this.attempt(() => this.assign(one, other));
  }

  areAssignable(ones: readonly CelType[], others: readonly CelType[]): boolean {
    return this.attempt(() => this.assignAll(ones, others));
  }

  /** The type with what its variables stand for. @param closed free variables become dyn */
  resolve(type: CelType, closed = false): CelType {
    const known = type.kind === 'parameter' ? this.bound.get(type.name) : undefined;
    if (known !== undefined) return this.resolve(known, closed);
    if (type.kind === 'parameter') return closed ? types.dyn : type;
    if (type.parameters.length === 0) return type;
    return { ...type, parameters: type.parameters.map((part) => this.resolve(part, closed)) };
  }

  private attempt(run: () => boolean): boolean {
    this.undo.length = 0;
    if (run()) return true;
    for (const [variable, before] of this.undo.reverse()) {
      if (before === undefined) this.bound.delete(variable);
      else this.bound.set(variable, before);
    }
    return false;
  }

  private bind(variable: CelType, type: CelType): void {
    this.undo.push([variable.name, this.bound.get(variable.name)]);
    this.bound.set(variable.name, type);
  }

  private assign(one: CelType, other: CelType): boolean {
    if (other.kind === 'parameter') {
      const { fits, isKnown } = this.standsFor(one, other);
      if (fits || isKnown) return fits;
    }
    if (one.kind === 'parameter') return this.standsFor(other, one).fits;
    if (one.kind === 'error' || other.kind === 'error') return true;
    if (isDynamic(one) || isDynamic(other)) return true;
    if (one.kind === 'null') return nullable.has(other.kind);
    if (other.kind === 'null') return nullable.has(one.kind);
    if (one.kind !== other.kind) return false;
    if (one.kind === 'type') return true;
    return one.name === other.name && this.assignAll(one.parameters, other.parameters);
  }

  private assignAll(ones: readonly CelType[], others: readonly CelType[]): boolean {
    return (
      ones.length === others.length &&
      ones.every((one, index) => this.assign(one, others[index] as CelType))
    );
  }

  /** Whether the variable can stand for the type, and whether it already stands for one. */
  private standsFor(type: CelType, variable: CelType): { fits: boolean; isKnown: boolean } {
    if (sameType(type, variable)) return { fits: true, isKnown: true };
    const known = this.bound.get(variable.name);
    if (known === undefined) {
      if (this.occursIn(variable, type)) return { fits: false, isKnown: false };
      this.bind(variable, type);
      return { fits: true, isKnown: false };
    }
    if (sameType(type, known)) return { fits: true, isKnown: true };
    if (!this.assign(type, known)) return { fits: false, isKnown: true };
    const general = moreGeneral(type, known);
    if (!this.occursIn(variable, general)) this.bind(variable, general);
    return { fits: true, isKnown: true };
  }

  private occursIn(variable: CelType, type: CelType): boolean {
    if (sameType(variable, type)) return true;
    if (type.kind !== 'parameter') {
      return type.parameters.some((part) => this.occursIn(variable, part));
    }
    const known = this.bound.get(type.name);
    return known !== undefined && this.occursIn(variable, known);
  }
}

/** The more general of two types that fit each other. */
export function moreGeneral(one: CelType, other: CelType): CelType {
  return isAsGeneral(one, other) ? one : other;
}

function isAsGeneral(one: CelType, other: CelType): boolean {
  if (isDynamic(one) || one.kind === 'parameter') return true;
  if (isDynamic(other) || other.kind === 'parameter') return false;
  if (one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'type':
      return true;
    case 'list':
    case 'map':
    case 'opaque':
      return (
        one.name === other.name &&
        one.parameters.length === other.parameters.length &&
        one.parameters.every((part, index) => isAsGeneral(part, other.parameters[index] as CelType))
      );
    default:
      return sameType(one, other);
  }
}
