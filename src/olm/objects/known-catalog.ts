/** Catalogs whose contents are known here, and which of them a ClusterExtension chooses from. */
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { compileSelector, type LabelSelector } from '../operator-groups/label-selector.js';
import { numberAt, textAt } from './fields.js';
import type { KnownCatalog, OlmView } from './view.js';

/** catalogd puts it on every ClusterCatalog. */
const nameLabel = 'olm.operatorframework.io/metadata.name';

/**
 * The known catalogs that OLM v1 would look into, with the priority that the cluster gives them. A
 * selector by labels of a ClusterCatalog that cannot be read leaves the catalog in.
 */
export function selectedCatalogs(view: OlmView, selector: LabelSelector | null): KnownCatalog[] {
  return (view.knownCatalogs ?? []).flatMap((known) => {
    const object = view.lookUp('ClusterCatalog', known.name) ?? undefined;
    if (textAt(object, 'spec', 'availabilityMode') === 'Unavailable') return [];
    if (selector !== null && !mayMatch(selector, known.name, object)) return [];
    return [{ ...known, priority: numberAt(object, 'spec', 'priority') ?? known.priority }];
  });
}

function mayMatch(selector: LabelSelector, name: string, object: JsonObject | undefined): boolean {
  const isKnown = (key: string): boolean => object !== undefined || key === nameLabel;
  const compiled = compileSelector({
    matchLabels: new Map([...selector.matchLabels].filter(([key]) => isKnown(key))),
    matchExpressions: selector.matchExpressions.filter(({ key }) => isKnown(key)),
  });
  if (compiled.error !== null) return false;
  return compiled.matches(new Map([[nameLabel, name], ...metaOf(object).labels]));
}
