/** Whether schemas are equal, each pair of them compared once. */
import type { JsonValue } from '../../text/documents/index.js';
import {
  identity as valueIdentity,
  keywordsOfNodes,
  type SchemaKeywords,
  type SchemaNode,
} from '../../kubernetes/index.js';
import type { Budget } from './budget.js';

/** Counted in values. */
const costOfNode = 1;

/** Equal schemas get equal numbers, each node once: for those that are compared with many others. */
export class Identities {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<SchemaNode, number>();

  constructor(protected readonly budget: Budget) {}

  of(node: SchemaNode): number {
    let number = this.known.get(node);
    if (number === undefined) {
      this.budget.spend(costOfNode);
      number = this.intern(this.text(node));
      this.known.set(node, number);
    }
    return number;
  }

  same(left: SchemaNode | undefined, right: SchemaNode | undefined): boolean {
    if (left === undefined || right === undefined) return left === right;
    return this.of(left) === this.of(right);
  }

  private intern(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) this.numbers.set(text, (number = this.numbers.size));
    return number;
  }

  private text(node: SchemaNode): string {
    const parts: string[] = [];
    for (const key of keywordsOfNodes) {
      const value = node[key];
      const text = this.textOf(key, value);
      if (text !== '') parts.push(`${key}=${text}`);
    }
    return parts.join('\n');
  }

  /** Empty for what says nothing. */
  protected textOf(key: keyof SchemaKeywords, value: unknown): string {
    if (value === undefined || (key !== 'default' && isSilent(value))) return '';
    return this.part(key, value);
  }

  private part(key: keyof SchemaKeywords, value: unknown): string {
    switch (key) {
      case 'items':
      case 'not':
        return String(this.of(value as SchemaNode));
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return (value as SchemaNode[]).map((node) => this.of(node)).join(',');
      case 'properties':
        return [...(value as ReadonlyMap<string, SchemaNode>)]
          .map(([name, node]) => `${plain(name)}:${this.of(node)}`)
          .sort()
          .join(',');
      case 'additionalProperties': {
        const { allows, schema } = value as NonNullable<SchemaNode['additionalProperties']>;
        return schema === undefined ? String(allows) : `#${this.of(schema)}`;
      }
      case 'required':
      case 'listMapKeys':
        return JSON.stringify([...(value as string[])].sort());
      case 'default':
        return valueIdentity(value as JsonValue);
      case 'enum':
        return (value as JsonValue[]).map(valueIdentity).sort().join(',');
      case 'rules':
        // Pairs as JSON: a rule's text may hold whatever else would be between two.
        return JSON.stringify(
          (value as SchemaNode['rules']).map(({ rule, optionalOldSelf }) => [
            rule,
            optionalOldSelf,
          ]),
        );
      default:
        if (typeof value === 'string') return plain(value);
        return typeof value === 'number' ? String(value) : JSON.stringify(value);
    }
  }
}

/** Most nodes of schemas read together are the very same: only those around what differs are looked at. */
export class PairIdentities extends Identities {
  private readonly compared = new Map<SchemaNode, Map<SchemaNode, boolean>>();

  override same(left: SchemaNode | undefined, right: SchemaNode | undefined): boolean {
    if (left === right) return true;
    if (left === undefined || right === undefined) return false;
    let known = this.compared.get(left);
    if (known === undefined) this.compared.set(left, (known = new Map<SchemaNode, boolean>()));
    let isSame = known.get(right);
    if (isSame === undefined) {
      this.budget.spend(costOfNode);
      isSame = keywordsOfNodes.every((key) => this.samePart(key, left[key], right[key]));
      known.set(right, isSame);
    }
    return isSame;
  }

  private samePart(key: keyof SchemaKeywords, left: unknown, right: unknown): boolean {
    if (left === right) return true;
    switch (key) {
      case 'items':
      case 'not':
        return this.same(left as SchemaNode | undefined, right as SchemaNode | undefined);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return this.sameNodes(left as readonly SchemaNode[], right as readonly SchemaNode[]);
      case 'properties':
        return this.sameFields(left as Fields, right as Fields);
      case 'additionalProperties': {
        const [one, other] = [left, right] as SchemaNode['additionalProperties'][];
        if (one?.schema === undefined || other?.schema === undefined) break;
        return this.same(one.schema, other.schema);
      }
      default:
    }
    return this.textOf(key, left) === this.textOf(key, right);
  }

  private sameNodes(left: readonly SchemaNode[], right: readonly SchemaNode[]): boolean {
    return (
      left.length === right.length && left.every((node, index) => this.same(node, right[index]))
    );
  }

  private sameFields(left: Fields = none, right: Fields = none): boolean {
    return (
      left.size === right.size &&
      [...left].every(([name, node]) => this.same(node, right.get(name)))
    );
  }
}

type Fields = SchemaNode['properties'];
const none: NonNullable<Fields> = new Map();

/** Led by its length, for a text may hold whatever else would end it; quoting it takes longer. */
function plain(text: string): string {
  return `${text.length} ${text}`;
}

/** Whether the value means the same as an absent keyword; but a default of false is a value. */
function isSilent(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
