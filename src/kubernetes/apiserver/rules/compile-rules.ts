/** Compiled once. Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/{validation,compilation}.go. */
import {
  type Budget,
  type CelType,
  kubernetes,
  type Language,
  tooManySteps,
} from '../../../cel/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { ListMap, type Correlated } from '../equality.js';
import { child, invalid, type FieldError } from '../field-error.js';
import type { SchemaNode, ValidationRule } from '../schema.js';
import { typeOfSchema } from './declared-types.js';
import { escapeName } from './field-names.js';
import { compileRule, type CompiledRule, RuleValues } from './rule.js';

export interface CompiledRules {
  evaluate(
    value: JsonValue,
    old: JsonValue | undefined,
    correlated: Correlated | undefined,
    options?: EvaluationOptions,
  ): {
    readonly errors: readonly FieldError[];
    readonly notEvaluated: readonly NotEvaluated[];
    readonly steps: number;
  };
}

interface EvaluationOptions {
  /** Where the value stands; empty for a whole object. */
  readonly path?: string;
  /** As 1.29 does: below the `fieldPath` of one refusal stand the next ones of the same value. */
  readonly addsFieldPaths?: boolean;
  /** Steps that compiling, asking and evaluating may take; rules beyond them are not evaluated. */
  readonly most?: number | undefined;
}

/** The error for a value whose schema has rules but no type that they could use. */
const withoutType =
  'rule compiler initialization error: failed to convert to declType for CEL validation rules';

/** Steps for all rules of one object; Kubernetes' own budget is of this order. */
const stepsPerObject = 10_000_000;
/** Steps that take the time of a question to a rule, and of the first one beside it. */
const [stepsPerQuestion, stepsPerFirst] = [40, 360];
/** Steps that take the time of compiling one character of a rule. */
const stepsPerCharacter = 20;

/** Rules that were compiled already, of one language: for schemas that share most of their parts. */
export type CompiledRuleParts =
  Map<ValidationRule, CompiledPart> | WeakMap<ValidationRule, CompiledPart>;

interface CompiledPart {
  readonly of: SchemaNode;
  readonly compiled: CompiledRule;
}

/**
 * Undefined without rules; those under allOf count only beside others. @param language of a server, if not usual
 */
export function compileRules(
  schema: SchemaNode,
  isResource = true,
  language: Language = kubernetes,
  known: CompiledRuleParts = new Map(),
): CompiledRules | undefined {
  if (!schema.holds('rules')) return undefined;
  const compile: Compile = (rule, of, type, walk) => {
    const same = known.get(rule);
    if (same?.of === of) return same.compiled;
    if (!walk.pay(stepsPerFirst + stepsPerCharacter * rule.rule.length)) return undefined;
    const compiled = compileRule(rule, of, type, language);
    known.set(rule, { of, compiled });
    return compiled;
  };
  let root: RuleNode | undefined;
  return {
    evaluate: (value, old, correlated, { path = '', addsFieldPaths = false, most } = {}) => {
      const walk = new Walk(addsFieldPaths, most);
      root ??= new RuleNode(schema, schema, isResource, typeOfSchema(schema, isResource), compile);
      root.visit(value, old, { current: correlated, parent: undefined }, path, walk);
      return { errors: walk.errors, notEvaluated: walk.notEvaluated, steps: walk.used };
    },
  };
}

/** Undefined where the walk cannot pay for it. */
type Compile = (
  rule: ValidationRule,
  of: SchemaNode,
  type: CelType | undefined,
  walk: Walk,
) => CompiledRule | undefined;

/** One evaluation of all rules of an object. */
class Walk implements Budget {
  readonly errors: FieldError[] = [];
  readonly notEvaluated: NotEvaluated[] = [];
  steps: number;
  private readonly atFirst: number;

  constructor(
    readonly addsFieldPaths: boolean,
    private readonly most = Infinity,
  ) {
    this.steps = this.atFirst = Math.min(stepsPerObject, most);
  }

  get used(): number {
    return this.atFirst - Math.max(0, this.steps);
  }

  /** Pays for compiling and asking, which no API server counts; false, and nothing is paid, where too little is left. */
  pay(steps: number): boolean {
    if (this.most === Infinity) return true;
    if (steps > this.steps) return false;
    this.steps -= steps;
    return true;
  }
}

/** The part unchanged since the old object: this value, or the nearest around it that has an old one. */
interface Ratchet {
  readonly current: Correlated | undefined;
  readonly parent: Correlated | undefined;
}

function inner(ratchet: Ratchet, next: (current: Correlated) => Correlated | undefined): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  return { current: next(ratchet.current), parent: ratchet.current };
}

function keyOf(ratchet: Ratchet, key: string): Ratchet {
  const isRootType = ratchet.parent === undefined && (key === 'apiVersion' || key === 'kind');
  if (ratchet.current !== undefined && isRootType) return { current: undefined, parent: undefined };
  return inner(ratchet, (current) => current.key(key));
}

class RuleNode {
  /** The schema through which rules see the value. */
  private readonly seen: SchemaNode;
  private readonly fields = new Map<string, RuleNode | undefined>();
  private compiled: readonly CompiledRule[] | undefined;
  private branches: readonly RuleNode[] | undefined;
  private inner: { readonly items?: RuleNode; readonly values?: RuleNode } | undefined;

  constructor(
    /** Where rules are read: the schema itself, or a branch of its allOf. */
    private readonly rulesFrom: SchemaNode,
    private readonly schema: SchemaNode,
    private readonly isResource: boolean,
    /** Undefined where rules cannot see the values. */
    private readonly type: CelType | undefined,
    private readonly compile: Compile,
  ) {
    this.seen = isResource ? schema.asResource() : schema;
  }

  /** Undefined where the walk cannot pay for compiling all of them. */
  private rulesFor(walk: Walk): readonly CompiledRule[] | undefined {
    if (this.compiled !== undefined) return this.compiled;
    const rules: CompiledRule[] = [];
    for (const rule of this.rulesFrom.rules) {
      const compiled = this.compile(rule, this.schema, this.type, walk);
      if (compiled === undefined) return undefined;
      rules.push(compiled);
    }
    return (this.compiled = rules);
  }

  private get allOf(): readonly RuleNode[] {
    return (this.branches ??= this.rulesFrom.allOf
      .filter(hasRules)
      .map(
        (branch) => new RuleNode(branch, this.schema, this.isResource, this.type, this.compile),
      ));
  }

  private get entries(): { readonly items?: RuleNode; readonly values?: RuleNode } {
    if (this.inner !== undefined) return this.inner;
    const type = this.type?.parameters[this.type.parameters.length - 1];
    const items = this.below(this.rulesFrom.items, this.schema.items, type);
    const values = this.below(
      this.rulesFrom.additionalProperties?.schema,
      this.schema.additionalProperties?.schema,
      type,
    );
    return (this.inner = {
      items,
      values,
    });
  }

  private fieldOf(name: string): RuleNode | undefined {
    if (this.fields.has(name)) return this.fields.get(name);
    const property = this.schema.properties?.get(name);
    const identifier = escapeName(name);
    let type: CelType | undefined;
    if (property !== undefined) {
      type =
        identifier === undefined
          ? typeOfSchema(property, property.embeddedResource)
          : this.type?.fields?.get(identifier);
    }
    const rules = this.rulesFrom.properties?.get(name);
    const field = type && this.below(rules, property, type);
    this.fields.set(name, field);
    return field;
  }

  private below(
    rules: SchemaNode | undefined,
    schema: SchemaNode | undefined,
    type: CelType | undefined,
  ): RuleNode | undefined {
    if (rules === undefined || schema === undefined || !hasRules(rules)) return undefined;
    return new RuleNode(rules, schema, schema.embeddedResource, type, this.compile);
  }

  visit(
    value: JsonValue,
    old: JsonValue | undefined,
    ratchet: Ratchet,
    path: string,
    walk: Walk,
  ): void {
    // Null is judged by the rules of what is around it.
    if (value === null) return;
    this.evaluate(value, old, ratchet, path, walk);
    for (const branch of this.allOf) {
      branch.visit(value, old, { current: undefined, parent: ratchet.parent }, path, walk);
    }
    if (Array.isArray(value)) this.visitItems(value, old, ratchet, path, walk);
    else if (isObject(value)) this.visitFields(value, old, ratchet, path, walk);
  }

  private evaluate(
    value: JsonValue,
    old: JsonValue | undefined,
    ratchet: Ratchet,
    path: string,
    walk: Walk,
  ): void {
    if (this.rulesFrom.rules.length === 0) return;
    if (this.type === undefined) {
      walk.errors.push({ ...invalid(path === '' ? '<nil>' : path, withoutType), isOfDefinition: true }); // prettier-ignore
      return;
    }
    const rules = this.rulesFor(walk);
    if (rules === undefined || !walk.pay(stepsPerQuestion * rules.length)) {
      walk.notEvaluated.push({ field: path === '' ? '<nil>' : path, reason: tooManySteps });
      return;
    }
    const isOldSeen = rules.some(({ usesOld }) => usesOld);
    const values = new RuleValues(value, old, this.seen, isOldSeen);
    let around = path;
    for (const rule of rules) {
      const result = rule.judge(values, walk);
      if (result === undefined) continue;
      const field = around === '' ? '<nil>' : around;
      if ('reason' in result) walk.notEvaluated.push({ field, reason: result.reason });
      else {
        const below = result.fieldPath;
        const place = below === '' ? field : child(around, below);
        if (below !== '' && walk.addsFieldPaths) around = place;
        if (result.forgivable && isUnchanged(ratchet)) continue;
        const { type, detail, withoutValues, isOfRule } = result;
        walk.errors.push({
          ...{ type, field: place, detail },
          ...(withoutValues !== undefined && { withoutValues }),
          ...(isOfRule && { isOfDefinition: true }),
        });
      }
    }
  }

  private visitItems(
    list: readonly JsonValue[],
    old: JsonValue | undefined,
    ratchet: Ratchet,
    path: string,
    walk: Walk,
  ): void {
    const { items } = this.entries;
    if (items === undefined) return;
    const oldItems = new ListMap(this.schema, Array.isArray(old) ? old : []);
    list.forEach((item, index) => {
      const next = inner(ratchet, (current) => current.index(index));
      items.visit(item, oldItems.get(item), next, `${path}[${index}]`, walk);
    });
  }

  private visitFields(
    object: JsonObject,
    old: JsonValue | undefined,
    ratchet: Ratchet,
    path: string,
    walk: Walk,
  ): void {
    const { values } = this.entries;
    const { mapType } = this.schema;
    const comparable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const before = comparable && isObject(old) ? old : undefined;
    for (const key of Object.keys(object)) {
      const value = object[key] as JsonValue;
      const oldValue = before && own(before, key);
      values?.visit(value, oldValue, keyOf(ratchet, key), `${path}[${key}]`, walk);
      this.fieldOf(key)?.visit(value, oldValue, keyOf(ratchet, key), child(path, key), walk);
    }
  }
}

function hasRules(schema: SchemaNode): boolean {
  return schema.holds('rules') || schema.holds('rulesUnderAllOf');
}

function isUnchanged({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isUnchanged() === true;
}

/** A rule that could not be judged; never to be taken as a pass. */
export interface NotEvaluated {
  readonly field: string;
  readonly reason: string;
}
