/** Kinds without a definition, and how many objects of each were skipped. */
import { textAt } from '../../text/documents/fields.js';
import type { JsonObject } from '../../text/documents/index.js';
import { shortened } from '../../text/shortened.js';
import { visible } from '../../text/visible.js';
import type { SkippedKind } from '../../report/index.js';

const namedAtMost = 20;
/** More than any real kind has. */
const longestName = 200;

export class SkippedKinds {
  readonly #kinds = new Map<string, SkippedKind>();

  add(object: JsonObject): void {
    const apiVersion = textAt(object, 'apiVersion') ?? '';
    const kind = textAt(object, 'kind') ?? '';
    const key = `${apiVersion} ${kind}`;
    const count = (this.#kinds.get(key)?.count ?? 0) + 1;
    this.#kinds.set(key, { apiVersion, kind, count });
  }

  /** The most frequent first. */
  list(): readonly SkippedKind[] {
    return [...this.#kinds]
      .toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .map(([, kind]) => kind);
  }

  /** `12 Deployment (apps/v1), 3 Service (v1)` */
  describe(): string {
    const kinds = this.list().map(({ apiVersion, kind, count }) => {
      const name = apiVersion === '' ? kind : `${kind} (${apiVersion})`;
      return `${count} ${visible(shortened(name, longestName))}`;
    });
    const more = kinds.length - namedAtMost;
    const last = more > 0 ? [`and ${more} more kinds: -o json has them all`] : [];
    return [...kinds.slice(0, namedAtMost), ...last].join(', ');
  }
}
