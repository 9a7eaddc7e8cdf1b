/** A digest of the parts of a review on which the judgement of an update depends. */
import { createHash, type Hash } from 'node:crypto';
import { asBuffer, type MeasuredJson } from '../../text/documents/index.js';
import type { JsonParts } from '../../text/documents/gathered-parts.js';

/** Separates the parts in the digest, and marks what is left out: JSON text never contains this byte. */
const gap = Buffer.of(0);

/**
 * Reviews with the same bytes of `object` and `oldObject` have the same digest. `metadata.managedFields`
 * is left out, because it contains the time of each attempt.
 *
 * Undefined unless the review has each of the two once, `oldObject` directly after `object`, as API
 * servers write them.
 */
export function digestOfUpdate({ bytes, parts }: MeasuredJson): string | undefined {
  if (parts === undefined) return undefined;
  const text = new ReviewText(bytes, parts);
  const request = text.member(0, 'request');
  const object = text.member(request, 'object');
  const oldObject = text.member(request, 'oldObject');
  if (object === undefined || oldObject === undefined) return undefined;
  const isInOrder = text.between(text.end(object), text.start(oldObject)) === ',"oldObject":';
  // Where a name is repeated, the last member counts.
  if (!isInOrder || repeatedName.test(text.between(text.end(oldObject)))) return undefined;
  const hash = createHash('sha256');
  for (const side of [object, oldObject]) text.digest(side, hash);
  return hash.digest('base64');
}

/** One of the names again, perhaps with escaped characters. */
const repeatedName = /\\|"(?:request|object|oldObject)"/;

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

  /** The last child of a part under a key; values too small to be measured are not found. */
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

  /** Adds an object's bytes, without its `metadata.managedFields`, to the hash. */
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
