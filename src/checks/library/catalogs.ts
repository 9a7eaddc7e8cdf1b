/**
 * `import { validateCatalog } from 'olm-guard/catalogs'`: file-based catalogs, and the way through them.
 *
 * @module olm-guard/catalogs
 */
import { catalog } from '../operations/catalog.js';
import { upgradeClassic, upgradeV1 } from '../operations/upgrade-paths.js';
import { answerOf } from './answer-of.js';
import type { Answer } from './answers.js';

export type * from './answers.js';

/** Whether opm would accept a catalog. @param files the text of each by its path */
export function validateCatalog(files: Readonly<Record<string, string>>): Answer {
  return answerOf(catalog, { files });
}

/** A package of catalogs as OLM v1 sees it. */
export interface PackageQuestion {
  readonly package: string;
  readonly catalogs: readonly {
    readonly name: string;
    readonly priority?: number;
    /** Documents of a file-based catalog. */
    readonly objects: readonly object[];
  }[];
  readonly installed?: { readonly name: string; readonly version: string };
  /** A range, as in `spec.source.catalog.version`. */
  readonly version?: string;
  readonly channels?: readonly string[];
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified';
}

/** Which bundle OLM v1 would install for a ClusterExtension, and why, in `output`. */
export function nextBundle(question: PackageQuestion): Answer {
  return answerOf(upgradeV1, question);
}

/** A channel as OLM classic sees it. */
export interface ChannelQuestion {
  readonly package: string;
  /** The subscribed one; empty for all. */
  readonly channel: string;
  readonly defaultChannel?: string;
  /** Documents `olm.channel` of a catalog. */
  readonly channels: readonly object[];
  readonly installed?: { readonly name: string; readonly version?: string };
}

/** Which steps OLM classic takes from an installed bundle through a channel, and why, in `output`. */
export function classicSteps(question: ChannelQuestion): Answer {
  return answerOf(upgradeClassic, question);
}
