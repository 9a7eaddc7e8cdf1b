/** What expressions of one environment may use. */
import type { CelFunction } from './overloads.js';
import type { Macro } from './syntax/macros.js';
import type { CelType } from './types.js';

interface Named<Of> {
  get(name: string): Of | undefined;
}

export interface Language {
  readonly functions: { find(name: string): CelFunction | undefined };
  readonly macros: Named<Macro>;
  /** `a.?b`, `a[?b]`, `[?a]`. */
  readonly hasOptionals: boolean;
  /** Names that stand for types. */
  readonly types: Named<CelType>;
  /** The type of an object's field, by the name that the expression has for it. */
  readonly fieldOf: (fields: ReadonlyMap<string, CelType>, name: string) => CelType | undefined;
  /** `1 < 1.0` is a mistake, though it could be evaluated. */
  readonly hidesMixedComparisons?: boolean;
  /** Literals that no conversion takes, or that mix types, are mistakes. */
  readonly checksLiterals?: boolean;
  /** Clauses of a literal format that its literal arguments do not fit are mistakes, too. */
  readonly checksFormats?: boolean;
  /** A format that is no literal breaks that check down. */
  readonly breaksOverComputedFormats?: boolean;
  /** Only literals directly in the arguments of a format may mix types, not those that calls make. */
  readonly mixesDirectlyInFormats?: boolean;
  /** What optMap and optFlatMap are called on has one type in both of the places where it is read. */
  readonly sharesOptionals?: boolean;
  /** False: the second variable of a fold over what is dyn has no type, which few calls take. */
  readonly typesSecondOfDyn?: boolean;
  /** What literals make is made once, with the program; a pattern that does not compile leaves none. */
  readonly foldsLiterals?: boolean;
}

/** What an expression has asked of its language: another that answers the same makes the same of it. */
class Uses {
  readonly functions = new Map<string, CelFunction | undefined>();
  readonly macros = new Map<string, Macro | undefined>();
  readonly types = new Map<string, CelType | undefined>();
  readonly fields: [fields: ReadonlyMap<string, CelType>, name: string, CelType | undefined][] = []; // prettier-ignore

  constructor(private readonly source: Language) {}

  areSameIn(other: Language): boolean {
    const { source } = this;
    if (other === source) return true;
    return (
      flags.every((flag) => source[flag] === other[flag]) &&
      (!this.functions.has('format') ||
        formatFlags.every((flag) => source[flag] === other[flag])) &&
      (source.sharesOptionals === other.sharesOptionals ||
        !optionalMacros.some((macro) => this.macros.has(macro))) &&
      (source.typesSecondOfDyn === other.typesSecondOfDyn ||
        ![...this.macros.keys()].some((macro) => twoVariableMacro.test(macro))) &&
      isSame(this.functions, (name) => other.functions.find(name), isSameFunction) &&
      isSame(this.macros, (name) => other.macros.get(name)) &&
      isSame(this.types, (name) => other.types.get(name)) &&
      this.fields.every(([fields, name, found]) => other.fieldOf(fields, name) === found)
    );
  }
}

/** A language that notes what it is asked. */
class Observed {
  uses: Uses;
  readonly language: Language;

  constructor(source: Language) {
    this.uses = new Uses(source);
    const { functions, macros, types } = source;
    this.language = {
      ...source,
      functions: { find: (name) => noted(this.uses.functions, name, functions.find(name)) },
      macros: { get: (name) => noted(this.uses.macros, name, macros.get(name)) },
      types: { get: (name) => noted(this.uses.types, name, types.get(name)) },
      fieldOf: (fields, name) => {
        const found = source.fieldOf(fields, name);
        this.uses.fields.push([fields, name, found]);
        return found;
      },
    };
  }
}

/** One for each language, so that what is asked of it is asked at few places of the heap. */
const observed = new WeakMap<Language, Observed>();

/**
 * Compiles, and tells in which other languages the same text and variables would give the same.
 *
 * @param compile must not itself observe that language
 */
export function compileObserved<Result>(
  source: Language,
  compile: (language: Language) => Result,
): { readonly result: Result; readonly isSameIn: (language: Language) => boolean } {
  let observer = observed.get(source);
  if (observer === undefined) observed.set(source, (observer = new Observed(source)));
  const uses = (observer.uses = new Uses(source));
  const result = compile(observer.language);
  return { result, isSameIn: (language) => uses.areSameIn(language) };
}

const flags = ['hasOptionals', 'hidesMixedComparisons', 'checksLiterals', 'foldsLiterals'] as const;
const formatFlags = ['checksFormats', 'breaksOverComputedFormats', 'mixesDirectlyInFormats'] as const; // prettier-ignore
/** Macros with a place and what is there. */
export const twoVariableMacro = /^:(?:all|exists|existsOne|exists_one)\/3$|^:transform/;
const optionalMacros = [':optMap/2', ':optFlatMap/2'];

function noted<Found>(into: Map<string, Found>, name: string, found: Found): Found {
  into.set(name, found);
  return found;
}

function isSame<Found>(
  asked: ReadonlyMap<string, Found>,
  find: (name: string) => Found,
  equal: (one: Found, other: Found) => boolean = Object.is,
): boolean {
  for (const [name, found] of asked) if (!equal(found, find(name))) return false;
  return true;
}

/** Libraries that two languages have in common bring the same overloads. */
function isSameFunction(one: CelFunction | undefined, other: CelFunction | undefined): boolean {
  if (one === other) return true;
  return (
    one !== undefined &&
    other !== undefined &&
    one.whole === other.whole &&
    one.withPattern === other.withPattern &&
    one.isUnguarded === other.isUnguarded &&
    one.overloads.length === other.overloads.length &&
    one.overloads.every((overload, index) => overload === other.overloads[index])
  );
}
