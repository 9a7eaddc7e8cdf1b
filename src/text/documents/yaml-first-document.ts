/** Where the first document of a YAML stream ends for sigs.k8s.io/yaml, which reads no other. */
import jsyaml from 'js-yaml';

/** The text of the first document: `...` or another `---` ends it, and the reference reads no further. */
export function firstDocumentOf(text: string): string {
  let begun = false;
  for (const match of text.matchAll(
    /^(?:(?:---|\.\.\.)(?=\s|$)|(?![ \t]*(?:#|$)|%|\ufeff)[^])/gm,
  )) {
    const isEnd = match[0] === '...';
    const isMarker = match[0] === '---' || isEnd;
    if (isMarker && (begun || (isEnd && match.index > 0))) return text.slice(0, match.index);
    begun = true;
    // Only another marker can end it now.
    if (!isMarker) return untilMarker(text, match.index);
  }
  return text;
}

function untilMarker(text: string, from: number): string {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm;
  marker.lastIndex = from + 1;
  const end = marker.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end);
}

/**
 * The reference stops behind the first document and never looks at what follows. Where js-yaml
 * refuses what follows, the document ended: with its closing bracket or quote, or where the text
 * falls back to the left of a collection that is indented as a whole.
 */
export function endOfFirstNode(input: string, error: unknown): number | undefined {
  if (!(error instanceof jsyaml.YAMLException)) return undefined;
  if (error.reason.startsWith('a whitespace character is expected')) return endOfQuoted(input);
  if (!error.reason.startsWith('end of the stream')) return undefined;
  const skipped = input.charCodeAt(0) === 0xfeff ? 1 : 0;
  const start = /(?:^|\n)(?:---)?( *)([^\s#%-]|-(?!--))/.exec(input.slice(skipped));
  const isClosed = start !== null && '[{"\''.includes(start[2] ?? '');
  // What a tag or an anchor stands before may be further to the left.
  const isLeft =
    start !== null && !'&!'.includes(start[2] ?? '') && error.mark.column < (start[1] ?? '').length;
  const end = error.mark.position + skipped;
  const isDirective = input[end] === '%' && error.mark.column === 0;
  return (isClosed || isLeft || isDirective) && input[end] !== ':' ? end : undefined;
}

/** A quoted text that a colon follows with nothing behind it is no key, and all that is read. */
function endOfQuoted(input: string): number | undefined {
  const node = /^\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')(?=:\S)/.exec(input);
  return node?.[0].length;
}

/** A document that is `|` or `>` with nothing behind it. */
export function isEmptyBlockScalar(input: string, error: unknown): boolean {
  const isMissing =
    error instanceof jsyaml.YAMLException && error.reason.startsWith('missing indentation');
  return isMissing && /^\s*(?:---\s+)?[|>]/.test(input);
}

/** Rule: a list or a map in block style does not begin on the line of its `---`. */
export function beginsBesideMarker(text: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\n)*---[ \t]+(?:[-?](?=[ \t\n]|$)|[^\s#&!|>"'{[%@`*?-][^\n]*?:(?=[ \t\n]|$))/.test(
    text,
  );
}
