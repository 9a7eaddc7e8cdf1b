/** Equal schemas get equal numbers, so that a subtree is compared in one step. */
import type { JsonValue } from '../../text/documents/index.js';
import {
  identity as valueIdentity,
  keywordsOfNodes,
  type SchemaKeywords,
  type SchemaNode,
} from '../../kubernetes/index.js';
import type { Budget } from './budget.js';

/** In values. */
const costOfNode = 1;

/** Numbers the schemas of one comparison; each node is visited once. */
export class Identities {
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<SchemaNode, number>();

  constructor(private readonly budget: Budget) {}

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
      if (value === undefined || (key !== 'default' && isSilent(value))) continue;
      const text = this.part(key, value);
      if (text !== '') parts.push(`${key}=${text}`);
    }
    return parts.join('\n');
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
        // Pairs as JSON: a rule's text may hold whatever else would stand between two.
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

/** Led by its length, for a text may hold whatever else would end it; quoting it takes longer. */
function plain(text: string): string {
  return `${text.length} ${text}`;
}

/** What a keyword that is absent is read as; but a default of false is one. */
function isSilent(value: unknown): boolean {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
