/**
 * `import { compile } from 'olm-guard/cel'`: the Common Expression Language as API servers have it. What
 * each minor of Kubernetes knows and refuses, in its words; what expressions cost, and what they give.
 *
 * @module olm-guard/cel
 */
import {
  CelList,
  CelMap,
  CelMistakes,
  type CelType,
  type CelValue,
  checkExpression,
  childrenOf,
  estimatedCost,
  EvaluationError,
  type Language,
  makeProgram,
  type Node,
  NotEvaluable,
  optionalOf,
  Panic,
  parseExpression,
  spend,
  typeNameOf,
  types,
  typeText,
  type Variables,
  within,
  writtenText,
} from '../../cel/index.js';
import {
  knownMinors,
  languageOf,
  newestMinor,
  ofEstimates,
  readSchema,
  readWithoutSchema,
  RuleValues,
  sizesOfSchema,
  traitsOf,
  typeOfSchema,
} from '../../kubernetes/index.js';
import { InvalidInputError, type JsonObject, type JsonValue } from '../../text/documents/index.js';

/** The minors of Kubernetes whose CEL is known, from the oldest to the newest: `1.29`, … */
export const minors: readonly string[] = knownMinors;

/** The language and the variables of an expression. */
export interface CelEnvironment {
  /** One of {@link minors}; by default the newest. */
  readonly kubernetes?: string;
  /** A stored expression may use all that its server knows; a new one only what the minor before knows, too. */
  readonly stored?: boolean;
  /** The OpenAPI schema of `self` and `oldSelf`, as a CustomResourceDefinition has it. */
  readonly schema?: object;
  /** Whether the schema is that of a whole object, which has `apiVersion`, `kind` and `metadata`. */
  readonly resource?: boolean;
  /** Whether `oldSelf` is optional, as `optionalOldSelf` of a rule says. */
  readonly optionalOldSelf?: boolean;
  /** Variables of any type, such as `object` and `request`; with a schema they have no bound but its own. */
  readonly variables?: readonly string[];
}

/** A node of a parsed expression, with macros expanded as cel-go expands them. */
export interface CelNode {
  readonly kind: 'literal' | 'identifier' | 'select' | 'call' | 'list' | 'map' | 'struct' | 'fold' | 'broken'; // prettier-ignore
  /** Where it is in the text, in UTF-16 units; negative for what has no place. */
  readonly position: number;
  /** The name of an identifier, a field, a function (`_+_` for an operator) or the variable of a fold. */
  readonly name?: string;
  /** The value of a literal. */
  readonly value?: CelResult;
  readonly children: readonly CelNode[];
}

/** A value: `int` is a bigint, `double` a number, a map a Map; of other types the text that CEL prints. */
export type CelResult =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly CelResult[]
  | ReadonlyMap<CelResult, CelResult>
  | { readonly type: string; readonly text: string };

/** An expression that checks, made into a program once. */
export interface CelExpression {
  /** Its type in cel-go's words: `bool`, `list(string)`, … */
  readonly type: string;
  /** The highest cost of one evaluation, as the API server estimates it from the schema's bounds; 2⁶⁴ - 1 for none. */
  readonly estimatedCost: bigint;
  /**
   * The value for these variables, each as JSON.parse gives it.
   *
   * @param steps how much work is done at most, in steps of the size of one call
   * @throws CelError
   */
  evaluate(variables: Readonly<Record<string, unknown>>, steps?: number): CelResult;
}

/** The only error that this module throws. */
export class CelError extends Error {
  override readonly name = 'CelError';

  constructor(
    /**
     * `E_EXPRESSION`: the API server refuses the expression, in the words of the message; `E_VALUE`: the
     * expression fails for these values; `E_LIMIT`: it takes too much work, or needs what no object of
     * Kubernetes has; `E_INPUT`: the environment or a value is none.
     */
    readonly code: 'E_EXPRESSION' | 'E_VALUE' | 'E_LIMIT' | 'E_INPUT',
    message: string,
  ) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message);
  }
}

/** Characters; cel-go shows the line of each of a hundred mistakes. */
const longestMessage = 10_000;
const usualSteps = 1_000_000;

/** The tree of an expression, whatever its names are. @throws CelError */
export function parse(expression: string, environment: CelEnvironment = {}): CelNode {
  return attempted(() => {
    const tree = parseExpression(textOf(expression), languageIn(environment));
    return within({ steps: usualSteps }, nodeOf, tree);
  });
}

/** An expression, checked and ready to be evaluated many times. @throws CelError */
export function compile(expression: string, environment: CelEnvironment = {}): CelExpression {
  return attempted(() => {
    const language = languageIn(environment);
    const {
      variables: names = [],
      schema: source,
      resource = false,
      optionalOldSelf,
    } = environment;
    const schema = source && readSchema(source as JsonObject, '$.schema');
    const self = schema ? typeOfSchema(schema, resource) : types.dyn;
    if (self === undefined) throw new CelError('E_INPUT', 'rules cannot see values of the schema');
    const declared = new Map<string, CelType>(names.map((name) => [name, types.dyn]));
    declared.set('self', self).set('oldSelf', optionalOldSelf ? optionalOf(self) : self);
    const checked = checkExpression(textOf(expression), declared, language);
    const program = makeProgram(checked, language);
    const seen = resource ? schema?.asResource() : schema;
    return {
      type: typeText(checked.type),
      get estimatedCost() {
        const traits = traitsOf(environment.kubernetes ?? newestMinor);
        const sizes = schema && sizesOfSchema(schema, resource, { ...ofEstimates, ...traits });
        return attempted(() => estimatedCost(checked, sizes, traits));
      },
      evaluate(values, steps = usualSteps) {
        try {
          const own = new RuleValues(values['self'] as JsonValue, values['oldSelf'] as JsonValue, seen, true); // prettier-ignore
          const typed = optionalOldSelf === true ? own.withOptionalOld : own;
          const budget = { steps: steps >= 0 ? steps : 0 };
          const value = program.evaluate(names.length === 0 ? typed : new Values(values, typed), budget); // prettier-ignore
          return isScalar(value) ? value : within(budget, resultOf, value);
        } catch (error) {
          throw celError(error);
        }
      },
    };
  });
}

/** The variables of one evaluation. */
class Values implements Variables {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly own: Variables,
  ) {}

  get(name: string): CelValue | undefined {
    if (name === 'self' || name === 'oldSelf') return this.own.get(name);
    return Object.hasOwn(this.values, name) ? readWithoutSchema(this.values[name] as JsonValue) : undefined; // prettier-ignore
  }
}

function languageIn({ kubernetes = newestMinor, stored = false }: CelEnvironment): Language {
  return languageOf(traitsOf(kubernetes), stored);
}

function textOf(expression: unknown): string {
  if (typeof expression === 'string') return expression;
  throw new CelError('E_INPUT', 'the expression must be a string');
}

function nodeOf(node: Node): CelNode {
  spend(1);
  const { kind, position } = node;
  const name = 'name' in node ? node.name : 'field' in node ? node.field : 'variable' in node ? node.variable : undefined; // prettier-ignore
  const value = 'value' in node ? { value: resultOf(node.value) } : {};
  return { kind, position, name, ...value, children: childrenOf(node).map(nodeOf) };
}

function isScalar(value: CelValue): value is boolean | bigint | number | string {
  const type = typeof value;
  return type === 'boolean' || type === 'bigint' || type === 'number' || type === 'string';
}

function resultOf(value: CelValue): CelResult {
  spend(1);
  if (value === null || isScalar(value) || value instanceof Uint8Array) return value;
  if (typeof value !== 'object') throw new TypeError();
  if (value instanceof CelList) return Array.from(value.items(), resultOf);
  if (value instanceof CelMap) {
    return new Map(value.keys().map((key) => [resultOf(key), resultOf(value.find(key) ?? null)]));
  }
  return { type: typeNameOf(value), text: writtenText(value) };
}

/** Turns every error into a CelError. */
function attempted<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw celError(error);
  }
}

function celError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CelError) return error;
  const { message } = error;
  if (error instanceof CelMistakes) return new CelError('E_EXPRESSION', message); // prettier-ignore
  if (error instanceof EvaluationError || error instanceof Panic) return new CelError('E_VALUE', message); // prettier-ignore
  if (error instanceof NotEvaluable) return new CelError('E_LIMIT', message);
  if (error instanceof RangeError) return new CelError('E_LIMIT', 'it is too large, or nests too deep'); // prettier-ignore
  if (error instanceof InvalidInputError) return new CelError('E_INPUT', error.describe());
  if (error instanceof TypeError) return new CelError('E_INPUT', 'values and schemas must be as JSON.parse gives them'); // prettier-ignore
  return error;
}
