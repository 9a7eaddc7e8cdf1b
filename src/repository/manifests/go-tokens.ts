/** The tokens of a Go file, and its comments: enough to find declarations. */

export interface Token {
  readonly text: string;
  readonly offset: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** The text is without `//`. */
export type Comment = Token;

/** Blanks; a comment; a string or rune; a name or number; or any other character. */
const part =
  /[^\S\n]+|\n|\/\/([^\n]*)|\/\*[^]*?(?:\*\/|$)|`[^`]*`?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[\p{L}\p{N}_]+|[^]/gu;

export function tokensOf(text: string): {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
} {
  const tokens: Token[] = [];
  const comments: Comment[] = [];
  let line = 1;
  let lineStart = 0;
  for (const { 0: written, 1: comment, index: offset } of text.matchAll(part)) {
    const place = { offset, line, column: offset - lineStart + 1 };
    if (comment !== undefined) comments.push({ text: comment.trim(), ...place });
    else if (/^\S/.test(written) && !written.startsWith('/*'))
      tokens.push({ text: written, ...place });
    for (let at = written.indexOf('\n'); at >= 0; at = written.indexOf('\n', at + 1)) {
      line++;
      lineStart = offset + at + 1;
    }
  }
  return { tokens, comments };
}
