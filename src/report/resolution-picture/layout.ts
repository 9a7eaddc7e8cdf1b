/** Places the boxes of a resolution: who asks on the left, what meets it to the right, rules at the end. */
import { type PictureBox, type PictureLine, type ResolutionPicture } from '../../olm/index.js';
import { largest } from '../../text/long-lists.js';
import { groupBy } from '../../text/group.js';

export interface PlacedBox {
  readonly box: PictureBox;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedLine {
  readonly line: PictureLine;
  readonly from: PlacedBox;
  readonly to: PlacedBox;
}

export interface PictureLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedLine[];
}

/** Width of a monospaced character, in pixels. */
export const characterWidth = 7.4;
const margin = 24;
const columnGap = 56;
const rowGap = 18;

/** @param steps counts the lines that are looked at */
export function layOutPicture(
  { boxes, lines }: ResolutionPicture,
  steps = { count: 0 },
): PictureLayout {
  const columns = columnsOf(boxes, lines);
  const linesTo = groupBy(lines, ({ to }) => to);
  const tallest = largest(
    columns.map((column) => heightOf(column)),
    0,
  );
  const placed = new Map<string, PlacedBox>();
  let x = margin;
  for (const column of columns) {
    const ordered = orderByNeighbours(column, linesTo, placed, steps);
    const width = largest(ordered.map(widthOf));
    let y = (tallest - heightOf(ordered)) / 2;
    for (const box of ordered) {
      const height = boxHeight(box);
      placed.set(box.id, { box, x, y, width: widthOf(box), height });
      y += height + rowGap;
    }
    x += width + columnGap;
  }
  return {
    width: x - columnGap + margin,
    height: tallest,
    boxes: [...placed.values()],
    lines: lines.flatMap((line): PlacedLine[] => {
      const [from, to] = [placed.get(line.from), placed.get(line.to)];
      return from === undefined || to === undefined ? [] : [{ line, from, to }];
    }),
  };
}

const chosenKinds: ReadonlySet<PictureBox['kind']> = new Set(['install', 'upgrade', 'keep']);

/** Each box one column behind the last of those that lead to it; a line that closes a circle is left out. */
function columnsOf(
  boxes: readonly PictureBox[],
  lines: readonly PictureLine[],
): readonly (readonly PictureBox[])[] {
  const blocked = new Set(boxes.filter(({ kind }) => kind === 'blocked').map(({ id }) => id));
  const entries = new Set(boxes.filter(({ kind }) => chosenKinds.has(kind)).map(({ id }) => id));
  // A blocked bundle comes beside the one that was taken for it, not before it.
  const placing = lines.filter(({ from, to }) => !(blocked.has(from) && entries.has(to)));
  const next = new Map(
    [...groupBy(placing, ({ from }) => from)].map(([from, own]) => [from, own.map(({ to }) => to)]),
  );
  const columnOf = new Map<string, number>();
  const order = orderOf(boxes, next);
  const position = new Map(order.map((id, index) => [id, index]));
  for (const id of order) {
    const column = columnOf.get(id) ?? 0;
    columnOf.set(id, column);
    for (const to of next.get(id) ?? []) {
      if ((position.get(to) ?? 0) < (position.get(id) ?? 0)) continue;
      columnOf.set(to, Math.max(columnOf.get(to) ?? 0, column + 1));
    }
  }
  for (const { from, to } of lines) {
    if (!blocked.has(from) || !entries.has(to) || next.has(from)) continue;
    columnOf.set(from, Math.max(columnOf.get(from) ?? 0, columnOf.get(to) ?? 0));
  }
  const columns: PictureBox[][] = [];
  for (const box of boxes) (columns[columnOf.get(box.id) ?? 0] ??= []).push(box);
  return columns.filter((column) => column.length > 0);
}

/** Before everything it leads to, but for circles: the reverse of the order in which a walk leaves boxes. */
function orderOf(
  boxes: readonly PictureBox[],
  next: ReadonlyMap<string, readonly string[]>,
): string[] {
  const left: string[] = [];
  const seen = new Set<string>();
  for (const { id } of boxes) {
    const stack: { id: string; at: number }[] = seen.has(id) ? [] : [{ id, at: 0 }];
    seen.add(id);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = next.get(top.id)?.[top.at++];
      if (to === undefined) {
        left.push(top.id);
        stack.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        stack.push({ id: to, at: 0 });
      }
    }
  }
  return left.reverse();
}

/** By the middle of what leads to them, so that few lines cross; what is held back above the rest. */
function orderByNeighbours(
  column: readonly PictureBox[],
  linesTo: ReadonlyMap<string, readonly PictureLine[]>,
  placed: ReadonlyMap<string, PlacedBox>,
  steps: { count: number },
): readonly PictureBox[] {
  const middle = ({ id }: PictureBox): number => {
    const own = linesTo.get(id) ?? [];
    steps.count += own.length;
    const ys = own.flatMap(({ from }) => placed.get(from)?.y ?? []);
    return ys.length === 0 ? Infinity : ys.reduce((sum, y) => sum + y, 0) / ys.length;
  };
  return column
    .map((box) => ({ box, y: middle(box) }))
    .toSorted((a, b) => (a.y === b.y ? rank(a.box) - rank(b.box) : a.y - b.y))
    .map(({ box }) => box);
}

function rank({ kind }: PictureBox): number {
  return kind === 'blocked' ? 0 : 1;
}

function heightOf(column: readonly PictureBox[]): number {
  return column.reduce((sum, box) => sum + boxHeight(box) + rowGap, -rowGap);
}

function boxHeight({ note }: PictureBox): number {
  return note === '' ? 28 : 44;
}

function widthOf({ title, note, kind }: PictureBox): number {
  const longest = Math.max([...titleText(title, kind)].length, [...note].length);
  return Math.ceil(longest * characterWidth) + 24;
}

const signs: Partial<Record<PictureBox['kind'], string>> = {
  install: '+ ',
  upgrade: '↑ ',
  keep: '= ',
  blocked: '✕ ',
  nothing: '✕ ',
};

/** The title with a sign of its kind: colour alone says nothing to some. */
export function titleText(title: string, kind: PictureBox['kind']): string {
  return `${signs[kind] ?? ''}${title}`;
}
