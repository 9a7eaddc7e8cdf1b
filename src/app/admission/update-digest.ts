/** What a judgement of an update depends on, as a digest of the review's bytes. */
import { createHash, type Hash } from 'node:crypto';
import { asBuffer, type MeasuredJson } from '../../text/documents/index.js';
import type { JsonParts } from '../../text/documents/gathered-parts.js';

/** Between two stretches of bytes, and in place of what is left out: no JSON holds it. */
const gap = Buffer.of(0);

/**
 * The same for reviews with the same `object` and `oldObject`, byte for byte, up to their
 * `metadata.managedFields`: these hold the time of each attempt. Undefined for a review that does not hold
 * the two one after the other, each once, as API servers write it.
 */
export function digestOfUpdate({ bytes, parts }: MeasuredJson): string | undefined {
  if (parts === undefined) return undefined;
  const text = new ReviewText(bytes, parts);
  const request = text.member(0, 'request');
  const object = text.member(request, 'object');
  const oldObject = text.member(request, 'oldObject');
  if (object === undefined || oldObject === undefined) return undefined;
  const isInOrder = text.between(text.end(object), text.start(oldObject)) === ',"oldObject":';
  // Of members with one name the last counts.
  if (!isInOrder || namesAgain.test(text.between(text.end(oldObject)))) return undefined;
  const hash = createHash('sha256');
  for (const side of [object, oldObject]) text.digest(side, hash);
  return hash.digest('base64');
}

const namesAgain = /\\|"(?:request|object|oldObject)"/;

class ReviewText {
  private readonly buffer: Buffer;

  constructor(
    bytes: Uint8Array,
    private readonly parts: JsonParts,
  ) {
    this.buffer = asBuffer(bytes);
  }

  start(part: number): number {
    return this.parts.starts[part] ?? 0;
  }

  end(part: number): number {
    return this.parts.ends[part] ?? 0;
  }

  between(start: number, end?: number): string {
    return this.buffer.toString('latin1', start, end);
  }

  /** The last part directly inside another that stands under a key, if it is large enough to be one. */
  member(parent: number | undefined, key: string): number | undefined {
    if (parent === undefined) return undefined;
    const name = `"${key}":`;
    let found: number | undefined;
    for (const part of this.children(parent)) {
      const start = this.start(part);
      const before = this.between(start - name.length - 1, start);
      if (before === `{${name}` || before === `,${name}`) found = part;
    }
    return found;
  }

  /** Adds an object's bytes without its `metadata.managedFields`. */
  digest(object: number, hash: Hash): void {
    let from = this.start(object);
    const fields = this.member(this.member(object, 'metadata'), 'managedFields');
    if (fields !== undefined) {
      hash.update(this.buffer.subarray(from, this.start(fields))).update(gap);
      from = this.end(fields);
    }
    hash.update(this.buffer.subarray(from, this.end(object))).update(gap);
  }

  private *children(parent: number): Generator<number> {
    const { starts } = this.parts;
    const end = this.end(parent);
    for (let part = parent + 1; part < starts.length && this.start(part) < end;) {
      yield part;
      const behind = this.end(part);
      if (behind < 0) return;
      do part++;
      while (part < starts.length && this.start(part) < behind);
    }
  }
}
