/** Lists that several expressions name. */

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** Written once each, as a variable: an API server reads expressions slowly. */
export class Constants {
  private readonly names = new Map<string, string>();

  /** @param variables where they are added */
  constructor(private readonly variables: Variable[]) {}

  /** How an expression names the list. @param expression a literal */
  nameOf(expression: string): string {
    if (expression.length <= 'variables.c100'.length) return expression;
    const known = this.names.get(expression);
    if (known !== undefined) return known;
    const name = `c${this.names.size}`;
    this.variables.push({ name, expression });
    this.names.set(expression, `variables.${name}`);
    return `variables.${name}`;
  }
}
