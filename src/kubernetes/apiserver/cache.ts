/** Compiled validators by the content of what they were compiled from. */
import { sha256 } from '../../text/platform.js';
import { stringifyJson, type JsonObject } from '../../text/documents/index.js';
import type { Release } from './open-api.js';
import { compileValidator, type ObjectValidator } from './validator.js';

const maxEntries = 100;
const maxBytes = 64 * 1024 * 1024;

/** Least recently used first; bounded by count and by the size of the definitions behind. */
export class ValidatorCache {
  private readonly entries = new Map<string, { validator: ObjectValidator; bytes: number }>();
  private readonly contents = new WeakMap<JsonObject, { hash: string; bytes: number }>();
  private bytes = 0;

  /** @throws InvalidInputError as {@link compileValidator} does. */
  get(crd: JsonObject, version: string, release?: Release): ObjectValidator {
    const { hash, bytes } = this.contentOf(crd);
    const key = `${version}\0${release ?? ''}\0${hash}`;
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.validator;
    }
    const validator = compileValidator(crd, version, release);
    this.entries.set(key, { validator, bytes });
    this.bytes += bytes;
    this.shrink();
    return validator;
  }

  private contentOf(crd: JsonObject): { readonly hash: string; readonly bytes: number } {
    let content = this.contents.get(crd);
    if (content === undefined) {
      const text = stringifyJson(crd.spec ?? null);
      const hash = sha256(text).toString('base64');
      content = { hash, bytes: text.length };
      this.contents.set(crd, content);
    }
    return content;
  }

  private shrink(): void {
    for (const [key, entry] of this.entries) {
      if (this.entries.size <= maxEntries && this.bytes <= maxBytes) return;
      if (this.entries.size === 1) return;
      this.entries.delete(key);
      this.bytes -= entry.bytes;
    }
  }
}
