/** The conformance tests of cel-spec, and those of cel-go's parser, checker and macros. */
import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import {
  CelList,
  CelMap,
  CelMistakes,
  checkExpression,
  CompilerPanic,
  Duration,
  EvaluationError,
  kubernetes,
  listOf,
  listOfType,
  makeProgram,
  mapOfType,
  NotEvaluable,
  Optional,
  Panic,
  Timestamp,
  types,
  TypeValue,
  Uint,
  ValueMap,
  type CelType,
  type CelValue,
  type Language,
} from '../../src/cel/index.js';
import { parse } from '../../src/cel/syntax/parser.js';
import { compare, type Outcome, type Question } from './suite.js';

interface Test {
  readonly original: Original;
  readonly ast?: string;
  /** What cel-go says of the expression by itself. */
  readonly error?: string;
}

interface Original {
  readonly name?: string;
  readonly expr: string;
  /** A package of protocol buffers. */
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly Declaration[];
  readonly bindings?: Readonly<Record<string, { readonly value?: Written }>>;
  readonly value?: Written;
  readonly typedResult?: { readonly result?: Written };
  readonly evalError?: object;
}

interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: WrittenType };
}

type WrittenType = Readonly<Record<string, unknown>>;
type Written = Readonly<Record<string, unknown>>;

interface Tests {
  readonly name: string;
  readonly suites?: readonly Tests[];
  readonly tests?: readonly Test[];
}

/** Without the checks of literals that are Kubernetes' own. */
const language: Language = {
  ...kubernetes,
  checksLiterals: false,
  checksFormats: false,
  foldsLiterals: false,
};

/** The test needs what Kubernetes' CEL does not have. */
class NotAsked extends Error {}

const noMessages = 'protocol buffers, which no object of Kubernetes is';

export function* celSpecQuestions(): Generator<Question> {
  yield* questionsOf(conformance, '', conforms);
}

export function* celGoQuestions(): Generator<Question> {
  for (const each of [parsing, checking, comprehension] as unknown as Tests[]) {
    yield* questionsOf(each, '', parses);
  }
}

function* questionsOf(
  { name, suites = [], tests = [] }: Tests,
  path: string,
  ask: (test: Test) => Outcome,
): Generator<Question> {
  const here = path === '' ? name : `${path}/${name}`;
  for (const [index, test] of tests.entries()) {
    const { name: own = `${index + 1}` } = test.original;
    yield {
      name: `${here}/${own}`,
      text: test.original.expr,
      ask: () => outcomeOf(() => ask(test)),
    };
  }
  for (const each of suites) yield* questionsOf(each, here, ask);
}

function outcomeOf(ask: () => Outcome): Outcome {
  try {
    return ask();
  } catch (error) {
    if (error instanceof NotAsked) return { kind: 'not asked', reason: error.message };
    throw error;
  }
}

/** Whether cel-go's parser takes the text: it then has a tree of it. */
function parses({ original: { expr }, ast, error }: Test): Outcome {
  if (error?.includes("unsupported syntax '?'") === true) {
    throw new NotAsked('a parser without optional values, which Kubernetes has');
  }
  const { mistakes } = parse(expr, language);
  return compare(
    ast === undefined ? 'refused' : 'parsed',
    mistakes.length > 0 ? 'refused' : 'parsed',
  );
}

function conforms({ original }: Test): Outcome {
  const { expr, container, typeEnv = [], bindings = {}, evalError, checkOnly } = original;
  if (container !== undefined) throw new NotAsked(noMessages);
  const written = original.value ?? original.typedResult?.result;
  const expected =
    evalError !== undefined
      ? 'error'
      : written === undefined
        ? 'checked'
        : textOf(valueOf(written));
  const variables = new Map(
    typeEnv.map(({ name, ident }) => [name, typeOf(ident?.type ?? {})] as const),
  );
  const given = new Map(
    Object.entries(bindings).map(([name, { value = {} }]) => [name, valueOf(value)] as const),
  );
  for (const name of given.keys()) if (!variables.has(name)) variables.set(name, types.dyn);
  return compare(expected, answerTo(expr, { variables, given, original, checkOnly }));
}

interface Asking {
  readonly variables: ReadonlyMap<string, CelType>;
  readonly given: ReadonlyMap<string, CelValue>;
  readonly original: Original;
  readonly checkOnly: boolean | undefined;
}

function answerTo(expr: string, { variables, given, original, checkOnly }: Asking): string {
  try {
    const checked = checkExpression(expr, variables, language);
    if (checkOnly === true || (original.value ?? original.typedResult?.result) === undefined) {
      if (original.evalError === undefined) return 'checked';
    }
    return textOf(makeProgram(checked, language).evaluate(given, { steps: 1_000_000 }));
  } catch (error) {
    if (error instanceof CelMistakes) {
      if (original.evalError !== undefined) return 'error';
      const missing = missingIn(`${expr}\n${error.message}`);
      if (missing !== undefined) throw new NotAsked(missing);
      if (original.disableCheck === true) {
        throw new NotAsked(
          'an expression whose types are not checked, which Kubernetes always does',
        );
      }
      return `mistake: ${error.message}`;
    }
    if (error instanceof EvaluationError || error instanceof Panic) return 'error';
    if (error instanceof CelMistakes || error instanceof CompilerPanic) return 'error';
    if (error instanceof NotEvaluable) {
      if (error.message.includes('protocol buffers')) throw new NotAsked(noMessages);
      return `not evaluable: ${error.message}`;
    }
    throw error;
  }
}

const extensions: readonly (readonly [RegExp, string])[] = [
  [
    /undeclared reference to '(?:math|base64|proto|cel)'|\bcel\.(?:block|index|iterVar|bind)\b/,
    'libraries of cel-go that Kubernetes does not load (math, encoders, bindings, blocks, protos)',
  ],
  [/TestAllTypes|GlobalEnum|google\.protobuf/, noMessages],
  [
    /undeclared reference to 'reverse'/,
    'functions of strings that are newer than those of Kubernetes',
  ],
  [/unexpected failed resolution of|is not a type/, noMessages],
];

function missingIn(message: string): string | undefined {
  return extensions.find(([says]) => says.test(message))?.[1];
}

function typeOf(written: WrittenType): CelType {
  const [[kind, value] = ['', undefined]] = Object.entries(written);
  switch (kind) {
    case 'primitive':
      return primitives[value as string] as CelType;
    case 'wellKnown':
      return wellKnown[value as string] as CelType;
    case 'dyn':
      return types.dyn;
    case 'null':
      return types.null;
    case 'listType':
      return listOfType(typeOf((value as { elemType?: WrittenType }).elemType ?? { dyn: {} }));
    case 'mapType': {
      const { keyType = { dyn: {} }, valueType = { dyn: {} } } = value as Record<
        'keyType' | 'valueType',
        WrittenType | undefined
      >;
      return mapOfType(typeOf(keyType), typeOf(valueType));
    }
    default:
      throw new NotAsked(noMessages);
  }
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: types.bool,
  INT64: types.int,
  UINT64: types.uint,
  DOUBLE: types.double,
  STRING: types.string,
  BYTES: types.bytes,
};
const wellKnown: Readonly<Record<string, CelType>> = {
  DURATION: types.duration,
  TIMESTAMP: types.timestamp,
  ANY: types.any,
};

interface WrittenList {
  readonly values?: readonly Written[];
}

interface WrittenMap {
  readonly entries?: readonly { readonly key: Written; readonly value: Written }[];
}

function valueOf(written: Written): CelValue {
  const [[kind, value] = ['', undefined]] = Object.entries(written);
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value as boolean | string;
    case 'int64Value':
      return BigInt(value as string);
    case 'uint64Value':
      return new Uint(BigInt(value as string));
    case 'doubleValue':
      return Number(value);
    case 'bytesValue':
      return new Uint8Array(Buffer.from(value as string, 'base64'));
    case 'typeValue':
      return new TypeValue(value as string);
    case 'listValue':
      return listOf(((value as WrittenList).values ?? []).map(valueOf));
    case 'mapValue':
      return new ValueMap(
        ((value as WrittenMap).entries ?? []).map(
          (each) => [valueOf(each.key), valueOf(each.value)] as const,
        ),
      );
    default:
      throw new NotAsked(noMessages);
  }
}

/** Equal for equal values of one type. */
function textOf(value: CelValue): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return `int ${value}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Timestamp) return `timestamp ${value.nanoseconds}`;
  if (value instanceof Duration) return `duration ${value.nanoseconds}`;
  if (value instanceof TypeValue) return `type ${value.typeName}`;
  if (value instanceof Optional) {
    return value.isPresent ? `some ${textOf(value.value as CelValue)}` : 'none';
  }
  if (value instanceof CelList) {
    // Its iterator counts steps, which only an evaluation has.
    const items = Array.from({ length: value.size }, (_, index) => textOf(value.at(index)));
    return `[${items.join(', ')}]`;
  }
  if (value instanceof CelMap) {
    const entries = value
      .keys()
      .map((key) => `${textOf(key)}: ${textOf(value.find(key) as CelValue)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  return `opaque ${value.typeName}`;
}
