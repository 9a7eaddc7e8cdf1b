/** Decides which switch-offs on objects count for a request. Pure. */
import type { JsonObject } from '../text/documents/index.js';
import type { Bypass } from './decide.js';
import type { Policy } from './policy.js';
import { switchOffsOn, type SwitchOff } from './switch-off.js';

export interface BypassCandidates {
  /** The object as the cluster has it (`oldObject`). */
  readonly stored?: JsonObject | undefined;
  /** The object as the request brings it; nothing on it counts. */
  readonly requested?: JsonObject | undefined;
  /** Owners of the stored object on the cluster: ClusterExtensions, Subscriptions, ClusterServiceVersions. */
  readonly owners?: readonly JsonObject[];
  /** Which of these are from the administrator's files, which rarely have a record of who set what. */
  readonly areFiles?: 'owners' | 'all';
}

export interface BypassEvaluation {
  readonly bypasses: readonly Bypass[];
  /** Malformed or expired switch-offs: worth a warning on every review. */
  readonly problems: readonly string[];
  /** Switch-offs that only the request brings: worth a warning when it is denied. */
  readonly requestOnly: readonly string[];
}

export interface BypassRules {
  readonly bypass: Policy['bypass'];
  readonly now: Date;
  /** Admission records who set what: a switch-off without a record does not count there. Files rarely have it. */
  readonly isAdmission: boolean;
}

export function evaluateBypasses(
  { stored, requested, owners = [], areFiles }: BypassCandidates,
  rules: BypassRules,
): BypassEvaluation {
  const onCluster = stored === undefined ? owners : [stored, ...owners];
  const counted = onCluster.map((object) => ({
    switchOffs: switchOffsOn(object, rules.now),
    rules:
      areFiles === 'all' || (areFiles === 'owners' && object !== stored)
        ? { ...rules, isAdmission: false }
        : rules,
  }));
  const found = counted.flatMap(({ switchOffs }) => switchOffs);
  const bypasses: Bypass[] = [];
  const problems: string[] = [];
  for (const { switchOffs, rules: applied } of counted) {
    for (const each of switchOffs) {
      const { by, what, reading } = each;
      const reason = whyNot(each, applied);
      if (reason !== undefined) problems.push(`${what} does not count: ${reason}`);
      else if ('families' in reading) {
        const description = reading.reason === undefined ? what : `${what} (${reading.reason})`;
        const { families, reason } = reading;
        bypasses.push({ by, families, description, reason });
      }
    }
  }
  const brought = requested === undefined ? [] : switchOffsOn(requested, rules.now);
  return {
    bypasses,
    problems: [...problems, ...newProblems(brought, found)],
    requestOnly: brought
      .filter((each) => 'families' in each.reading && !isCovered(each, found))
      .map(
        ({ what }) =>
          `${what} does not count: only this request brings it, the stored object has none`,
      ),
  };
}

export function whyNot(
  { by, reading, setBy }: SwitchOff,
  { bypass, isAdmission }: BypassRules,
): string | undefined {
  if ('problem' in reading) return reading.problem;
  if (!bypass.allowed || !bypass.sources.includes(by)) return 'the policy does not allow it';
  const unnamed = setBy?.way === 'together' ? firstUnnamed(setBy.setters, bypass) : undefined;
  if (unnamed !== undefined) {
    const alone = 'take it away and set it by itself, as kubectl annotate does';
    const [manager] = unnamed;
    if (manager === undefined) return `nobody is recorded as having set it; ${alone}`;
    const named = `have bypass.managers of the policy name ${JSON.stringify(manager)} with its users`;
    return `${JSON.stringify(manager)} set it together with other fields; ${alone}, or ${named}`;
  }
  if (isAdmission && setBy?.way === 'untracked') {
    return 'metadata.managedFields is empty, so nobody knows how it came there';
  }
  return undefined;
}

/** The managers of the first annotation that no manager named in the policy has set. */
function firstUnnamed(
  setters: readonly (readonly string[])[],
  { managers }: Policy['bypass'],
): readonly string[] | undefined {
  return setters.find((each) => !managers.some(({ name }) => each.includes(name)));
}

/** Whether one of the others switches off at least the same families for at least as long. */
export function isCovered({ by, reading }: SwitchOff, others: readonly SwitchOff[]): boolean {
  if (!('families' in reading)) return true;
  const { families, until = Infinity } = reading;
  return others.some((other) => {
    if (other.by !== by || !('families' in other.reading)) return false;
    const { families: known, until: end = Infinity } = other.reading;
    if (end < until) return false;
    return (
      known === 'all' || (families !== 'all' && families.every((each) => known.includes(each)))
    );
  });
}

function newProblems(brought: readonly SwitchOff[], found: readonly SwitchOff[]): string[] {
  return brought.flatMap(({ by, what, reading }) => {
    if (!('problem' in reading)) return [];
    const known = found.some(
      (each) =>
        each.by === by && 'problem' in each.reading && each.reading.problem === reading.problem,
    );
    return known ? [] : [`${what} will not count: ${reading.problem}`];
  });
}
