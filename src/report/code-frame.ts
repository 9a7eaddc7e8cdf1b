/** The lines of a document that a finding is about. */

export interface CodeFrame {
  readonly first: number;
  readonly lines: readonly string[];
  readonly line: number;
}

const before = 1;
const after = 1;
const widest = 110;

/** Undefined where there is no text to show. @param document its text, and the line on which it begins */
export function codeFrames(
  document: { readonly text: string; readonly line: number } | undefined,
): (line: number | undefined) => CodeFrame | undefined {
  let lines: readonly string[] | undefined;
  return (line) => {
    if (document === undefined || line === undefined || document.text.trim() === '')
      return undefined;
    lines ??= document.text.split('\n');
    const index = line - document.line;
    if (lines[index] === undefined || lines[index].length > 10 * widest) return undefined;
    const start = Math.max(0, index - before);
    const shown = lines.slice(start, index + after + 1);
    while (shown.at(-1)?.trim() === '') shown.pop();
    return { first: document.line + start, lines: shown.map(cut), line };
  };
}

export type FrameAt = (
  document: { readonly text: string; readonly line: number },
  line: number | undefined,
) => CodeFrame | undefined;

/** Questions about one document come in a row: its text is split once. */
export function framesInTurn(): FrameAt {
  let last: Parameters<FrameAt>[0] | undefined;
  let frameAt = codeFrames(last);
  return (document, line) => {
    if (document.text !== last?.text || document.line !== last.line) {
      last = document;
      frameAt = codeFrames(document);
    }
    return frameAt(line);
  };
}

function cut(line: string): string {
  const text = line.trimEnd();
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
