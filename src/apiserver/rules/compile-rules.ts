/**
 * x-kubernetes-validations of a schema, compiled once and evaluated for each value they reach.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/{validation,compilation}.go.
 */
import { kubernetes, type Budget, type CelType, type Language } from '../../cel/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { ListMap, type Correlated } from '../correlation.js';
import { child, invalid, type FieldError } from '../field-error.js';
import type { SchemaNode } from '../schema.js';
import { typeOfSchema } from './declared-types.js';
import { escapeName } from './escaping.js';
import type { NotEvaluated, RulesOutcome } from './outcome.js';
import { withTypeAndMeta } from './resource-schema.js';
import { compileRule, type CompiledRule } from './rule.js';
import { RuleValues } from './rule-values.js';

export interface CompiledRules {
  evaluate(
    value: JsonValue,
    old: JsonValue | undefined,
    correlated: Correlated | undefined,
  ): RulesOutcome;
}

/** What is said of a value whose schema has rules but no type that they could know. */
export const withoutType =
  'rule compiler initialization error: failed to convert to declType for CEL validation rules';

/** Steps for all rules of one object; Kubernetes' own budget is of this order. */
const stepsPerObject = 10_000_000;

/**
 * Undefined where the schema has no rules. Rules under allOf count only beside others.
 *
 * @param isResource whether kind, apiVersion and metadata are there without being named
 * @param language that of a server, where it is not the usual one
 */
export function compileRules(
  schema: SchemaNode,
  isResource = true,
  language: Language = kubernetes,
): CompiledRules | undefined {
  if (!hasRules(schema)) return undefined;
  const type = typeOfSchema(schema, isResource);
  const root = compileNode(schema, schema, isResource, type, language);
  return {
    evaluate: (value, old, correlated) => {
      const walk = new Walk();
      root?.visit(value, old, { current: correlated, parent: undefined }, '', walk);
      return { errors: walk.errors, notEvaluated: walk.notEvaluated };
    },
  };
}

export function hasRules(schema: SchemaNode | undefined): boolean {
  if (schema === undefined) return false;
  if (schema.rules.length > 0 || hasRules(schema.items)) return true;
  if (hasRules(schema.additionalProperties?.schema)) return true;
  return [...(schema.properties?.values() ?? [])].some(hasRules);
}

/** One evaluation of all rules of an object. */
class Walk implements Budget {
  readonly errors: FieldError[] = [];
  readonly notEvaluated: NotEvaluated[] = [];
  steps = stepsPerObject;
}

/** What is unchanged since the old object: this value, or the nearest around it that has an old one. */
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

/**
 * @param rulesFrom where rules are read: the schema itself, or a branch of its allOf.
 * @param type undefined where rules cannot see the values.
 */
function compileNode(
  rulesFrom: SchemaNode,
  schema: SchemaNode,
  isResource: boolean,
  type: CelType | undefined,
  language: Language,
): RuleNode | undefined {
  const itemType = type?.parameters[type.parameters.length - 1];
  const items =
    rulesFrom.items && schema.items
      ? compileNode(
          rulesFrom.items,
          schema.items,
          schema.items.embeddedResource,
          itemType,
          language,
        )
      : undefined;
  const [additionalRules, additional] = [
    rulesFrom.additionalProperties?.schema,
    schema.additionalProperties?.schema,
  ];
  const values =
    additionalRules && additional
      ? compileNode(additionalRules, additional, additional.embeddedResource, itemType, language)
      : undefined;
  const node = new RuleNode(
    schema,
    {
      rules: rulesFrom.rules.map((rule) => compileRule(rule, schema, type, language)),
      untyped: type === undefined && rulesFrom.rules.length > 0,
      items,
      values,
      properties: compileProperties(rulesFrom, schema, type, language),
      allOf: rulesFrom.allOf.flatMap(
        (branch) => compileNode(branch, schema, isResource, type, language) ?? [],
      ),
    },
    isResource,
  );
  return node.isEmpty ? undefined : node;
}

function compileProperties(
  rulesFrom: SchemaNode,
  schema: SchemaNode,
  type: CelType | undefined,
  language: Language,
): Map<string, RuleNode> {
  const nodes = new Map<string, RuleNode>();
  for (const [name, rules] of rulesFrom.properties ?? []) {
    const property = schema.properties?.get(name);
    if (property === undefined) continue;
    const identifier = escapeName(name);
    const fieldType =
      identifier === undefined
        ? typeOfSchema(property, property.embeddedResource)
        : type?.fields?.get(identifier);
    if (fieldType === undefined) continue;
    const node = compileNode(rules, property, property.embeddedResource, fieldType, language);
    if (node !== undefined) nodes.set(name, node);
  }
  return nodes;
}

interface Parts {
  readonly rules: readonly CompiledRule[];
  readonly untyped: boolean;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly allOf: readonly RuleNode[];
}

class RuleNode {
  /** The schema through which rules see the value. */
  private readonly seen: SchemaNode;

  constructor(
    private readonly schema: SchemaNode,
    private readonly parts: Parts,
    isResource: boolean,
  ) {
    this.seen = isResource ? withTypeAndMeta(schema) : schema;
  }

  get isEmpty(): boolean {
    const { rules, items, values, properties, allOf } = this.parts;
    return (
      rules.length + properties.size + allOf.length === 0 &&
      items === undefined &&
      values === undefined
    );
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
    for (const branch of this.parts.allOf) {
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
    const { rules, untyped } = this.parts;
    const field = path === '' ? '<nil>' : path;
    if (untyped) {
      walk.errors.push({ ...invalid(field, withoutType), isOfDefinition: true });
      return;
    }
    if (rules.length === 0) return;
    const isOldSeen = rules.some(({ usesOld }) => usesOld);
    const values = new RuleValues(value, old, this.seen, isOldSeen);
    for (const rule of rules) {
      const result = rule.judge(values, walk);
      if (result === undefined) continue;
      if ('reason' in result) walk.notEvaluated.push({ field, reason: result.reason });
      else if (!result.forgivable || !isUnchanged(ratchet)) {
        const below = result.fieldPath.replace(/^\./, '');
        const place = below === '' ? field : child(path, below);
        const { type, detail, isOfRule } = result;
        walk.errors.push({ type, field: place, detail, ...(isOfRule && { isOfDefinition: true }) });
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
    const { items } = this.parts;
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
    const { values, properties } = this.parts;
    const { mapType } = this.schema;
    const comparable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const before = comparable && old !== undefined && isObject(old) ? old : undefined;
    for (const key of Object.keys(object)) {
      const value = object[key] as JsonValue;
      const oldValue = before && own(before, key);
      values?.visit(value, oldValue, keyOf(ratchet, key), `${path}[${key}]`, walk);
      properties.get(key)?.visit(value, oldValue, keyOf(ratchet, key), child(path, key), walk);
    }
  }
}

function isUnchanged({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isUnchanged() === true;
}
