/** The language of one environment: everything that its expressions may use. */
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
  /** a.`b`, for names that are no identifiers. */
  readonly readsQuotedFields?: boolean;
  /** A comprehension variable shadows dotted names of types that begin with it, and `.x` bypasses it. */
  readonly hidesDottedNames?: boolean;
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
  /** The target of optMap and optFlatMap has one type in both of the places where it is read. */
  readonly sharesOptionals?: boolean;
  /** False: the second variable of a fold over what is dyn has no type, which few calls take. */
  readonly typesSecondOfDyn?: boolean;
  /** Literals are evaluated once, with the program; a pattern that does not compile leaves no program. */
  readonly foldsLiterals?: boolean;
}

/** Compares the answers of two languages; asked for each expression, found once for each name. */
class Likeness {
  readonly inFlags: boolean;
  private readonly functions = new Map<string, boolean>();
  private readonly macros = new Map<string, boolean>();

  constructor(
    private readonly one: Language,
    private readonly other: Language,
  ) {
    this.inFlags = this.agreeIn(flags);
  }

  inFunction(name: string): boolean {
    return once(this.functions, name, () => {
      if (name === 'format' && !this.agreeIn(formatFlags)) return false;
      return isSameFunction(this.one.functions.find(name), this.other.functions.find(name));
    });
  }

  inMacro(name: string): boolean {
    return once(this.macros, name, () => {
      const { one, other } = this;
      if (optionalMacros.has(name) && one.sharesOptionals !== other.sharesOptionals) return false;
      if (twoVariableMacro.test(name) && one.typesSecondOfDyn !== other.typesSecondOfDyn) return false; // prettier-ignore
      return one.macros.get(name) === other.macros.get(name);
    });
  }

  inType(name: string): boolean {
    return this.one.types.get(name) === this.other.types.get(name);
  }

  inFlag(flag: RareFlag): boolean {
    return this.agreeIn([flag]);
  }

  private agreeIn(names: readonly (keyof Language)[]): boolean {
    return names.every((name) => this.one[name] === this.other[name]);
  }
}

function once(known: Map<string, boolean>, name: string, find: () => boolean): boolean {
  let found = known.get(name);
  if (found === undefined) known.set(name, (found = find()));
  return found;
}

/** Records an expression's questions to its language: another that answers the same compiles it alike. */
class Uses {
  readonly functions = new Set<string>();
  readonly macros = new Set<string>();
  readonly types = new Set<string>();
  readonly rare = new Set<RareFlag>();
  readonly fields: [fields: ReadonlyMap<string, CelType>, name: string, CelType | undefined][] = []; // prettier-ignore

  areSameIn(likeness: Likeness, other: Language): boolean {
    if (!likeness.inFlags) return false;
    for (const name of this.functions) if (!likeness.inFunction(name)) return false;
    for (const name of this.macros) if (!likeness.inMacro(name)) return false;
    for (const name of this.types) if (!likeness.inType(name)) return false;
    for (const flag of this.rare) if (!likeness.inFlag(flag)) return false;
    for (const [fields, name, found] of this.fields) {
      if (other.fieldOf(fields, name) !== found) return false;
    }
    return true;
  }
}

/** A language that notes what it is asked. */
class Observed {
  uses = new Uses();
  readonly language: Language;
  readonly likenesses = new Map<Language, Likeness>();

  constructor(readonly source: Language) {
    const { functions, macros, types } = source;
    this.language = {
      ...source,
      functions: {
        find: (name) => {
          this.uses.functions.add(name);
          return functions.find(name);
        },
      },
      macros: {
        get: (name) => {
          this.uses.macros.add(name);
          return macros.get(name);
        },
      },
      types: {
        get: (name) => {
          this.uses.types.add(name);
          return types.get(name);
        },
      },
      fieldOf: (fields, name) => {
        const found = source.fieldOf(fields, name);
        this.uses.fields.push([fields, name, found]);
        return found;
      },
    };
    for (const flag of rareFlags) {
      const get = (): boolean | undefined => {
        this.uses.rare.add(flag);
        return source[flag];
      };
      Object.defineProperty(this.language, flag, { get, enumerable: true });
    }
  }

  likenessTo(other: Language): Likeness {
    let likeness = this.likenesses.get(other);
    if (likeness === undefined) {
      this.likenesses.set(other, (likeness = new Likeness(this.source, other)));
    }
    return likeness;
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
  const observer = observed.get(source) ?? new Observed(source);
  observed.set(source, observer);
  const uses = (observer.uses = new Uses());
  const result = compile(observer.language);
  return {
    result,
    isSameIn: (language) =>
      language === source || uses.areSameIn(observer.likenessTo(language), language),
  };
}

const flags = ['hasOptionals', 'hidesMixedComparisons', 'checksLiterals', 'foldsLiterals'] as const;
/** Looked at for few expressions: only theirs differ by it. */
const rareFlags = ['readsQuotedFields', 'hidesDottedNames'] as const;
type RareFlag = (typeof rareFlags)[number];
const formatFlags = ['checksFormats', 'breaksOverComputedFormats', 'mixesDirectlyInFormats'] as const; // prettier-ignore
/** Macros with a place and what is there. */
export const twoVariableMacro = /^:(?:all|exists|existsOne|exists_one)\/3$|^:transform/;
const optionalMacros = new Set([':optMap/2', ':optFlatMap/2']);

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
