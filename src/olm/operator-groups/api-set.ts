import { compareBytes } from '../../text/go/index.js';
import type { Api } from '../resolver/predicate.js';

/** `Kind.version.group`, as `olm.providedAPIs` spells an API. */
export function apiText(api: Api): string {
  return `${api.kind}.${api.version}.${api.group}`;
}

/** Two APIs are the same only if all three parts are: `A.v1` of group `g` and `A` of group `v1.g` print alike. */
export class ApiSet {
  private readonly byIdentity: ReadonlyMap<string, Api>;

  constructor(apis: Iterable<Api> = []) {
    const byIdentity = new Map<string, Api>();
    for (const { group, version, kind } of apis) {
      byIdentity.set(JSON.stringify([group, version, kind]), { group, version, kind });
    }
    this.byIdentity = byIdentity;
  }

  /**
   * Reads the annotation `olm.providedAPIs` as OLM does: every U+0020 is dropped wherever it is
   * (a newline is kept), entries are split at commas, and an entry with fewer than two dots is
   * ignored without a word. Empty parts are fine (`..`). Source: OLM GVKStringToProvidedAPISet,
   * apimachinery ParseKindArg.
   */
  static parse(annotation: string): ApiSet {
    const apis: Api[] = [];
    for (const entry of annotation.replaceAll(' ', '').split(',')) {
      const [kind, version, ...group] = entry.split('.');
      if (kind === undefined || version === undefined || group.length === 0) continue;
      apis.push({ kind, version, group: group.join('.') });
    }
    return new ApiSet(apis);
  }

  get size(): number {
    return this.byIdentity.size;
  }

  *[Symbol.iterator](): Iterator<Api> {
    yield* this.byIdentity.values();
  }

  has(api: Api): boolean {
    return this.byIdentity.has(JSON.stringify([api.group, api.version, api.kind]));
  }

  union(other: Iterable<Api>): ApiSet {
    return new ApiSet([...this, ...other]);
  }

  intersection(other: ApiSet): ApiSet {
    return new ApiSet([...this].filter((api) => other.has(api)));
  }

  difference(other: ApiSet): ApiSet {
    return new ApiSet([...this].filter((api) => !other.has(api)));
  }

  isSubsetOf(other: ApiSet): boolean {
    return [...this].every((api) => other.has(api));
  }

  texts(): string[] {
    return [...this].map(apiText).sort(compareBytes);
  }

  /** The value OLM writes into `olm.providedAPIs`: sorted, joined by commas; `""` when empty. */
  annotation(): string {
    return this.texts().join(',');
  }
}
