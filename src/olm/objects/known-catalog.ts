/** Catalogs whose contents are known here, and which of them a ClusterExtension chooses from. */
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { compileSelector, type LabelSelector } from '../operator-groups/label-selector.js';
import { compareBytes, quote } from '../../text/go/index.js';
import { numberAt, objectsAt, textAt } from '../../text/documents/fields.js';
import type { KnownCatalog, OlmView } from './view.js';

/** catalogd puts it on every ClusterCatalog. */
const nameLabel = 'olm.operatorframework.io/metadata.name';

/** Which of the known catalogs OLM v1 would look into. */
export interface CatalogSelection {
  /** With the priority that the cluster gives them. */
  readonly selected: readonly KnownCatalog[];
  /** Why OLM v1 does not look into the others: `community is Unavailable`. */
  readonly excluded: readonly string[];
  /** Assumptions about selected ones whose ClusterCatalog is not there, or cannot be read. */
  readonly assumed: readonly string[];
  /** operator-controller's text, where it looks into none of them because of the selector or the catalogs' state. */
  readonly refusal?: (packageName: string) => string;
}

export function selectCatalogs(view: OlmView, selector: LabelSelector | null): CatalogSelection {
  const selected: KnownCatalog[] = [];
  const [excluded, assumed]: [string[], string[]] = [[], []];
  for (const known of view.knownCatalogs ?? []) {
    const object = view.lookUp('ClusterCatalog', known.name);
    const why = exclusion(known.name, object ?? undefined, selector);
    if (why !== undefined) {
      excluded.push(`${known.name} ${why}`);
      continue;
    }
    if (object === undefined) assumed.push(`there will be a ClusterCatalog ${known.name}`);
    if (object === null) assumed.push(`ClusterCatalog ${known.name} is available and selected`);
    const priority = numberAt(object ?? undefined, 'spec', 'priority') ?? known.priority;
    selected.push({ ...known, priority });
  }
  const { error } = compileSelector(selector ?? { matchLabels: new Map(), matchExpressions: [] });
  if (error !== null) {
    const refusal = (): string => `desired catalog selector is invalid: ${error}`;
    return { selected, excluded, assumed, refusal };
  }
  const [unserved] = selected
    .filter(({ name }) => isUnserved(view.lookUp('ClusterCatalog', name) ?? undefined))
    .map(({ name }) => quote(name))
    .sort(compareBytes);
  if (unserved === undefined) return { selected, excluded, assumed };
  const refusal = (packageName: string): string =>
    `error walking catalogs: error getting package ${quote(packageName)} from catalog ${unserved}: catalog ${unserved} is not being served`;
  return { selected, excluded, assumed, refusal };
}

/** A ClusterCatalog without any condition may have been read from Git. */
function isUnserved(object: JsonObject | undefined): boolean {
  const conditions = objectsAt(object, 'status', 'conditions');
  const isServed = conditions.some(
    (condition) =>
      textAt(condition, 'type') === 'Serving' && textAt(condition, 'status') === 'True',
  );
  return conditions.length > 0 && !isServed;
}

function exclusion(
  name: string,
  object: JsonObject | undefined,
  selector: LabelSelector | null,
): string | undefined {
  if (textAt(object, 'spec', 'availabilityMode') === 'Unavailable') return 'is Unavailable';
  const matches = selector === null || mayMatch(selector, name, object);
  return matches ? undefined : 'is not selected by spec.source.catalog.selector';
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
