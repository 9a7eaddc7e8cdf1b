/** Predicts what OLM v1 does with a ClusterExtension, by the catalogs that are known. */
import {
  packageOf,
  ResolutionError,
  v1Resolver,
  type PackageInCatalog,
  type InstalledBundle,
  type V1Resolution,
} from '../catalogs/upgrades/index.js';
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { InvalidVersionError, parseMastermindsRange } from '../../text/versions/index.js';
import { readClusterExtension, type ClusterExtension } from './cluster-extension.js';
import { chosenRefusal } from '../catalogs/upgrades/extension-config.js';
import type { OlmView, KnownCatalog } from './view.js';
import { compileSelector, type LabelSelector } from '../operator-groups/label-selector.js';
import { compareBytes, quote } from '../../text/go/index.js';
import { numberAt, objectsAt, textAt } from '../../text/documents/fields.js';

type Outcome =
  /** `message` is operator-controller's text. */
  | { readonly kind: 'unknown-package'; readonly message: string }
  | { readonly kind: 'resolved'; readonly resolution: V1Resolution }
  /** No bundle of the package is in the range and the channels, installed or not. */
  | { readonly kind: 'unsatisfied'; readonly message: string }
  | { readonly kind: 'no-path'; readonly message: string; readonly best: V1Resolution | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export interface ExtensionOutcome {
  readonly extension: ClusterExtension;
  readonly catalogs: readonly KnownCatalog[];
  readonly excluded: readonly string[];
  /** Assumptions on which the outcome depends, because facts are missing. */
  readonly assumed: readonly string[];
  readonly packages: readonly PackageInCatalog[];
  readonly outcome: Outcome;
  readonly ask: (changed: Partial<Asked>) => V1Resolution | undefined;
}

interface ExtensionReview {
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  readonly view: OlmView;
}

interface Asked {
  readonly version: string;
  readonly channels: readonly string[];
  readonly installed: InstalledBundle | undefined;
}

export function rangeProblem(range: string): string | undefined {
  try {
    if (range !== '') parseMastermindsRange(range);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidVersionError) return error.message;
    throw error;
  }
}

/** Undefined where no catalog is known, no package is named, or the range cannot be read (another rule's). */
export function outcomeOf({
  object,
  oldObject,
  view,
}: ExtensionReview): ExtensionOutcome | undefined {
  const extension = readClusterExtension(object, oldObject);
  const { packageName, version, installed } = extension;
  if (packageName === '' || rangeProblem(version) !== undefined) return undefined;
  if ((view.knownCatalogs ?? []).length === 0) return undefined;
  const selection = selectCatalogs(view, extension);
  const { selected: catalogs, excluded, assumed, refusal } = selection;
  const packages = catalogs.flatMap((known) => packageOf(known.catalog, packageName, known) ?? []);
  const resolve = v1Resolver({
    packageName,
    catalogs: packages,
    version,
    installed,
    ...termsOf(extension),
  });
  const ask = (changed: Partial<Asked>): V1Resolution | undefined => {
    const answer = attempt(() => resolve(changed));
    return typeof answer === 'string' ? undefined : answer;
  };
  const found = { extension, catalogs, excluded, assumed, packages, ask };
  if (refusal !== undefined) {
    return { ...found, outcome: { kind: 'failed', message: refusal(packageName) } };
  }
  const answer = attempt(() => resolve({}));
  if (typeof answer !== 'string') {
    const message = refusalText(extension, answer, packages);
    const outcome: Outcome =
      message === undefined
        ? { kind: 'resolved', resolution: answer }
        : { kind: 'failed', message };
    return { ...found, outcome };
  }
  if (packages.length === 0) {
    return { ...found, outcome: { kind: 'unknown-package', message: answer } };
  }
  if (!isNothingLeft(answer)) return { ...found, outcome: { kind: 'failed', message: answer } };
  const best = attempt(() => resolve({ installed: undefined }));
  return {
    ...found,
    outcome:
      typeof best === 'string' && isNothingLeft(best)
        ? { kind: 'unsatisfied', message: answer }
        : { kind: 'no-path', message: answer, best: typeof best === 'string' ? undefined : best },
  };
}

function refusalText(
  { namespace, config }: ClusterExtension,
  { chosen, stays }: V1Resolution,
  packages: readonly PackageInCatalog[],
): string | undefined {
  const { installation } =
    packages
      .find(({ catalog }) => catalog === chosen.catalog)
      ?.bundles.find(({ name }) => name === chosen.name) ?? {};
  if (stays && config === undefined) return undefined;
  return chosenRefusal(chosen.name, chosen.versionRelease, installation, { namespace, config });
}

/** Whether no bundle is left to choose: operator-controller has one text for all such cases. */
function isNothingLeft(message: string): boolean {
  return /^(?:error upgrading from currently installed version .*: )?no bundles found for package /.test(
    message,
  );
}

function attempt(resolve: () => V1Resolution): V1Resolution | string {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof ResolutionError) return error.message;
    throw error;
  }
}

/** catalogd puts it on every ClusterCatalog. */
const nameLabel = 'olm.operatorframework.io/metadata.name';

interface CatalogSelection {
  readonly selected: readonly KnownCatalog[];
  readonly excluded: readonly string[];
  /** Assumptions about selected ones whose ClusterCatalog is not there, or cannot be read. */
  readonly assumed: readonly string[];
  /** operator-controller's text, where it looks into none of them because of the selector or the catalogs' state. */
  readonly refusal?: (packageName: string) => string;
}

export function termsOf({ channels, isSelfCertified, namespace, config }: ClusterExtension) {
  return {
    channels,
    upgradeConstraintPolicy: isSelfCertified ? ('SelfCertified' as const) : undefined,
    install: { namespace, config },
  };
}

export function selectCatalogs(
  view: Pick<OlmView, 'knownCatalogs' | 'lookUp'>,
  { selector }: Pick<ClusterExtension, 'selector'>,
): CatalogSelection {
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
