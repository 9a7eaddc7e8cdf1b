/** What can be wrong with a conversion, each under the name of what is asked of it. */
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
  // What every answer must have: an API server refuses all of it otherwise.
  | 'wrong-uid'
  | 'wrong-count'
  | 'wrong-order'
  | 'not-an-object'
  | 'wrong-version'
  | 'wrong-kind'
  | 'changed-identity'
  | 'changed-metadata'
  | 'refused-by-schema'
  // What a round trip shows.
  | 'lost'
  | 'changed'
  | 'added'
  | 'emptied'
  | 'unstable'
  | 'batch'
  | 'own-version'
  // Nobody could ask.
  | 'unasked';

export interface Fault {
  readonly clause: Clause;
  /** The versions of the conversion, or of the first step of the round trip. */
  readonly from: string;
  readonly to: string;
  /** As `^.spec.list[*].name`. */
  readonly path?: string;
  /** What was seen, which may quote the converter: not for everybody. */
  readonly detail?: string;
  /** The smallest object that shows it. */
  readonly object?: JsonObject;
  /** How many objects, or requests, show it. */
  readonly count: number;
}

/** Faults of the same clause, versions and path are one. */
export function keyOf({ clause, from, to, path }: Fault): string {
  return JSON.stringify([clause, from, to, path]);
}
