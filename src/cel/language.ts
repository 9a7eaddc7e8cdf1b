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

type Agreement = (one: Language, other: Language, name: string) => boolean;

/** Whether two languages answer alike what an expression asks of them, by kind. */
const agreements = {
  function: (one, other, name) =>
    (name !== 'format' || haveSame(one, other, formatFlags)) &&
    isSameFunction(one.functions.find(name), other.functions.find(name)),
  macro: (one, other, name) =>
    (!optionalMacros.has(name) || one.sharesOptionals === other.sharesOptionals) &&
    (!twoVariableMacro.test(name) || one.typesSecondOfDyn === other.typesSecondOfDyn) &&
    one.macros.get(name) === other.macros.get(name),
  type: (one, other, name) => one.types.get(name) === other.types.get(name),
  flag: (one, other, name) => haveSame(one, other, [name as keyof Language]),
} satisfies Record<string, Agreement>;
type Kind = keyof typeof agreements;
const kinds = Object.keys(agreements) as Kind[];

const ofEachKind = <Value>(make: () => Value): Readonly<Record<Kind, Value>> =>
  Object.fromEntries(kinds.map((kind) => [kind, make()])) as Record<Kind, Value>;

function haveSame(one: Language, other: Language, names: readonly (keyof Language)[]): boolean {
  return names.every((name) => one[name] === other[name]);
}

/** An expression's questions to its language: another that answers the same compiles it alike. */
class Uses {
  readonly names = ofEachKind(() => new Set<string>());
  readonly fields: [fields: ReadonlyMap<string, CelType>, name: string, CelType | undefined][] = []; // prettier-ignore
}

/** A language that notes what it is asked. */
class Observed {
  uses = new Uses();
  readonly language: Language;
  /** Agreements with other languages that are known already, for all expressions. */
  private readonly known = new Map<Language, Readonly<Record<Kind, Map<string, boolean>>>>();

  constructor(private readonly source: Language) {
    const noting =
      <Found>(kind: Kind, find: (name: string) => Found) =>
      (name: string): Found => {
        this.uses.names[kind].add(name);
        return find(name);
      };
    const { functions, macros, types } = source;
    this.language = {
      ...source,
      functions: { find: noting('function', (name) => functions.find(name)) },
      macros: { get: noting('macro', (name) => macros.get(name)) },
      types: { get: noting('type', (name) => types.get(name)) },
      fieldOf: (fields, name) => {
        const found = source.fieldOf(fields, name);
        this.uses.fields.push([fields, name, found]);
        return found;
      },
    };
    for (const flag of rareFlags) {
      const get = (): unknown => noting('flag', () => source[flag])(flag);
      Object.defineProperty(this.language, flag, { get, enumerable: true });
    }
  }

  areSameIn(other: Language, { names, fields }: Uses): boolean {
    const { source } = this;
    if (!haveSame(source, other, flags)) return false;
    let known = this.known.get(other);
    if (known === undefined) this.known.set(other, (known = ofEachKind(() => new Map())));
    for (const kind of kinds) {
      for (const name of names[kind]) {
        let isSame = known[kind].get(name);
        if (isSame === undefined) {
          known[kind].set(name, (isSame = agreements[kind](source, other, name)));
        }
        if (!isSame) return false;
      }
    }
    return fields.every(([each, name, found]) => other.fieldOf(each, name) === found);
  }
}

/** One for each language, so that what is asked of it is asked at few places of the heap. */
const observed = new WeakMap<Language, Observed>();

/**
 * Also tells in which other languages the same text gives the same. @param compile must not observe that language
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
    isSameIn: (language) => language === source || observer.areSameIn(language, uses),
  };
}

const flags = ['hasOptionals', 'hidesMixedComparisons', 'checksLiterals', 'foldsLiterals'] as const;
/** Looked at for few expressions: only theirs differ by it. */
const rareFlags = ['readsQuotedFields', 'hidesDottedNames'] as const;
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
