/** Types every node and every call's overloads, and finds what does not fit. Source: cel-go/checker/checker.go. */
import {
  isDynamic,
  sameType,
  types,
  type CelType,
  isOptional,
  listOfType,
  mapOfType,
  opaqueType,
  optionalOf,
  typeOfType,
  typeText,
  withoutOptional,
} from './types.js';
import { NotEvaluable, typeOfValue } from './values.js';
import type { Language } from './language.js';
import type { CelFunction, Overload } from './overloads.js';
import type { Mistake } from './syntax/recovery.js';
import {
  childrenOf,
  dottedName,
  type Call,
  type Fold,
  type ListLiteral,
  type MapLiteral,
  type Node,
  type Select,
  type StructLiteral,
} from './syntax/tree.js';

// Which types fit which, with variables for unknown ones. Source: cel-go/checker/types.go.

/** Types of values that may be null, beside dynamic ones. */
const nullable = new Set(['any', 'duration', 'object', 'opaque', 'timestamp', 'dyn', 'null']);

class Unification {
  /** The type of each variable, as far as it is known. */
  private readonly bound = new Map<string, CelType>();
  /** Earlier bindings, so that an attempt that fails leaves no trace. */
  private readonly undo: (readonly [variable: string, before: CelType | undefined])[] = [];
  private variables = 0;

  newVariable(): CelType {
    return { kind: 'parameter', name: `_var${this.variables++}`, parameters: [] };
  }

  /** Whether a value of one type may be used as one of the other; variables are bound on the way. */
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

function moreGeneral(one: CelType, other: CelType): CelType {
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

/** The mistakes of a tree; empty when every node of it has its type. @throws NotEvaluable */
export function check(
  tree: Node,
  variables: ReadonlyMap<string, CelType>,
  language: Language,
): Mistake[] {
  const checker = new Checker(variables, language);
  checker.check(tree);
  checker.close(tree);
  return checker.mistakes;
}

/** Names that macros and the expression's owner bind; inner ones hide outer ones. */
interface Scope {
  readonly names: ReadonlyMap<string, CelType>;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly mistakes: Mistake[] = [];
  private readonly unification = new Unification();
  private scope: Scope;
  /** cel-go forgets in the first comprehension which overloads are not to be found. */
  private hidesMixedComparisons: boolean;

  constructor(
    variables: ReadonlyMap<string, CelType>,
    private readonly language: Language,
  ) {
    this.scope = { names: variables, outer: undefined };
    this.hidesMixedComparisons = language.hidesMixedComparisons === true;
  }

  check(node: Node): CelType {
    const type = (node.type = this.typeOf(node));
    const before = node.copyOf?.type;
    if (this.language.sharesOptionals === true && before && !sameType(before, type)) {
      const both = `old:${typeText(before)}, new:${typeText(type)}`;
      this.report(`incompatible type already exists for expression: ${both}`, node);
    }
    return type;
  }

  close(node: Node): void {
    if (node.type !== undefined) node.type = this.unification.resolve(node.type, true);
    for (const child of childrenOf(node)) this.close(child);
  }

  private typeOf(node: Node): CelType {
    switch (node.kind) {
      case 'literal':
        return typeOfValue(node.value);
      case 'identifier':
        return this.find(node.name) ?? this.undeclared(node.name, node);
      case 'select':
        return this.typeOfSelect(node);
      case 'call':
        return this.typeOfCall(node);
      case 'list':
        return this.typeOfList(node);
      case 'map':
        return this.typeOfMap(node);
      case 'struct':
        return this.typeOfStruct(node);
      case 'fold':
        return this.typeOfFold(node);
      case 'broken':
        return types.error;
    }
  }

  private report(message: string, { position }: { readonly position: number }): CelType {
    this.mistakes.push({ message, position });
    return types.error;
  }

  private undeclared(name: string, node: Node): CelType {
    return this.report(`undeclared reference to '${name}' (in container '')`, node);
  }

  private find(written: string): CelType | undefined {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const [first = ''] = written.split('.', 1);
    const isRooted = first === '';
    for (let scope: Scope | undefined = this.scope; scope !== undefined; scope = scope.outer) {
      const found = scope.names.get(name);
      const isLocal = scope.outer !== undefined;
      if (isLocal && isRooted && found !== undefined && this.language.hidesDottedNames === true) {
        continue;
      }
      if (found !== undefined) return found;
      const hides = isLocal && first !== name && !isRooted && scope.names.has(first);
      if (hides && this.language.hidesDottedNames === true) return undefined;
    }
    const named = this.language.types.get(name);
    if (named !== undefined) return typeOfType(named);
    if (protobufNames.test(name)) throw ofProtocolBuffers(name);
    return undefined;
  }

  private typeOfSelect(node: Select): CelType {
    const name = dottedName(node);
    const named = name && this.find(name);
    if (name !== undefined && named) {
      node.qualified = name;
      return named;
    }
    const field = this.typeOfField(node, node.operand, node.field, false);
    return node.isTest ? types.bool : this.unification.resolve(field);
  }

  private typeOfField(node: Node, operand: Node, field: string, makesOptional: boolean): CelType {
    const of = this.unification.resolve(this.check(operand));
    const content = withoutOptional(of);
    const type = this.fieldOf(content, field, node);
    return makesOptional || isOptional(of) ? optionalOf(type) : type;
  }

  private fieldOf(of: CelType, field: string, node: Node): CelType {
    switch (of.kind) {
      case 'map':
        return of.parameters[1] as CelType;
      case 'object':
        if (of.fields === undefined) {
          return this.report(`unexpected failed resolution of '${of.name}'`, node);
        }
        return (
          this.language.fieldOf(of.fields, field) ?? this.report(`undefined field '${field}'`, node)
        );
      case 'parameter':
        this.unification.isAssignable(types.dyn, of);
        return types.dyn;
      default:
        if (!isDynamic(of) && of.kind !== 'error') {
          this.report(`type '${typeText(of)}' does not support field selection`, node);
        }
        return types.dyn;
    }
  }

  private typeOfCall(node: Call): CelType {
    if (node.name === '_?._') return this.typeOfOptionalSelect(node);
    const { target } = node;
    const args = node.args.map((arg) => this.check(arg));
    if (target === undefined) return this.typeOfFunction(node, args);
    const prefix = dottedName(target);
    const namespaced = prefix && this.language.functions.find(`${prefix}.${node.name}`);
    if (namespaced) {
      node.target = undefined;
      return this.resolve(node, namespaced, args);
    }
    const receiver = this.check(target);
    return this.typeOfFunction(node, [receiver, ...args]);
  }

  private typeOfOptionalSelect(node: Call): CelType {
    const [operand, field] = node.args as [Node, Node & { value: string }];
    field.type = types.string;
    const type = this.typeOfField(node, operand, field.value, true);
    node.overloads = this.language.functions.find(node.name)?.overloads ?? [];
    return this.unification.resolve(type);
  }

  private typeOfFunction(node: Call, args: CelType[]): CelType {
    const found = this.language.functions.find(node.name);
    if (found === undefined) return this.undeclared(node.name, node);
    return this.resolve(node, found, args);
  }

  private resolve(node: Call, found: CelFunction, args: CelType[]): CelType {
    node.name = found.name;
    const isMember = node.target !== undefined;
    if (found.name === '_&&_' || found.name === '_||_') {
      return this.typeOfConnective(node, found, args);
    }
    const fitting: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of found.overloads) {
      if (overload.isMember !== isMember || this.isHidden(overload)) continue;
      const instance = this.instantiate(overload);
      if (!this.unification.areAssignable(args, instance.parameters)) continue;
      fitting.push(overload);
      const type = this.unification.resolve(instance.result);
      if (result === undefined) result = type;
      else if (!isDynamic(result) && !sameType(type, result)) result = types.dyn;
    }
    if (result === undefined) return this.noMatch(node, args);
    node.overloads = fitting;
    return result;
  }

  private isHidden({ id }: Overload): boolean {
    return this.hidesMixedComparisons && mixedComparison.test(id);
  }

  private instantiate({ parameters, result, variables }: Overload): {
    parameters: readonly CelType[];
    result: CelType;
  } {
    if (variables.length === 0) return { parameters, result };
    const fresh = new Map(variables.map((name) => [name, this.unification.newVariable()]));
    const replace = (type: CelType): CelType => {
      if (type.kind === 'parameter') return fresh.get(type.name) ?? type;
      if (type.parameters.length === 0) return type;
      return { ...type, parameters: type.parameters.map(replace) };
    };
    return { parameters: parameters.map(replace), result: replace(result) };
  }

  private typeOfConnective(node: Call, { overloads }: CelFunction, args: CelType[]): CelType {
    let type: CelType = types.bool;
    for (const [index, arg] of args.entries()) {
      if (this.unification.isAssignable(arg, types.bool)) continue;
      type = this.mismatch(node.args[index] as Node, types.bool, arg);
    }
    node.overloads = overloads;
    return type;
  }

  private noMatch(node: Call, args: readonly CelType[]): CelType {
    const texts = args.map((arg) => typeText(this.unification.resolve(arg, true)));
    const applied =
      node.target === undefined
        ? `(${texts.join(', ')})`
        : `${texts[0]}.(${texts.slice(1).join(', ')})`;
    return this.report(
      `found no matching overload for '${node.name}' applied to '${applied}'`,
      node,
    );
  }

  private mismatch(node: Node, expected: CelType, found: CelType): CelType {
    return this.report(
      `expected type '${typeText(expected)}' but found '${typeText(found)}'`,
      node,
    );
  }

  private typeOfList({ items, optional }: ListLiteral): CelType {
    let joined: CelType | undefined;
    for (const [index, item] of items.entries()) {
      const type = this.check(item);
      joined = this.join(joined, optional.has(index) ? this.contentOf(item, type) : type);
    }
    return listOfType(joined ?? this.unification.newVariable());
  }

  private typeOfMap({ entries }: MapLiteral): CelType {
    let joined: { key: CelType; value: CelType } | undefined;
    for (const { key, value, isOptional: isOptionalEntry } of entries) {
      const keyType = this.join(joined?.key, this.check(key));
      const found = this.check(value);
      const type = isOptionalEntry ? this.contentOf(value, found) : found;
      joined = { key: keyType, value: this.join(joined?.value, type) };
    }
    const { key, value } = joined ?? {
      key: this.unification.newVariable(),
      value: this.unification.newVariable(),
    };
    return mapOfType(key, value);
  }

  /** The content type of an entry such as `?x`. */
  private contentOf(node: Node, type: CelType): CelType {
    if (!isOptional(type) && !isDynamic(type)) this.mismatch(node, optionalOf(type), type);
    return withoutOptional(type);
  }

  private join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    return this.unification.isAssignable(before, type) ? moreGeneral(before, type) : types.dyn;
  }

  private typeOfStruct(node: StructLiteral): CelType {
    const { name, fields } = node;
    const named = this.find(name);
    if (named === undefined) return this.undeclared(name, node);
    const made = named.parameters[0]?.name ?? '';
    if (made.startsWith('google.protobuf.')) throw ofProtocolBuffers(made);
    if (named.kind !== 'type') this.report(`'${named.name}' is not a type`, node);
    else this.report(`'${made}' is not a message type`, node);
    for (const { value } of fields) this.check(value);
    return types.error;
  }

  private typeOfFold(node: Fold): CelType {
    this.check(node.range);
    const accumulated = this.check(node.initial);
    const outer = this.scope;
    this.enter([[node.accumulator, accumulated]]);
    const inner = this.scope;
    this.enter(this.variablesOf(node));
    this.check(node.condition);
    this.expect(node.condition, types.bool);
    this.check(node.step);
    this.expect(node.step, accumulated);
    this.scope = inner;
    const result = this.check(node.result);
    this.scope = outer;
    return this.unification.resolve(result);
  }

  private enter(names: Iterable<readonly [string, CelType]>): void {
    this.scope = { names: new Map(names), outer: this.scope };
    this.hidesMixedComparisons = false;
  }

  private variablesOf({ variable, secondVariable, range }: Fold): (readonly [string, CelType])[] {
    const { only, first, second } = this.entriesOf(range);
    if (secondVariable === undefined) return [[variable, only]];
    return [
      [variable, first],
      [secondVariable, second],
    ];
  }

  /** The types of a comprehension's variables: an item or a key, or an index or key and its value. */
  private entriesOf(range: Node): { only: CelType; first: CelType; second: CelType } {
    const type = this.unification.resolve(range.type as CelType);
    const [first, second] = type.parameters as [CelType, CelType];
    switch (type.kind) {
      case 'list':
        return { only: first, first: types.int, second: first };
      case 'map':
        return { only: first, first, second };
      case 'dyn':
      case 'error':
      case 'parameter':
        this.unification.isAssignable(types.dyn, type);
        return {
          only: types.dyn,
          first: types.dyn,
          second: this.language.typesSecondOfDyn === false ? untyped : types.dyn,
        };
      default: {
        const words = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        const mistaken = this.report(`expression of type '${typeText(type)}' ${words}`, range);
        return { only: mistaken, first: mistaken, second: mistaken };
      }
    }
  }

  private expect(node: Node, expected: CelType): void {
    const type = node.type as CelType;
    if (!this.unification.isAssignable(expected, type)) this.mismatch(node, expected, type);
  }
}

function ofProtocolBuffers(name: string): NotEvaluable {
  return new NotEvaluable(`the expression uses ${name}, a type of protocol buffers`);
}

/** Assignable only to what is dyn, or a parameter. */
const untyped = opaqueType('');
const mixedComparison =
  /^(?:less|greater)(?:_equals)?_(?:int64|uint64|double)_(?:int64|uint64|double)$/;

const protobufNames =
  /^google\.protobuf\.(?:Any|Struct|Value|ListValue|Empty|NullValue|(?:Bool|Bytes|Double|Float|Int32|Int64|String|UInt32|UInt64)Value|NullValue\.NULL_VALUE)$/;
