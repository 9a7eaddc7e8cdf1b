/**
 * Defaults of the version that is stored: the API server sets them when it reads an object from
 * storage, before conversion None hands it to another version.
 *
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go (the storage codec
 * decodes with the structural defaulter of the version that an object is stored as).
 */
import { sameValue, type SchemaNode } from '../../kubernetes/index.js';
import type { Budget } from './budget.js';
import { filled } from './differences/defaults.js';
import { Draft } from './draft.js';
import { isResource, serverManagedFields, saidOf } from './server-managed-fields.js';
import { below, type Place } from './pin.js';
import { fieldOf, otherFieldsOf } from './shape.js';

/** The schema of a stored version on this side of the upgrade, and on the other one. */
interface Stored {
  readonly here: SchemaNode | undefined;
  readonly there: SchemaNode | undefined;
}

export class StoredDefaults {
  /** Where this side sets what the other side does not, as far as the reader keeps it. */
  readonly others: Place[] = [];
  private readonly known = new Map<SchemaNode, boolean>();

  constructor(private readonly budget: Budget) {}

  /** A reader's schema with the defaults that come from storage, which are there before its own. */
  graft(reader: SchemaNode, stored: Stored, place?: Place): SchemaNode {
    const { here, there } = stored;
    if (!this.holds(here) && !this.holds(there)) return reader;
    this.budget.spend(1);
    const draft = new Draft(reader);
    if (place !== undefined && here?.default !== undefined) {
      const value = filled(here, here.default);
      draft.set('default', value);
      const other = there?.default;
      if (other === undefined || !sameValue(value, filled(there ?? here, other))) {
        this.others.push(place);
      }
    }
    const step = (
      at: Place,
      node: SchemaNode | undefined,
      next: Stored,
    ): SchemaNode | undefined => {
      if (node === undefined || !(this.holds(next.here) || this.holds(next.there)))
        return undefined;
      return this.graft(node, next, at);
    };
    const names = [reader, here, there].flatMap((node) => [...(node?.properties?.keys() ?? [])]);
    for (const name of new Set(names)) {
      if (serverManagedFields.has(name) && isResource(reader, place)) continue;
      const at = below(place, { kind: 'property', name });
      const next = { here: namedOf(here, name), there: namedOf(there, name) };
      const inner = step(at, fieldOf(reader, name), next);
      if (inner !== undefined) draft.setField(name, inner);
    }
    const [value, other] = [here, there].map((node) => node?.additionalProperties?.schema);
    const at = below(place, { kind: 'key', name: 'key' });
    const others = step(at, otherFieldsOf(reader), { here: value, there: other });
    if (others !== undefined) draft.set('additionalProperties', { allows: true, schema: others });
    const items = { here: here?.items, there: there?.items };
    const item = step(below(place, { kind: 'item' }), reader.items, items);
    if (item !== undefined) draft.set('items', item);
    return draft.finish();
  }

  private holds(node: SchemaNode | undefined): boolean {
    if (node === undefined) return false;
    let holds = this.known.get(node);
    if (holds === undefined) {
      this.budget.spend(1);
      const inner = [...(node.properties?.values() ?? []), node.additionalProperties?.schema];
      holds = node.default !== undefined || [...inner, node.items].some((each) => this.holds(each));
      this.known.set(node, holds);
    }
    return holds;
  }
}

/** A field as it is declared; a key of a map has no value where it is absent. */
function namedOf(node: SchemaNode | undefined, name: string): SchemaNode | undefined {
  if (node === undefined) return undefined;
  const said = saidOf(node, name);
  if (said?.default === undefined || node.properties?.has(name) === true) return said;
  const draft = new Draft(said);
  draft.set('default', undefined);
  return draft.finish();
}
