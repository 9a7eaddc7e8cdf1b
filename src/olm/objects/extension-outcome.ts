/** Predicts what OLM v1 does with a ClusterExtension, by the catalogs that are known. */
import {
  packageOf,
  ResolutionError,
  v1Resolver,
  type PackageInCatalog,
  type InstalledBundle,
  type V1Resolution,
} from '../catalogs/upgrades/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { InvalidRangeError, parseMastermindsRange } from '../../text/versions/index.js';
import { readClusterExtension, type ClusterExtension } from './cluster-extension.js';
import { selectCatalogs } from './known-catalog.js';
import { chosenRefusal } from '../catalogs/upgrades/extension-config.js';
import type { OlmView, KnownCatalog } from './view.js';

type Outcome =
  /** `message` is operator-controller's text. */
  | { readonly kind: 'unknown-package'; readonly message: string }
  | { readonly kind: 'resolved'; readonly resolution: V1Resolution }
  /** No bundle of the package is in the range and the channels, installed or not. */
  | { readonly kind: 'unsatisfied'; readonly message: string }
  /** Only the update edges prevent it; `best` is what `upgradeConstraintPolicy: SelfCertified` chooses. */
  | { readonly kind: 'no-path'; readonly message: string; readonly best: V1Resolution | undefined }
  | { readonly kind: 'failed'; readonly message: string };

export interface ExtensionOutcome {
  readonly extension: ClusterExtension;
  readonly catalogs: readonly KnownCatalog[];
  /** Why OLM v1 does not look into other known catalogs. */
  readonly excluded: readonly string[];
  /** Assumptions on which the outcome depends, because facts are missing. */
  readonly assumed: readonly string[];
  /** The package in each catalog that has it. */
  readonly packages: readonly PackageInCatalog[];
  readonly outcome: Outcome;
  /** Resolves with another range, other channels or another installed bundle, to see what is possible. */
  readonly ask: (changed: Partial<Asked>) => V1Resolution | undefined;
}

/** A ClusterExtension under review, and the cluster. */
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

/** The library's text, or undefined for a range that can be read. */
export function rangeProblem(range: string): string | undefined {
  try {
    if (range !== '') parseMastermindsRange(range);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidRangeError) return error.message;
    throw error;
  }
}

/**
 * @returns undefined when no catalog is known, the extension names no package, or its range cannot be
 *   read, which is a rule of its own
 */
export function outcomeOf({
  object,
  oldObject,
  view,
}: ExtensionReview): ExtensionOutcome | undefined {
  const extension = readClusterExtension(object, oldObject);
  const { packageName, version, channels, installed, isSelfCertified } = extension;
  if (packageName === '' || rangeProblem(version) !== undefined) return undefined;
  if ((view.knownCatalogs ?? []).length === 0) return undefined;
  const selection = selectCatalogs(view, extension.selector);
  const { selected: catalogs, excluded, assumed, refusal } = selection;
  const packages = catalogs.flatMap((known) => packageOf(known.catalog, packageName, known) ?? []);
  const resolve = v1Resolver({
    packageName,
    catalogs: packages,
    version,
    channels,
    installed,
    upgradeConstraintPolicy: isSelfCertified ? 'SelfCertified' : 'CatalogProvided',
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

/** Why OLM refuses the chosen bundle, unless it is installed already and stays. */
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

/** Resolves; returns the text of the error where no bundle can be chosen. */
function attempt(resolve: () => V1Resolution): V1Resolution | string {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof ResolutionError) return error.message;
    throw error;
  }
}
