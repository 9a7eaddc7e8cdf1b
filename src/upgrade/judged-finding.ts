/** A finding about an upgrade, and what whoever shows it has to know beside it. */
import type { DocumentPlace } from './crd/place.js';
import type { Finding } from '../rule/index.js';
import type { ProofResult } from './proof/index.js';

export interface JudgedFinding {
  readonly finding: Finding;
  /** Undefined for what only counts others. */
  readonly place: DocumentPlace | undefined;
  /** What the proof says about it; undefined where it saw no difference or was not asked. */
  readonly proof?: ProofResult | undefined;
}

export const findingsOf = (judged: readonly JudgedFinding[]): readonly Finding[] =>
  judged.map(({ finding }) => finding);

/** What a judgement found, in its order. */
export class JudgedFindings {
  constructor(readonly judged: readonly JudgedFinding[]) {}

  get findings(): readonly Finding[] {
    return findingsOf(this.judged);
  }
}
