/** Faults of a conversion, each named after the requirement that it violates. */
import type { JsonObject } from '../../../text/documents/index.js';

/** The contract between an API server and a conversion webhook, and what a round trip asks beyond it. */
export type Clause =
  // Nothing was converted.
  | 'unreachable'
  | 'certificate'
  | 'status'
  | 'late'
  | 'slow'
  | 'too-large'
  | 'unreadable'
  | 'intermittent'
  | 'refused'
  // Requirements on every answer: an API server refuses all of it otherwise.
  | 'wrong-uid'
  | 'wrong-count'
  | 'wrong-order'
  | 'not-an-object'
  | 'wrong-version'
  | 'wrong-kind'
  | 'changed-identity'
  | 'changed-metadata'
  | 'refused-by-schema'
  // Faults that a round trip shows.
  | 'lost'
  | 'changed'
  | 'added'
  | 'emptied'
  | 'unstable'
  | 'batch'
  | 'own-version'
  // The converter could not be called.
  | 'unasked';

export interface Fault {
  readonly clause: Clause;
  readonly from: string;
  readonly to: string;
  /** As `^.spec.list[*].name`. */
  readonly path?: string;
  /** The observation; it may quote the converter, so not every reader may see it. */
  readonly detail?: string;
  readonly object?: JsonObject;
  readonly count: number;
}

export function keyOf({ clause, from, to, path }: Fault): string {
  return JSON.stringify([clause, from, to, path]);
}
