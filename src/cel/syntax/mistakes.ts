export interface Mistake {
  readonly message: string;
  readonly position: number;
}

export const nowhere = -2;
/** The position of nodes that the parser added, which cel-go shows before the first character. */
export const beforeText = -1;

const maxShown = 100;
const longestShownLine = 16_384;

/** All mistakes in the order of their places, each with its line and a mark beneath. */
export function showMistakes(text: string, mistakes: readonly Mistake[]): string {
  const shown = mistakes
    .slice(0, maxShown)
    .toSorted((a, b) => a.position - b.position)
    .map((mistake) => showMistake(text, mistake));
  const hidden = mistakes.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more errors were truncated`] : [])].join('\n');
}

function showMistake(text: string, { message, position }: Mistake): string {
  if (position === nowhere) return `ERROR: <input>:-1:0: ${message}`;
  if (text === '') return `ERROR: <input>:1:0: ${message}`;
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const line = text.slice(0, Math.max(lineStart, 0)).split('\n').length;
  const before = [...text.slice(lineStart, Math.max(position, lineStart))];
  const column = position === beforeText ? 0 : before.length + 1;
  const place = `ERROR: <input>:${line}:${column}: ${message}`;
  const [source = ''] = text.slice(lineStart).split('\n', 1);
  if (Buffer.byteLength(source) > longestShownLine) return place;
  const dots = before.map((character) => (isWide(character) ? '．' : '.')).join('');
  const mark = isWide([...source][before.length]) ? '＾' : '^';
  return `${place}\n | ${source.replaceAll('\t', ' ')}\n | ${dots}${mark}`;
}

function isWide(character: string | undefined): boolean {
  return character !== undefined && (character.codePointAt(0) ?? 0) > 0x7f;
}
