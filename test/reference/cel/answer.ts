/** What our CEL makes of a question, in the words in which ./main.go answers it. */
import {
  CelList,
  CelMap,
  CelMistakes,
  checkExpression,
  Duration,
  estimatedCost,
  EvaluationError,
  kubernetes,
  makeProgram,
  NotEvaluable,
  Opaque,
  Optional,
  Panic,
  Timestamp,
  TypeValue,
  typeText,
  Uint,
  type CelType,
  type CelValue,
  type Node,
} from '../../../src/cel/index.js';
import {
  typeOfSchema,
  sizesOfSchema,
} from '../../../src/kubernetes/apiserver/rules/declared-types.js';
import { fromJson } from '../../../src/kubernetes/apiserver/rules/from-json.js';
import { readSchema } from '../../../src/kubernetes/apiserver/read-schema.js';
import { parseJson } from '../../../src/text/documents/index.js';
import { compareBytes, quote } from '../../../src/text/go/index.js';

/** `schema` and `self` are JSON. */
export interface Question {
  readonly rule: string;
  readonly schema?: string;
  readonly self?: string;
}

export interface Answer {
  /** The compiler's errors as it prints them. */
  readonly errors?: string;
  readonly type?: string;
  /** The checked tree: every node with its type, calls with their overloads. */
  readonly tree?: string;
  /** Why an expression that checks makes no program. */
  readonly program?: string;
  /** Of one evaluation at most; only of rules, whose value is a bool. */
  readonly cost?: string;
  readonly value?: string;
  readonly error?: string;
  /** Why we say nothing. */
  readonly notEvaluated?: string;
}

const steps = 1_000_000;

export function answer({ rule, schema, self }: Question): Answer {
  const node = schema === undefined ? undefined : readSchema(parseJson(schema), '$');
  const declared = node && typeOfSchema(node, false);
  const variables = new Map<string, CelType>(declared === undefined ? [] : [['self', declared]]);
  let result: Answer = {};
  try {
    const checked = checkExpression(rule, variables, kubernetes);
    result = { type: typeText(checked.type), tree: treeText(checked.tree) };
    const program = makeProgram(checked, kubernetes);
    if (checked.type.kind === 'bool') {
      const sizes = node && sizesOfSchema(node, false);
      result = { ...result, cost: String(estimatedCost(checked, sizes)) };
    }
    const hasSelf = node !== undefined && self !== undefined;
    const get = (): CelValue | undefined => (hasSelf ? fromJson(parseJson(self), node) : undefined);
    return { ...result, value: valueText(program.evaluate({ get }, { steps })) };
  } catch (error) {
    if (error instanceof CelMistakes) {
      return error.isOfProgram ? { ...result, program: error.message } : { errors: error.message };
    }
    if (error instanceof EvaluationError) return { ...result, error: error.message };
    if (error instanceof Panic) return { ...result, error: `internal error: ${error.message}` };
    if (error instanceof NotEvaluable) return { notEvaluated: error.message };
    throw error;
  }
}

function treeText(node: Node): string {
  const type = typeText(node.type as CelType);
  const written = (name: string, ...children: readonly Node[]): string =>
    `(${[`${name} :${type}`, ...children.map(treeText)].join(' ')})`;
  switch (node.kind) {
    case 'literal':
      return valueText(node.value);
    case 'identifier':
      return `${node.name.replace(/^\./, '')}:${type}`;
    case 'select':
      if (node.qualified !== undefined) return `${node.qualified.replace(/^\./, '')}:${type}`;
      return written(`.${node.field}${node.isTest ? '?' : ''}`, node.operand);
    case 'call': {
      const overloads = (node.overloads ?? []).map(({ id }) => id).sort();
      const name = `${node.name}#${overloads.join(',')}`;
      return node.target === undefined
        ? written(name, ...node.args)
        : written(`${name}@`, node.target, ...node.args);
    }
    case 'list':
      return written(`list[${[...node.optional].join(' ')}]`, ...node.items);
    case 'map':
      return written(
        `map${node.entries.map(({ isOptional }) => (isOptional ? '?' : '.')).join('')}`,
        ...node.entries.flatMap(({ key, value }) => [key, value]),
      );
    case 'fold':
      return written(
        `fold ${node.variable},${node.secondVariable ?? ''},${node.accumulator}`,
        node.range,
        node.initial,
        node.condition,
        node.step,
        node.result,
      );
    default:
      return '?';
  }
}

/** As an expression would write it, nearly. */
function valueText(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return doubleText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      break;
  }
  if (value === null) return 'null';
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) {
    return `b"${[...value].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`;
  }
  if (value instanceof Timestamp) return `timestamp(${value.nanoseconds})`;
  if (value instanceof Duration) return `duration(${value.nanoseconds})`;
  if (value instanceof TypeValue) return `type(${value.typeName})`;
  if (value instanceof Optional) {
    return value.isPresent ? `optional.of(${valueText(value.value ?? null)})` : 'optional.none()';
  }
  if (value instanceof CelList) {
    const items = Array.from({ length: value.size }, (_, index) => valueText(value.at(index)));
    return `[${items.join(', ')}]`;
  }
  if (value instanceof CelMap) {
    const entries = value
      .keys()
      .map((key) => `${valueText(key)}: ${valueText(value.find(key) ?? null)}`);
    return `{${entries.sort(compareBytes).join(', ')}}`;
  }
  return value instanceof Opaque ? value.typeName : '?';
}

function doubleText(value: number): string {
  if (!Number.isFinite(value)) {
    return `double("${Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'}")`;
  }
  return Object.is(value, -0) ? '-0e+00' : value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
}
