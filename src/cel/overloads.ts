/** Functions and their overloads, declared as text: `string:find(string) string`, `sign(A) int`, after their id. */
import {
  listOfType,
  mapOfType,
  objectType,
  opaqueType,
  parameterType,
  typeOfType,
  types,
  type CelType,
} from './types.js';
import type { CelValue } from './values.js';

/** @throws EvaluationError */
export type Implementation = (values: readonly CelValue[]) => CelValue;

export interface Overload {
  /** As cel-go names it, for costs. */
  readonly id: string;
  readonly name: string;
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly variables: readonly string[];
  /** Absent where the function as a whole has one. */
  readonly run?: Implementation;
}

/** The implementation that all overloads of a function share, whatever the checker found. */
export interface GenericOverload {
  /** Values that the first argument must be among; others have no such overload. */
  readonly takes?: (first: CelValue) => boolean;
  readonly run: Implementation;
}

export interface CelFunction {
  readonly name: string;
  readonly overloads: readonly Overload[];
  readonly whole?: GenericOverload;
  readonly isUnguarded: boolean;
  /** For a pattern that is a literal; the text of why there is none. */
  readonly withPattern?: (pattern: string) => Implementation | string;
}

/** With parameters of its own types, which the checker or the dispatch ensures. */
type TypedImplementation = (...values: never[]) => CelValue;
/** Implementations by id and signature: `list_sum list(int):sum() int`. */
type Declarations = Readonly<Record<string, TypedImplementation>>;

/** The functions of one library, each overload with an implementation of its own. */
export function declare(table: Declarations, unguarded: readonly string[] = []): CelFunction[] {
  const byName = new Map<string, Overload[]>();
  for (const [text, run] of Object.entries(table)) {
    const overload = { ...readOverload(text), run: withValues(run) };
    const overloads = byName.get(overload.name) ?? [];
    overloads.push(overload);
    byName.set(overload.name, overloads);
  }
  return [...byName].map(([name, overloads]) => ({
    name,
    overloads,
    isUnguarded: unguarded.includes(name),
  }));
}

/** Most calls have two values: to spread these takes as long as an addition. */
function withValues(run: TypedImplementation): Implementation {
  const call = run as (...values: readonly CelValue[]) => CelValue;
  return (values) =>
    values.length === 2 ? call(values[0] as CelValue, values[1] as CelValue) : call(...values);
}

export function sharing(texts: readonly string[], run: TypedImplementation): Declarations {
  return Object.fromEntries(texts.map((text) => [text, run]));
}

/** A function whose overloads, each an id and a signature, are one implementation. */
export function declareWhole(
  texts: readonly string[],
  run: TypedImplementation,
  takes?: GenericOverload['takes'],
): CelFunction {
  const overloads = texts.map(readOverload);
  const whole = { run: withValues(run), ...(takes && { takes }) };
  return { name: overloads[0]?.name ?? '', overloads, whole, isUnguarded: false };
}

export class FunctionTable {
  private readonly byName = new Map<string, CelFunction>();

  constructor(libraries: readonly (readonly CelFunction[])[]) {
    for (const added of libraries.flat()) {
      const known = this.byName.get(added.name);
      if (known === undefined) this.byName.set(added.name, added);
      else {
        const overloads = [...known.overloads, ...added.overloads];
        this.byName.set(added.name, { ...known, ...added, overloads });
      }
    }
  }

  find(name: string): CelFunction | undefined {
    return this.byName.get(name.startsWith('.') ? name.slice(1) : name);
  }

  [Symbol.iterator](): IterableIterator<CelFunction> {
    return this.byName.values();
  }
}

/** `id receiver:name(types) result` or `id name(types) result`; a name may itself have dots. */
function readOverload(text: string): Overload {
  const match =
    /^(\S+) (?:([\w.]+(?:\([\w, ().]*\))?):)?([\w.@?:[\]!+\-*/%<>=&|]+)\((.*)\) ([\w.(), ]+)$/.exec(
      text,
    );
  if (match === null) throw new Error(`cannot read the signature ${text}`);
  const [, id = '', receiver, name = '', parameters = '', result = ''] = match;
  const own = split(parameters).map(readType);
  return {
    id,
    name,
    isMember: receiver !== undefined,
    parameters: receiver === undefined ? own : [readType(receiver), ...own],
    result: readType(result),
    variables: [...new Set(text.slice(id.length).match(/\b[A-Z]\b/g))],
  };
}

const namedTypes = new Map<string, CelType>(Object.entries(types));

function readType(text: string): CelType {
  if (/^[A-Z]$/.test(text)) return parameterType(text);
  const open = text.indexOf('(');
  const name = open < 0 ? text : text.slice(0, open);
  const parameters = open < 0 ? [] : split(text.slice(open + 1, -1)).map(readType);
  const [first, second] = parameters;
  if (first === undefined) {
    if (name.startsWith('net.')) return opaqueType(name);
    return namedTypes.get(name) ?? objectType(name);
  }
  if (name === 'list') return listOfType(first);
  if (name === 'map') return mapOfType(first, second ?? types.dyn);
  return name === 'type' ? typeOfType(first) : opaqueType(name, ...parameters);
}

function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      const part = text.slice(start, index).trim();
      if (part !== '') parts.push(part);
      start = index + 1;
    }
  }
  return parts;
}
