import { sortedUnique } from '../../text/go/index.js';

/** The empty name by which OLM means every namespace. */
export const allNamespaces = '';

/**
 * A set of namespaces as OLM compares target namespaces. It means "all" only when it is exactly
 * `{""}`: an empty name beside others is an ordinary member that matches nothing but itself.
 * Source: OLM NamespaceSet.
 */
export class NamespaceSet {
  private readonly members: ReadonlySet<string>;

  constructor(namespaces: Iterable<string>) {
    this.members = new Set(namespaces);
  }

  /** Reads `olm.targetNamespaces`; an empty annotation is one empty name, so all namespaces. */
  static parse(annotation: string): NamespaceSet {
    return new NamespaceSet(annotation.split(','));
  }

  get isAll(): boolean {
    return this.members.size === 1 && this.members.has(allNamespaces);
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  contains(namespace: string): boolean {
    return this.isAll || this.members.has(namespace);
  }

  /** All ∩ S is S, so all ∩ {} is {}. */
  intersection(other: NamespaceSet): NamespaceSet {
    if (this.isAll) return other;
    if (other.isAll) return this;
    return new NamespaceSet([...this.members].filter((name) => other.members.has(name)));
  }

  names(): string[] {
    return sortedUnique(this.members);
  }
}
