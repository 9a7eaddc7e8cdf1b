/** Splits a byte stream into lines with a bound, so that one endless line cannot fill the memory. */

export type Line =
  | { readonly number: number; readonly bytes: Buffer }
  | { readonly number: number; readonly tooLong: true };

/** Yields non-blank lines with their number (from 1); a line past `maxBytes` is named and dropped. */
export async function* readLines(
  input: AsyncIterable<Buffer | string>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let number = 1;
  let dropping = false;

  const finish = (rest: Buffer): Line | undefined => {
    const line: Line | undefined = dropping
      ? { number, tooLong: true }
      : toLine(number, held.length === 0 ? rest : Buffer.concat([...held, rest]));
    held = [];
    heldBytes = 0;
    dropping = false;
    number++;
    return line;
  };

  for await (const piece of input) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      if (heldBytes + end - from > maxBytes) dropping = true;
      const line = finish(chunk.subarray(from, end));
      if (line !== undefined) yield line;
      from = end + 1;
    }
    if (from < chunk.length && !dropping) {
      held.push(chunk.subarray(from));
      heldBytes += chunk.length - from;
      if (heldBytes > maxBytes) {
        dropping = true;
        held = [];
      }
    }
  }
  const last = finish(Buffer.alloc(0));
  if (last !== undefined) yield last;
}

function toLine(number: number, bytes: Buffer): Line | undefined {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
    ? undefined
    : { number, bytes };
}
