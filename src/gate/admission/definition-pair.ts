/** The pair that scans of stored objects compare: a definition before and after. */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  own,
} from '../../text/documents/index.js';
import type { Release } from '../../kubernetes/index.js';
import { shareJson, type SharedJson } from '../../text/documents/shared-json.js';

/** Both definitions; their text is written on first use. */
export class DefinitionPair {
  private written: Readonly<Record<'old' | 'new', SharedJson>> | undefined;

  constructor(
    private readonly old: JsonObject,
    private readonly next: JsonObject,
    /** An API server has compiled the rules of `next`. */
    readonly isTaken = false,
    /** By whose rules values are judged. */
    readonly release?: Release,
  ) {}

  get shared(): Readonly<Record<'old' | 'new', SharedJson>> {
    this.written ??= {
      old: shareJson(judgedPart(this.old)),
      new: shareJson(judgedPart(this.next)),
    };
    return this.written;
  }

  get identity(): string {
    return `${this.shared.old.key} ${this.shared.new.key} ${this.isTaken} ${this.release ?? ''}`;
  }
}

/** Without what repeated attempts differ in: who wrote it, and when. */
function judgedPart(definition: JsonObject): JsonObject {
  const field = (key: string): JsonValue => own(definition, key) ?? null;
  const status = field('status');
  return {
    apiVersion: field('apiVersion'),
    kind: field('kind'),
    metadata: { name: metaOf(definition).name },
    spec: field('spec'),
    status: {
      storedVersions: (isObject(status) ? own(status, 'storedVersions') : undefined) ?? [],
    },
  };
}
