import type { JsonObject } from '../../../text/documents/index.js';
import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { plural } from '../../../text/plural.js';

export interface ReportedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** `lastTransitionTime`, where there is one. */
  readonly since: string | undefined;
}

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

/** The kind of OLM v1's revisions, and its former name. */
export const revisionKinds = ['ClusterObjectSet', 'ClusterExtensionRevision'];

/** Conditions of an OLM v1 revision that keep it from becoming available. */
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

/** Younger than this, a state that OLM tries to leave is its ordinary work: OLM's own install timeout is 5 minutes. */
const settlingMilliseconds = 10 * 60_000;

/** `, for 3 days (since 2026-11-02T08:00:00Z)`; empty where OLM names no time. */
export function sinceText(time: string | undefined, now: Date): string {
  const begun = Date.parse(time ?? '');
  return Number.isNaN(begun) ? '' : `, for ${lengthOf(now.getTime() - begun)} (since ${time})`;
}

/** Whether OLM may still be about it; a state without a time counts as an old one. */
export function isSettling(time: string | undefined, now: Date): boolean {
  const begun = Date.parse(time ?? '');
  return !Number.isNaN(begun) && now.getTime() - begun < settlingMilliseconds;
}

function lengthOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  const [number, unit] =
    minutes >= 2880
      ? [Math.floor(minutes / 1440), 'day']
      : minutes >= 120
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return plural(number, unit);
}
