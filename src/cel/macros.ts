/**
 * Macros: has, the comprehensions with one and with two variables, optional mapping, sortBy.
 *
 * Source: cel-go/parser/macro.go and cel-go/ext/{comprehensions,lists}.go.
 */
import { compileNode } from './compile.js';
import { keyText } from './conversions.js';
import { CompileError, EvaluationError, noSuchOverload } from './errors.js';
import type { Expression, Run } from './expression.js';
import type { Frame } from './frame.js';
import { listOf } from './from-json.js';
import { sortedBy } from './list-functions.js';
import { CelList } from './lists.js';
import { attempt, combine } from './logic.js';
import { CelMap, ValueMap } from './maps.js';
import type { Scope } from './scope.js';
import { fieldType } from './selection.js';
import { placeOf, signPosition, type SyntaxNode } from './syntax.js';
import {
  listOfType,
  mapOfType,
  optionalOf,
  typeNameOf,
  types,
  typeText,
  type CelType,
} from './types.js';
import { noValue, Optional, type CelValue } from './values.js';

/** Undefined where the call is no macro. */
export function compileMacro(
  node: SyntaxNode,
  name: string,
  receiver: SyntaxNode | undefined,
  args: readonly SyntaxNode[],
  scope: Scope,
): Expression | undefined {
  if (receiver === undefined) {
    return name === 'has' && args.length === 1 && knows(scope, 'has/1')
      ? compileHas(node, args[0] as SyntaxNode, scope)
      : undefined;
  }
  const build = macros.get(`${name}/${args.length}`);
  if (build === undefined || !knows(scope, `${name}/${args.length}`)) return undefined;
  return build({ node, name, receiver, target: compileNode(receiver, scope), args, scope });
}

function knows({ language }: Scope, macro: string): boolean {
  return language.macros?.has(macro) ?? true;
}

interface Call {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly receiver: SyntaxNode;
  readonly target: Expression;
  readonly args: readonly SyntaxNode[];
  readonly scope: Scope;
}

function compileHas(node: SyntaxNode, argument: SyntaxNode, scope: Scope): Expression {
  if (argument.op !== '.' && argument.op !== '.?') {
    throw new CompileError('invalid argument to has() macro', placeOf(argument), 'parsing');
  }
  const [operandNode, field] = argument.args as [SyntaxNode, string];
  const operand = compileNode(operandNode, scope);
  const content =
    operand.type.name === 'optional_type'
      ? (operand.type.parameters[0] ?? types.dyn)
      : operand.type;
  fieldType(content, field, signPosition(node));
  return {
    type: types.bool,
    run: (frame) => {
      const value = operand.run(frame);
      const holder = value instanceof Optional ? value.value : value;
      return holder instanceof CelMap && holder.has(field);
    },
  };
}

/** The variables of a comprehension and how they are set for each entry. */
interface Loop {
  readonly scope: Scope;
  /** Sets the variables for each entry and calls back; stops when that returns false. */
  readonly each: (frame: Frame, visit: () => boolean) => void;
}

function variableName(node: SyntaxNode | undefined): string {
  if (node?.op === 'id') return node.args as string;
  throw new CompileError(
    'argument must be a simple name',
    node === undefined ? 0 : placeOf(node),
    'parsing',
  );
}

function loopOver({ receiver, target, args, scope }: Call, variables: 1 | 2): Loop {
  const { key, value } = entryTypes(target.type, placeOf(receiver));
  const first = scope.with(
    variableName(args[0]),
    variables === 1 && target.type.name !== 'map' ? value : key,
  );
  const second = variables === 2 ? first.scope.with(variableName(args[1]), value) : undefined;
  return {
    scope: second?.scope ?? first.scope,
    each: (frame, visit) => {
      const range = target.run(frame);
      for (const [entryKey, entryValue] of entries(range)) {
        frame.spend(1);
        const single = range instanceof CelMap ? entryKey : entryValue;
        frame.locals[first.slot] = attempt(variables === 1 ? single : entryKey, frame);
        if (second !== undefined) frame.locals[second.slot] = attempt(entryValue, frame);
        if (!visit()) return;
      }
    },
  };
}

function entryTypes(of: CelType, position: number): { key: CelType; value: CelType } {
  if (of.name === 'list') return { key: types.int, value: of.parameters[0] ?? types.dyn };
  if (of.name === 'map') {
    return { key: of.parameters[0] ?? types.dyn, value: of.parameters[1] ?? types.dyn };
  }
  if (of.name === 'dyn' && of !== types.any) return { key: types.dyn, value: types.dyn };
  throw new CompileError(
    `expression of type '${typeText(of)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    position,
  );
}

function* entries(range: CelValue): Generator<readonly [() => CelValue, () => CelValue]> {
  if (range instanceof CelList) {
    for (let index = 0; index < range.size; index++) {
      yield [() => BigInt(index), () => range.at(index)];
    }
  } else if (range instanceof CelMap) {
    for (const key of range.keys()) yield [() => key, () => range.find(key) ?? null];
  } else throw new EvaluationError(`got '${goName(range)}', expected iterable type`);
}

function goName(value: CelValue): string {
  const name = typeNameOf(value);
  return `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** all and exists: `decisive` ends the loop, and outweighs errors of other entries. */
function quantifier(variables: 1 | 2, decisive: boolean): (call: Call) => Expression {
  return (call) => {
    const loop = loopOver(call, variables);
    const predicate = condition(call, loop.scope, variables);
    return {
      type: types.bool,
      run: (frame) => {
        let result: CelValue | EvaluationError = !decisive;
        loop.each(frame, () => {
          const next = attempt(predicate.run, frame);
          result = attempt(() => combine(result, next, decisive), frame);
          return result !== decisive;
        });
        if ((result as unknown) instanceof EvaluationError)
          throw result as unknown as EvaluationError;
        return result;
      },
    };
  };
}

function condition(call: Call, scope: Scope, place: number): Expression {
  const node = call.args[place] as SyntaxNode;
  const predicate = compileNode(node, scope);
  if (predicate.type.name !== 'bool' && predicate.type.name !== 'dyn') {
    throw new CompileError(
      `expected type 'bool' but found '${typeText(predicate.type)}'`,
      placeOf(node),
    );
  }
  return predicate;
}

function truth(run: Run, frame: Frame): boolean {
  const value = run(frame);
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

function existsOne(variables: 1 | 2): (call: Call) => Expression {
  return (call) => {
    const loop = loopOver(call, variables);
    const predicate = condition(call, loop.scope, variables);
    return {
      type: types.bool,
      run: (frame) => {
        let count = 0;
        loop.each(frame, () => {
          if (truth(predicate.run, frame)) count++;
          return true;
        });
        return count === 1;
      },
    };
  };
}

function filter(call: Call): Expression {
  const loop = loopOver(call, 1);
  const predicate = condition(call, loop.scope, 1);
  const slotType =
    call.target.type.name === 'map'
      ? call.target.type.parameters[0]
      : call.target.type.parameters[0];
  const item = compileNode(call.args[0] as SyntaxNode, loop.scope);
  return {
    type: listOfType(slotType ?? types.dyn),
    run: (frame) => {
      const kept: CelValue[] = [];
      loop.each(frame, () => {
        if (truth(predicate.run, frame)) kept.push(item.run(frame));
        return true;
      });
      return listOf(kept);
    },
  };
}

/** map and transformList, with or without a filter before the transformation. */
function collect(variables: 1 | 2, filtered: boolean): (call: Call) => Expression {
  return (call) => {
    const loop = loopOver(call, variables);
    const predicate = filtered ? condition(call, loop.scope, variables) : undefined;
    const transform = compileNode(
      call.args[variables + (filtered ? 1 : 0)] as SyntaxNode,
      loop.scope,
    );
    return {
      type: listOfType(transform.type),
      run: (frame) => {
        const items: CelValue[] = [];
        loop.each(frame, () => {
          if (predicate === undefined || truth(predicate.run, frame))
            items.push(transform.run(frame));
          return true;
        });
        return listOf(items);
      },
    };
  };
}

/** transformMap keeps keys; transformMapEntry puts the entries of each result together. */
function collectMap(filtered: boolean, byEntry: boolean): (call: Call) => Expression {
  return (call) => {
    const loop = loopOver(call, 2);
    const predicate = filtered ? condition(call, loop.scope, 2) : undefined;
    const transform = compileNode(call.args[filtered ? 3 : 2] as SyntaxNode, loop.scope);
    const key = compileNode(call.args[0] as SyntaxNode, loop.scope);
    return {
      type: byEntry ? transform.type : mapOfType(key.type, transform.type),
      run: (frame) => {
        const found: (readonly [CelValue, CelValue])[] = [];
        loop.each(frame, () => {
          if (predicate !== undefined && !truth(predicate.run, frame)) return true;
          const value = transform.run(frame);
          if (!byEntry) found.push([key.run(frame), value]);
          else if (value instanceof CelMap) addEntries(found, value);
          else throw noSuchOverload();
          return true;
        });
        return new ValueMap(found);
      },
    };
  };
}

function addEntries(found: (readonly [CelValue, CelValue])[], value: CelMap): void {
  for (const key of value.keys()) {
    if (new ValueMap(found).has(key)) {
      throw new EvaluationError(`insert failed: key ${keyText(key)} already exists`);
    }
    found.push([key, value.find(key) ?? null]);
  }
}

function optionalMapping(flat: boolean): (call: Call) => Expression {
  return ({ target, args, scope }) => {
    const content =
      target.type.name === 'optional_type' ? (target.type.parameters[0] ?? types.dyn) : types.dyn;
    const inner = scope.with(variableName(args[0]), content);
    const transform = compileNode(args[1] as SyntaxNode, inner.scope);
    return {
      type: flat ? transform.type : optionalOf(transform.type),
      run: (frame) => {
        const optional = target.run(frame);
        if (!(optional instanceof Optional)) throw noSuchOverload();
        if (optional.value === undefined) return noValue;
        frame.locals[inner.slot] = optional.value;
        const value = transform.run(frame);
        return flat ? value : new Optional(value);
      },
    };
  };
}

function sortBy(call: Call): Expression {
  const loop = loopOver(call, 1);
  const key = compileNode(call.args[1] as SyntaxNode, loop.scope);
  const item = compileNode(call.args[0] as SyntaxNode, loop.scope);
  return {
    type: call.target.type,
    run: (frame) => {
      const items: CelValue[] = [];
      const keys: CelValue[] = [];
      loop.each(frame, () => {
        items.push(item.run(frame));
        keys.push(key.run(frame));
        return true;
      });
      return sortedBy(items, keys);
    },
  };
}

const macros = new Map<string, (call: Call) => Expression>([
  ['all/2', quantifier(1, false)],
  ['exists/2', quantifier(1, true)],
  ['exists_one/2', existsOne(1)],
  ['existsOne/2', existsOne(1)],
  ['filter/2', filter],
  ['map/2', collect(1, false)],
  ['map/3', collect(1, true)],
  ['all/3', quantifier(2, false)],
  ['exists/3', quantifier(2, true)],
  ['existsOne/3', existsOne(2)],
  ['exists_one/3', existsOne(2)],
  ['transformList/3', collect(2, false)],
  ['transformList/4', collect(2, true)],
  ['transformMap/3', collectMap(false, false)],
  ['transformMap/4', collectMap(true, false)],
  ['transformMapEntry/3', collectMap(false, true)],
  ['transformMapEntry/4', collectMap(true, true)],
  ['optMap/2', optionalMapping(false)],
  ['optFlatMap/2', optionalMapping(true)],
  ['sortBy/2', sortBy],
]);
