/** Lists that several expressions name. */
import type { JsonValue } from '../../text/documents/index.js';
import { literal } from './expressions.js';

/** Written once each, as a variable: an API server reads expressions slowly. */
export class Constants {
  private readonly names = new Map<string, string>();

  /** @param variables where they are added */
  constructor(private readonly variables: { name: string; expression: string }[]) {}

  /** How an expression names the list. */
  nameOf(list: readonly JsonValue[]): string {
    const expression = literal([...list]);
    if (expression.length <= 'variables.c100'.length) return expression;
    const known = this.names.get(expression);
    if (known !== undefined) return known;
    const name = `c${this.names.size}`;
    this.variables.push({ name, expression });
    this.names.set(expression, `variables.${name}`);
    return `variables.${name}`;
  }
}
