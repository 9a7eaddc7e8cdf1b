/** A package as a catalog has it: what both OLMs look at to find an upgrade. */
import type { BundleInstallation } from '../catalog.js';

export interface ChannelEntry {
  readonly name: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  /** A range in blang's dialect. */
  readonly skipRange?: string;
}

export interface Channel {
  readonly name: string;
  readonly entries: readonly ChannelEntry[];
}

interface Property {
  readonly type: string;
  /** Decoded JSON; absent when the property has none. */
  readonly value?: unknown;
}

export interface Bundle {
  readonly name: string;
  readonly properties: readonly Property[];
  /** Where it can be installed, as far as the catalog says. */
  readonly installation?: BundleInstallation | undefined;
}

/** One package in one catalog. `deprecatedBundles` are those of the package's first `olm.deprecations`. */
export interface CatalogPackage {
  readonly catalog: string;
  /** The catalog's priority; higher wins. */
  readonly priority: number;
  readonly channels: readonly Channel[];
  readonly bundles: readonly Bundle[];
  readonly deprecatedBundles: ReadonlySet<string>;
}

/** What is on the cluster. `release` is absent when it was never set, which is not the same as "". */
export interface InstalledBundle {
  readonly name: string;
  readonly version: string;
  readonly release?: string;
}

/** Why an entry is an update of what is installed. */
export interface Edge {
  readonly kind: 'replaces' | 'skips' | 'skipRange';
  readonly channel: string;
  /** The range, for `skipRange`. */
  readonly range?: string;
}

/** No bundle can be chosen; `message` is the text of the reference where it has one. */
export class ResolutionError extends Error {
  override readonly name = 'ResolutionError';
}

/** The text of a {@link ResolutionError}; anything else is a programming error and thrown again. */
export function resolutionText(error: unknown): string {
  if (error instanceof ResolutionError) return error.message;
  throw error;
}
