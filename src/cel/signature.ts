/** Functions and their overloads, declared as text: `string.find(string) string`, `sum(list(A)) A`. */
import { CompileError, EvaluationError, noSuchOverload } from './errors.js';
import type { Frame } from './frame.js';
import { CelList } from './lists.js';
import {
  fits,
  isParameter,
  runtimeNames,
  substitute,
  type,
  typeNameOf,
  types,
  typeText,
  type CelType,
} from './types.js';
import { noValue, type CelValue } from './values.js';

export type Implementation = (values: readonly CelValue[], frame: Frame) => CelValue;

export interface Overload {
  readonly name: string;
  readonly isMember: boolean;
  /** With the receiver first for members. */
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  readonly run: Implementation;
}

export type Declarations = readonly (readonly [signature: string, run: Implementation])[];

/** The overloads of one library. */
export function declare(declarations: Declarations): Overload[] {
  return declarations.map(([signature, run]) => ({ ...parseSignature(signature), run }));
}

export class FunctionTable {
  private readonly byName: ReadonlyMap<string, Overload[]>;
  private readonly unlistedByName: ReadonlyMap<string, Overload[]>;

  /** `unlisted`: what the checker does not know, but values of dyn find when the expression runs. */
  constructor(libraries: readonly Overload[][], unlisted: readonly Overload[] = []) {
    this.byName = grouped(libraries.flat());
    this.unlistedByName = grouped(unlisted);
  }

  has(name: string, isMember: boolean): boolean {
    return this.byName.get(name)?.some((overload) => overload.isMember === isMember) === true;
  }

  hasName(name: string): boolean {
    return this.byName.has(name);
  }

  /**
   * The result type and the implementation for arguments of known types.
   *
   * @throws CompileError when no overload takes them.
   */
  resolve(
    name: string,
    isMember: boolean,
    actual: readonly CelType[],
    position: number,
  ): { result: CelType; run: Implementation } {
    const candidates: { overload: Overload; result: CelType }[] = [];
    for (const overload of this.byName.get(name) ?? []) {
      if (overload.isMember !== isMember || overload.parameters.length !== actual.length) continue;
      const bound = new Map<string, CelType>();
      const taken = overload.parameters.every((formal, index) =>
        fits(formal, actual[index] as CelType, bound),
      );
      if (taken) candidates.push({ overload, result: substitute(overload.result, bound) });
    }
    const [first] = candidates;
    if (first === undefined) throw noMatch(name, isMember, actual, position);
    const same = candidates.every(({ result }) => typeText(result) === typeText(first.result));
    return {
      result: same ? first.result : types.dyn,
      run: dispatch(name, [
        ...candidates.map(({ overload }) => overload),
        ...(this.unlistedByName.get(name) ?? []),
      ]),
    };
  }
}

function grouped(overloads: readonly Overload[]): Map<string, Overload[]> {
  const byName = new Map<string, Overload[]>();
  for (const overload of overloads) {
    const same = byName.get(overload.name);
    if (same === undefined) byName.set(overload.name, [overload]);
    else same.push(overload);
  }
  return byName;
}

function noMatch(
  name: string,
  isMember: boolean,
  actual: readonly CelType[],
  position: number,
): CompileError {
  const texts = actual.map(typeText);
  const applied = isMember ? `${texts[0]}.(${texts.slice(1).join(', ')})` : `(${texts.join(', ')})`;
  return new CompileError(
    `found no matching overload for '${name}' applied to '${applied}'`,
    position,
  );
}

function dispatch(name: string, candidates: readonly Overload[]): Implementation {
  return (values, frame) => {
    for (const overload of candidates) {
      if (overload.parameters.every((formal, index) => takes(formal, values[index] as CelValue))) {
        return overload.run(values, frame);
      }
    }
    // Indexing what has no index looks like a missing key.
    if (name === '_[_]') throw noIndex(values[0], values[1]);
    if (name === '_[?_]') return noValue;
    throw noOverload(name, values);
  };
}

/** Functions whose implementation itself looks at the types, in cel-go: they say no more. */
const terse = new Set([
  'contains',
  'double',
  'endsWith',
  'find',
  'findAll',
  'int',
  'matches',
  'sort',
  'startsWith',
  'string',
  'timestamp',
  'uint',
]);

function noOverload(name: string, values: readonly CelValue[]): EvaluationError {
  if (name === 'size') return new EvaluationError('no such overload: size');
  if (terse.has(name) || !/^[a-z]/i.test(name)) return noSuchOverload();
  const applied = values.map((value) => runtimeNames[typeNameOf(value)] ?? typeNameOf(value));
  if (name === 'flatten') return new EvaluationError(`no such overload: ${applied[0]}.flatten()`);
  return new EvaluationError(`no such overload: ${name}(${applied.join(', ')})`);
}

function noIndex(container: CelValue | undefined, key: CelValue | undefined): EvaluationError {
  if (container instanceof CelList && key !== undefined) {
    return new EvaluationError(`unsupported index type '${typeNameOf(key)}' in list`);
  }
  return new EvaluationError(`no such key: ${keyName(key)}`);
}

function takes(formal: CelType, value: CelValue): boolean {
  if (formal.name === 'dyn' || isParameter(formal)) return true;
  return formal.name === typeNameOf(value);
}

/** `receiver.name(types) result` or `name(types) result`; a name may itself have dots. */
function parseSignature(signature: string): Omit<Overload, 'run'> {
  const match =
    /^(?:([\w.]+(?:\([\w, ()]*\))?):)?([\w.@?[\]!+\-*/%<>=]+)\((.*)\) ([\w.(), ]+)$/.exec(
      signature,
    );
  if (match === null) throw new Error(`cannot read the signature ${signature}`);
  const [, receiver, name = '', parameters = '', result = ''] = match;
  const own = split(parameters).map(parseType);
  return {
    name,
    isMember: receiver !== undefined,
    parameters: receiver === undefined ? own : [parseType(receiver), ...own],
    result: parseType(result),
  };
}

function parseType(text: string): CelType {
  const open = text.indexOf('(');
  if (open < 0) return type(text);
  return type(text.slice(0, open), ...split(text.slice(open + 1, -1)).map(parseType));
}

/** Splits at the commas that are not within parentheses. */
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

function keyName(key: CelValue | undefined): string {
  return typeof key === 'string' || typeof key === 'bigint' ? String(key) : '';
}
