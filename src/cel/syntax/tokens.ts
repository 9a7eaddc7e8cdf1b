/**
 * The tokens of CEL. Kinds are bits, so that what may be at a place is one number; operators
 * that are allowed at the same places share a kind.
 *
 * Source: cel-go/parser/gen/CEL.g4.
 */

export interface Token {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
}

export const kinds = {
  end: 1 << 0,
  relation: 1 << 1,
  and: 1 << 2,
  or: 1 << 3,
  leftBracket: 1 << 4,
  rightBracket: 1 << 5,
  leftBrace: 1 << 6,
  rightBrace: 1 << 7,
  leftParenthesis: 1 << 8,
  rightParenthesis: 1 << 9,
  dot: 1 << 10,
  comma: 1 << 11,
  minus: 1 << 12,
  not: 1 << 13,
  question: 1 << 14,
  colon: 1 << 15,
  plus: 1 << 16,
  times: 1 << 17,
  boolean: 1 << 18,
  null: 1 << 19,
  double: 1 << 20,
  int: 1 << 21,
  uint: 1 << 22,
  string: 1 << 23,
  bytes: 1 << 24,
  identifier: 1 << 25,
  quotedIdentifier: 1 << 26,
} as const;

/** Not a token: what follows may also be what follows the rule around. */
export const orAfter = 1 << 30;

export const signedNumber = kinds.int | kinds.double;
export const literal =
  signedNumber | kinds.uint | kinds.string | kinds.bytes | kinds.boolean | kinds.null;
export const firstOfPrimary =
  literal |
  kinds.leftBracket |
  kinds.leftBrace |
  kinds.leftParenthesis |
  kinds.dot |
  kinds.minus |
  kinds.identifier;
export const firstOfExpression = firstOfPrimary | kinds.not;
export const binaryOperator =
  kinds.relation | kinds.and | kinds.or | kinds.plus | kinds.minus | kinds.times;

/** The names of the tokens in the order in which ANTLR lists them. */
const names: readonly (readonly [kind: number, names: string])[] = [
  [kinds.end, '<EOF>'],
  [kinds.relation, "'==', '!=', 'in', '<', '<=', '>=', '>'"],
  [kinds.and, "'&&'"],
  [kinds.or, "'||'"],
  [kinds.leftBracket, "'['"],
  [kinds.rightBracket, "']'"],
  [kinds.leftBrace, "'{'"],
  [kinds.rightBrace, "'}'"],
  [kinds.leftParenthesis, "'('"],
  [kinds.rightParenthesis, "')'"],
  [kinds.dot, "'.'"],
  [kinds.comma, "','"],
  [kinds.minus, "'-'"],
  [kinds.not, "'!'"],
  [kinds.question, "'?'"],
  [kinds.colon, "':'"],
  [kinds.plus, "'+'"],
  [kinds.times, "'*', '/', '%'"],
  [kinds.boolean, "'true', 'false'"],
  [kinds.null, "'null'"],
  [kinds.double, 'NUM_FLOAT'],
  [kinds.int, 'NUM_INT'],
  [kinds.uint, 'NUM_UINT'],
  [kinds.string, 'STRING'],
  [kinds.bytes, 'BYTES'],
  [kinds.identifier, 'IDENTIFIER'],
  [kinds.quotedIdentifier, 'ESC_IDENTIFIER'],
];

/** How ANTLR writes what it expects. */
export function expectation(set: number): string {
  const listed = names.filter(([kind]) => (set & kind) !== 0).map(([, name]) => name);
  return listed.length === 1 ? (listed[0] as string) : `{${listed.join(', ')}}`;
}
