/**
 * Fields that come to light: one version stores them, another has pruned them from whatever it read,
 * and keeps them from now on. With conversion None nothing else is between what was written
 * through the one and what is read through the other.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go (schemaCoercingDecoder
 * and schemaCoercingConverter prune by the version that is read and by the one that is stored).
 */
import { SchemaNode } from '../../../kubernetes/index.js';
import type { Budget } from '../budget.js';
import { Draft } from '../draft.js';
import type { Identities } from '../identity.js';
import { isResource, serverManagedFields } from '../server-managed-fields.js';
import { below, type Place } from '../pin.js';
import { anything, fieldOf, otherFieldsOf } from '../shape.js';

/** The schemas of one place on the way from a writer to a reader. */
export interface Way {
  readonly written: SchemaNode;
  /** By which they were stored, and are taken from storage from now on. */
  readonly stored: readonly SchemaNode[];
  /** By which they were read, and are read from now on. */
  readonly before: SchemaNode;
  readonly after: SchemaNode;
}

export interface RevealedField {
  readonly place: Place;
  /** Further schemas that may have shaped its values, beside the one by which they were written. */
  readonly reshapedBy: readonly SchemaNode[];
  readonly after: SchemaNode;
}

export class RestoredField {
  readonly fields: RevealedField[] = [];
  readonly roots = new Set<SchemaNode>();
  /** Grafted schemas with one of the fields inside: nothing there may be taken for unchanged. */
  private readonly around = new Set<SchemaNode>();

  constructor(
    private readonly identities: Identities,
    private readonly budget: Budget,
  ) {}

  isAround(node: SchemaNode): boolean {
    return this.around.has(node);
  }

  /** The old schema of the reader with these fields as they were written; undefined without any. */
  graft(way: Way, place?: Place): SchemaNode | undefined {
    const { before, after } = way;
    this.budget.spend(1);
    if (before === anything || this.identities.same(before, after)) return undefined;
    const draft = new Draft(before);
    let isGrafted = false;
    for (const name of namesOf(way)) {
      if (serverManagedFields.has(name) && isResource(before, place)) continue;
      const inner = this.graftInto(way, below(place, { kind: 'property', name }), (node) =>
        fieldOf(node, name),
      );
      if (inner === undefined) continue;
      draft.setField(name, inner);
      isGrafted = true;
    }
    const others = this.graftInto(way, below(place, { kind: 'key', name: 'key' }), otherFieldsOf);
    if (others !== undefined) {
      draft.set('additionalProperties', { allows: true, schema: others });
      isGrafted = true;
    }
    const items = this.graftInto(way, below(place, { kind: 'item' }), itemsOf);
    if (items !== undefined) {
      draft.set('items', items);
      isGrafted = true;
    }
    if (!isGrafted) return undefined;
    const grafted = draft.finish();
    this.around.add(grafted);
    return grafted;
  }

  private graftInto(
    { written, stored, before, after }: Way,
    place: Place,
    step: (node: SchemaNode) => SchemaNode | undefined,
  ): SchemaNode | undefined {
    const [from, now] = [step(written), step(after)];
    const kept = stored.flatMap((node) => step(node) ?? []);
    if (from === undefined || now === undefined || kept.length < stored.length) return undefined;
    const known = step(before);
    if (known !== undefined) {
      return this.graft({ written: from, stored: kept, before: known, after: now }, place);
    }
    const reshapedBy = kept.filter((node) => !this.identities.same(node, from));
    this.fields.push({ place, reshapedBy, after: now });
    // A node of its own, for the same schema may be at other places too.
    const root = new SchemaNode(from);
    this.roots.add(root);
    return root;
  }
}

/** A list that keeps unknown fields keeps those of its items. */
function itemsOf({ items, preserveUnknownFields }: SchemaNode): SchemaNode | undefined {
  if (items === undefined || !preserveUnknownFields) return items;
  return new SchemaNode({ ...items, preserveUnknownFields });
}

function namesOf({ written, stored, before, after }: Way): Set<string> {
  return new Set(
    [written, ...stored, before, after].flatMap((node) => [...(node.properties?.keys() ?? [])]),
  );
}
