/** Inputs with which both OLMs look for an upgrade, and their errors when there is none. */
import type { PackageContents } from '../catalog.js';

export interface PackageInCatalog extends PackageContents {
  readonly catalog: string;
  /** The catalog's priority; higher wins. */
  readonly priority: number;
}

/** The installed bundle. `release` is absent when it was never set, which is not the same as "". */
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

  constructor(
    message: string,
    /** Which bundle or catalog, where OLM's text does not say; whole sentences. */
    readonly places: readonly string[] = [],
    /** Ways to fix it, where they are known. */
    readonly remedies: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The text of a {@link ResolutionError}; anything else is a programming error and thrown again. */
export function resolutionText(error: unknown): string {
  if (error instanceof ResolutionError) return error.message;
  throw error;
}
