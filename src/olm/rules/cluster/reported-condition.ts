/** What OLM's controllers have written into a status, as a scan repeats it. */
import type { JsonObject } from '../../../text/documents/index.js';
import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { isSettling, sinceText } from './since.js';

export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** `lastTransitionTime`, where there is one. */
  readonly since: string | undefined;
}

/** `status.conditions`, by type. */
export function reportedConditions(object: JsonObject): Map<string, ReportedCondition> {
  return new Map(
    objectsAt(object, 'status', 'conditions').map((condition) => {
      const text = (key: string): string => textAt(condition, key) ?? '';
      const type = text('type');
      const since = textAt(condition, 'lastTransitionTime');
      return [
        type,
        { type, status: text('status'), reason: text('reason'), message: text('message'), since },
      ];
    }),
  );
}

/** What OLM v1 calls its revisions, and what it called them before. */
export const revisionKinds = ['ClusterObjectSet', 'ClusterExtensionRevision'];

/** What a revision of OLM v1 reports that keeps it from being there. */
export function failuresOfRevision(
  conditions: ReadonlyMap<string, ReportedCondition>,
  now: Date,
): ReportedCondition[] {
  return [...conditions.values()].filter(({ type, status, reason, since }) => {
    const isStuck = type === 'Progressing' && (status === 'False' || reason === 'Retrying');
    const isDown = type === 'Available' && status === 'False' && reason !== 'RollingOut';
    const passes = reason === 'Retrying' || reason === 'ProbeFailure';
    return (isStuck || isDown) && !(passes && isSettling(since, now));
  });
}

/** `Progressing is True with reason Retrying, for 3 days (since …): MESSAGE` */
export function conditionText(condition: ReportedCondition, now: Date): string {
  const { type, status, reason, message, since } = condition;
  const why = reason === '' ? '' : ` with reason ${reason}`;
  const said = message === '' ? '' : `: ${message}`;
  return `${type} is ${status}${why}${sinceText(since, now)}${said}`;
}
