import { formatCount } from '../../../text/plural.js';
import {
  type Finding,
  type MessageOf,
  referenceToDefinition,
  type Severity,
  type StoredWrites,
} from '../../../rule/index.js';
import { ratchetingSince } from '../../../kubernetes/index.js';
import { withoutText, type StoredExample, type StoredTally } from '../../crd/stored/judge.js';
import type { StoredPlan } from '../../crd/stored/plan.js';
import type { Writer } from '../../crd/stored/writers.js';
import {
  leavingVersionUsed,
  definitionRemoved,
  storedObjectsDeleted,
  storedObjectsLoseData,
  storedObjectsRefused,
  storedObjectsUnchecked,
  storedObjectsUnreachable,
} from './rules.js';

export interface StoredSubject {
  readonly name: string;
  readonly kind: string;
}

const named = 5;

export function storedFindings(subject: StoredSubject, tally: StoredTally): Finding[] {
  const { checked, refused, updatable, creatable, pruned, undecided, writers = [] } = tally;
  if (checked === 0) return [];
  const { name, kind } = subject;
  const object = referenceToDefinition(name);
  const stored = `${formatCount(checked)} stored ${pluralOfKind(kind, checked)}`;
  const findings: Finding[] = [];
  if (refused > 0) {
    const examples = list(tally.examples, refused);
    const data = { refused: formatCount(refused), stored, examples, updates: ratcheting(tally) };
    findings.push(
      storedObjectsRefused.finding({
        id: 'refused',
        data,
        effect: 'breaking',
        object,
        ...(creatable === refused && updatable === refused ? { harm: 'StatusHarmed' } : {}),
        ...writesOfAll(tally),
      }),
    );
  }
  if (pruned > 0) {
    const data = { pruned: formatCount(pruned), stored, losses: losses(tally) };
    findings.push(
      storedObjectsLoseData.finding({ id: 'pruned', data, effect: 'data-loss', object }),
    );
  }
  if (undecided > 0) {
    const data = { undecided: formatCount(undecided), stored };
    findings.push(uncheckedFinding(subject, { id: 'undecided', data }));
  }
  if (writers.length > 0) {
    const versions = [...new Set(writers.map(({ version }) => version))].slice(0, named);
    const leaving = versions.map((version) => ` --leaving ${version}`).join('');
    const data = { uses: usesOf(writers, subject), name, leaving };
    findings.push(leavingVersionUsed.finding({ id: 'used', data, object }));
  }
  return findings;
}

/** All stored objects could be listed, and there are none. */
export function noneStoredFinding({ name, kind }: StoredSubject): Finding {
  const object = referenceToDefinition(name);
  return storedObjectsRefused.finding({ id: 'none', data: { kind }, severity: 'info', object });
}

function usesOf(writers: readonly Writer[], { kind }: StoredSubject): string {
  const most = writers.toSorted((left, right) => right.objects - left.objects);
  const shown = most.slice(0, named).map(({ manager, version, isApply, objects, last }) => {
    const who = manager === '' ? 'a manager without a name' : manager;
    const what = `${isApply ? 'applied' : 'wrote'} ${formatCount(objects)} ${pluralOfKind(kind, objects)} as ${version}`;
    return `${who} ${what}${last === '' ? '' : `, last ${last}`}`;
  });
  const more = writers.length - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${formatCount(more)} more` : shown.join('; ');
}

/** Rules that name objects or count them. */
const withholding = [
  storedObjectsRefused,
  storedObjectsLoseData,
  storedObjectsUnchecked,
  leavingVersionUsed,
] as const;

/** The same findings for a user who may not read the objects: neither which they are nor how many. */
export function withoutObjects(
  findings: readonly Finding[],
  { name, kind }: StoredSubject,
): Finding[] {
  const data = { kinds: pluralOfKind(kind, 2), name };
  return findings.map((finding) => {
    const rule = withholding.find(({ id }) => id === finding.rule);
    if (rule === undefined) return finding;
    const words = { id: 'withheld', data } as const;
    return { ...finding, ...words, message: rule.finding(words).message };
  });
}

/** Objects that could not be read: the policy decides how severe that is. */
export function uncheckedFinding(
  { name }: StoredSubject,
  words: MessageOf<typeof storedObjectsUnchecked.messages>,
): Finding {
  const object = referenceToDefinition(name);
  return storedObjectsUnchecked.finding({ ...words, effect: 'undecided', object });
}

/** Versions that only a webhook of the upgrade converts; undecided where objects come to depend on it. */
export function laterVersionFindings(
  { name }: StoredSubject,
  { notJudged, isOnlyAdded }: Pick<StoredPlan, 'notJudged' | 'isOnlyAdded'>,
): Finding[] {
  return notJudged.map((version) =>
    storedObjectsUnchecked.finding({
      id: 'laterVersion',
      data: { name, version },
      effect: isOnlyAdded === true ? undefined : 'undecided',
      object: referenceToDefinition(name),
    }),
  );
}

/** The right to list objects is an opt-in: without it there is a warning, and no denial. */
export function noRightFinding({ name }: StoredSubject): Finding {
  const object = referenceToDefinition(name);
  return storedObjectsUnchecked.finding({ id: 'noRight', data: { name }, object });
}

export type Counted =
  | { readonly objects: number; readonly isDisclosed: boolean }
  /** The objects could not be counted: why, and whether policy denies what cannot be judged. */
  | { readonly unseen: string; readonly isDenied: boolean };

/** A definition takes its objects with it; denied only where the policy names the rule. */
export function deletionFindings(subject: StoredSubject, counted: Counted): Finding[] {
  const { name, kind } = subject;
  const shared = { effect: 'data-loss', object: referenceToDefinition(name) } as const;
  if ('unseen' in counted) {
    const data = { name, kind, why: counted.unseen };
    const severity = severityOfUnseen(counted);
    return [storedObjectsUnchecked.finding({ id: 'uncounted', data, severity, ...shared })];
  }
  if (counted.objects === 0) return [];
  const data = { name, stored: describeStored(subject, counted) };
  return [storedObjectsDeleted.finding({ id: 'deleted', data, ...shared })];
}

/** @param isWhole whether both sides are wholes of one kind, so that the definition is gone */
export function removalFinding(name: string, old: string, isWhole: boolean): Finding {
  return definitionRemoved.finding({
    ...{ id: 'gone', data: { name, old }, effect: 'data-loss' },
    object: referenceToDefinition(name),
    ...(isWhole ? {} : { severity: 'warning' }),
  });
}

/** When no version is served any more, no client can read, write or count stored objects. */
export function unreachableFindings(subject: StoredSubject, counted: Counted): Finding[] {
  const { name } = subject;
  const object = referenceToDefinition(name);
  if ('unseen' in counted) {
    const data = { name, why: counted.unseen };
    const severity = severityOfUnseen(counted);
    const effect = 'data-loss';
    return [storedObjectsUnreachable.finding({ id: 'uncounted', data, severity, effect, object })];
  }
  if (counted.objects === 0) return [];
  const data = { name, stored: describeStored(subject, counted) };
  return [
    storedObjectsUnreachable.finding({ id: 'unreachable', data, effect: 'breaking', object }),
  ];
}

export function severityOfUnseen({ isDenied }: { readonly isDenied: boolean }): Severity {
  return isDenied ? 'error' : 'warning';
}

export function describeStored(
  { kind }: StoredSubject,
  { objects, isDisclosed }: { readonly objects: number; readonly isDisclosed: boolean },
): string {
  return isDisclosed
    ? `${formatCount(objects)} stored ${pluralOfKind(kind, objects)}`
    : `stored ${pluralOfKind(kind, 2)}`;
}

/** Prints the definition's part of a problem only with the first object that has it. */
function list(examples: readonly StoredExample[], all: number): string {
  const seen = new Set<string>();
  const shown = examples.slice(0, named).map(({ name, problems }) => {
    const said = problems.map((problem) => (seen.has(problem) ? withoutText(problem) : problem));
    for (const problem of problems) seen.add(problem);
    return `${name} ${said.join(', ')}`;
  });
  const more = all - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${formatCount(more)} more` : shown.join('; ');
}

function losses({ pruned, prunedExamples: examples }: StoredTally): string {
  const lost = (problems: readonly string[]): string =>
    problems.map((problem) => problem.replace(/: dropped$/, '')).join(', ');
  const [first = '', ...others] = new Set(examples.map(({ problems }) => lost(problems)));
  if (others.length > 0 || pruned > examples.length) {
    const each = examples.map((example) => ({ ...example, problems: [lost(example.problems)] }));
    return `data: ${list(each, pruned)}`;
  }
  const names = examples.slice(0, named).map(({ name }) => name);
  const more = pruned - names.length;
  return `${first}: ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

function writesOfAll({ refused, updatable, creatable }: StoredTally): StoredWrites {
  const create = creatable === refused ? 'accepted' : 'refused';
  if (updatable < refused) return { stored: { create, update: 'refused' } };
  const isOfStatus = create === 'accepted';
  return {
    stored: isOfStatus
      ? { create, update: 'accepted', status: 'ratcheted' }
      : { create, update: 'ratcheted' },
    storedFrom: ratchetingSince,
  };
}

function ratcheting({ refused, updatable, creatable }: StoredTally): string {
  if (creatable === refused && updatable === refused) {
    return `Only their status is refused: creating or restoring such an object is accepted, without the status, and so are updates of it (Kubernetes ${ratchetingSince} and later); a write of the status that changes the refused fields fails unless it repairs them`;
  }
  const creates = 'Creating such an object, or restoring it from a backup, fails';
  if (updatable === 0) return `${creates}, and so does every update of it`;
  const which = updatable === refused ? 'all of them' : `${formatCount(updatable)} of them`;
  const rest = updatable === refused ? '' : '; every update of the others fails';
  return `${creates}; ${which} can still be updated as long as the refused fields stay as they are (Kubernetes ${ratchetingSince} and later)${rest}`;
}

export function pluralOfKind(kind: string, objects: number): string {
  if (objects === 1) return kind;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}
