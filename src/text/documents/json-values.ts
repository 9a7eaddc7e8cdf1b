/** Cuts a stream of JSON into its values, or into the items of its Lists, without parsing it. */

const quote = 0x22;
const backslash = 0x5c;
const open = { object: 0x7b, list: 0x5b } as const;
const close = { object: 0x7d, list: 0x5d } as const;
const itemsKey = Buffer.from('"items"');

/** Bytes of one value past which it is not kept any more; the caller refuses it. */
export class ValueTooLong extends Error {}

/**
 * Push-style: bytes in, texts of whole objects out. The elements of a top-level object's `items`
 * come one by one, as the API server's lists hold them; everything else of that object is dropped.
 */
export class JsonValueCutter {
  private kept = Buffer.alloc(0);
  /** Where to go on in `kept`. */
  private position = 0;
  private depth = 0;
  private inString = false;
  /** Start of the value that is being read, in `kept`; -1 outside. */
  private start = -1;
  private stringStart = -1;
  /** The last string at depth 1 was the key "items". */
  private afterItems = false;
  private inItems = false;
  /** The rest of an object whose items have been given out. */
  private dropping = false;

  constructor(private readonly maxBytes: number) {}

  /** @throws ValueTooLong */
  push(chunk: Buffer): string[] {
    const bytes = this.kept.length === 0 ? chunk : Buffer.concat([this.kept, chunk]);
    const found: string[] = [];
    let index = this.position;
    for (; index < bytes.length; index++) {
      const byte = bytes[index];
      if (this.inString) {
        if (byte === backslash) index++;
        else if (byte === quote) {
          this.inString = false;
          if (this.depth === 1 && !this.inItems) {
            this.afterItems = bytes.subarray(this.stringStart, index + 1).equals(itemsKey);
          }
        }
        continue;
      }
      if (byte === quote) {
        this.inString = true;
        this.stringStart = index;
      } else if (byte === open.object || byte === open.list) {
        if (byte === open.list && this.depth === 1 && this.afterItems) {
          this.inItems = true;
          this.start = -1;
        } else if (byte === open.object && this.depth === (this.inItems ? 2 : 0)) {
          this.start = this.dropping ? -1 : index;
        }
        this.afterItems = false;
        this.depth++;
      } else if (byte === close.object || byte === close.list) {
        this.depth--;
        if (this.depth === (this.inItems ? 2 : 0) && this.start >= 0) {
          found.push(bytes.toString('utf8', this.start, index + 1));
          this.start = -1;
        }
        if (this.inItems && this.depth === 1) {
          this.inItems = false;
          this.dropping = true;
        }
        if (this.depth <= 0) {
          this.depth = 0;
          this.dropping = false;
        }
      } else if (byte === 0x2c) {
        this.afterItems = false;
      }
    }
    this.keepFrom(bytes, index);
    return found;
  }

  /** What is left of a value that never ended. */
  get rest(): string {
    return this.start < 0 ? '' : this.kept.toString('utf8', this.start);
  }

  private keepFrom(bytes: Buffer, index: number): void {
    const from = Math.min(
      this.start >= 0 ? this.start : bytes.length,
      this.inString && this.depth === 1 ? this.stringStart : bytes.length,
    );
    // A copy: the stream's buffer is much larger than what is kept of it.
    this.kept = Buffer.from(bytes.subarray(from));
    if (this.kept.length > this.maxBytes) throw new ValueTooLong();
    this.position = index - from;
    if (this.start >= 0) this.start -= from;
    this.stringStart -= from;
  }
}
