import type { PackageContents } from '../catalog.js';

export interface PackageInCatalog extends PackageContents {
  readonly catalog: string;
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
    readonly places: readonly string[] = [],
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
