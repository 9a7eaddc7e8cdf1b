/** What is said about stored objects, and what it is worth. */
import { docsFor, type Effect, type Finding, type Severity } from '../../../rule/index.js';
import { ratchetingSince } from '../../../kubernetes/index.js';
import { withoutText, type StoredExample, type StoredTally } from './judge.js';
import type { StoredPlan } from './plan.js';
import type { Writer } from './writers.js';

export const storedRules = {
  refused: 'StoredObjectsRefused',
  pruned: 'StoredObjectsLoseData',
  unchecked: 'StoredObjectsUnchecked',
  deleted: 'StoredObjectsDeleted',
  unreachable: 'StoredObjectsUnreachable',
  migration: 'StoredVersionMigration',
  unproven: 'StoredVersionUnproven',
  used: 'LeavingVersionUsed',
} as const;

/** The definition's name and the kind of its objects. */
export interface StoredSubject {
  /** `widgets.example.com` */
  readonly name: string;
  readonly kind: string;
}

/** Examples that one sentence names. */
const named = 5;

/** One finding for each kind of harm; none when there is none. */
export function storedFindings(subject: StoredSubject, tally: StoredTally): Finding[] {
  const findings: Finding[] = [];
  if (tally.checked === 0) return findings;
  const kinds = pluralOfKind(subject.kind, tally.checked);
  const of = `${formatCount(tally.checked)} stored ${kinds}`;
  if (tally.refused > 0) {
    const message = [
      `${formatCount(tally.refused)} of ${of} would be refused: ${list(tally.examples, tally.refused)}`,
      ratcheting(tally),
    ].join('. ');
    findings.push({
      ...storedFinding(subject, storedRules.refused, 'error', message, 'breaking'),
      ...(tally.updatable === tally.refused
        ? { stored: 'updatable', storedFrom: ratchetingSince }
        : { stored: 'stuck' }),
    });
  }
  if (tally.pruned > 0) {
    const message = `${formatCount(tally.pruned)} of ${of} would lose ${losses(tally)}`;
    findings.push(storedFinding(subject, storedRules.pruned, 'error', message, 'data-loss'));
  }
  if (tally.undecided > 0) {
    const message = `${formatCount(tally.undecided)} of ${of} could not be judged: a validation rule cannot be evaluated here`;
    findings.push(uncheckedFinding(subject, message));
  }
  const { writers = [] } = tally;
  if (writers.length > 0) {
    const versions = [...new Set(writers.map(({ version }) => version))].slice(0, named);
    const leaving = versions.map((version) => ` --leaving ${version}`).join('');
    const message = `still used: ${usesOf(writers, subject)}; once nobody writes it any more, olm-guard migrate run ${subject.name}${leaving} moves what objects remember of it`;
    findings.push(storedFinding(subject, storedRules.used, 'warning', message));
  }
  return findings;
}

/** `argocd-controller applied 12 Widgets as v1beta1, last 2026-11-03` */
function usesOf(writers: readonly Writer[], { kind }: StoredSubject): string {
  const most = writers.toSorted((left, right) => right.objects - left.objects);
  const told = most.slice(0, named).map(({ manager, version, isApply, objects, last }) => {
    const who = manager === '' ? 'a manager without a name' : manager;
    const what = `${isApply ? 'applied' : 'wrote'} ${formatCount(objects)} ${pluralOfKind(kind, objects)} as ${version}`;
    return `${who} ${what}${last === '' ? '' : `, last ${last}`}`;
  });
  const more = writers.length - told.length;
  return more > 0 ? `${told.join('; ')}; and ${formatCount(more)} more` : told.join('; ');
}

/** The same findings for somebody who may not read the objects: neither which they are nor how many. */
export function withoutObjects(findings: readonly Finding[], subject: StoredSubject): Finding[] {
  const kinds = pluralOfKind(subject.kind, 2);
  const whose = `which and how many is for those who may list ${subject.name}`;
  const words = new Map<string, string>([
    [storedRules.refused, `stored ${kinds} would be refused; ${whose}`],
    [storedRules.pruned, `stored ${kinds} would lose data; ${whose}`],
    [storedRules.unchecked, `stored ${kinds} were not all checked; ${whose}`],
    [
      storedRules.used,
      `stored ${kinds} were written in a version that goes; by whom and how many is for those who may list ${subject.name}`,
    ],
  ]);
  return findings.map((each) => ({ ...each, message: words.get(each.rule) ?? each.message }));
}

/** What nobody could look at: the policy says what that is worth. */
export function uncheckedFinding(subject: StoredSubject, message: string): Finding {
  return storedFinding(subject, storedRules.unchecked, 'warning', message, 'undecided');
}

/** What only a webhook converts that comes with the upgrade; undecided where objects come to depend on it. */
export function laterVersionFindings(
  subject: StoredSubject,
  { notJudged, isOnlyAdded }: Pick<StoredPlan, 'notJudged' | 'isOnlyAdded'>,
): Finding[] {
  return notJudged.map((version) => {
    const message = `stored ${subject.name} not checked: version ${version} is made by a conversion webhook that comes with the upgrade`;
    return isOnlyAdded === true
      ? storedFinding(subject, storedRules.unchecked, 'warning', message)
      : uncheckedFinding(subject, message);
  });
}

/** The right is an opt-in: who has not given it is told, and never denied for it. */
export function noRightFinding(subject: StoredSubject, resource: string): Finding {
  const message = `not checked: no right to list ${resource}`;
  return storedFinding(subject, storedRules.unchecked, 'warning', message);
}

/** How many objects a definition has, as far as it may be told. */
export type Counted =
  | { readonly objects: number; readonly isTold: boolean }
  /** Nobody could count them: why, and whether policy denies what cannot be judged. */
  | { readonly unseen: string; readonly isDenied: boolean };

/** A definition takes its objects with it; denied only where the policy names the rule. */
export function deletionFindings(subject: StoredSubject, counted: Counted): Finding[] {
  const deleting = `deleting ${subject.name} deletes`;
  if ('unseen' in counted) {
    const message = `${deleting} every stored ${subject.kind} with it, and their number is unknown: ${counted.unseen}`;
    return [unseenFinding(subject, storedRules.unchecked, message, counted)];
  }
  if (counted.objects === 0) return [];
  const message = `${deleting} ${describeStored(subject, counted)} with it`;
  return [storedFinding(subject, storedRules.deleted, 'warning', message, 'data-loss')];
}

/** When no version is served any more, nobody can read, write or count what is stored. */
export function unreachableFindings(subject: StoredSubject, counted: Counted): Finding[] {
  const rule = storedRules.unreachable;
  const unserved = `no version of ${subject.name} is served any more, so that nobody can read, write or count`;
  if ('unseen' in counted) {
    const message = `${unserved} what is stored; whether anything is, could not be seen: ${counted.unseen}`;
    return [unseenFinding(subject, rule, message, counted)];
  }
  if (counted.objects === 0) return [];
  const message = `${unserved} ${describeStored(subject, counted)}`;
  return [storedFinding(subject, rule, 'error', message, 'breaking')];
}

/** `5 stored Widgets`, as far as it may be told. */
export function describeStored(
  { kind }: StoredSubject,
  { objects, isTold }: { readonly objects: number; readonly isTold: boolean },
): string {
  return isTold
    ? `${formatCount(objects)} stored ${pluralOfKind(kind, objects)}`
    : `stored ${pluralOfKind(kind, 2)}`;
}

/** What a change does to objects that nobody could see is the worst that it may do. */
export function unseenFinding(
  subject: StoredSubject,
  rule: string,
  message: string,
  { isDenied }: { readonly isDenied: boolean },
): Finding {
  return storedFinding(subject, rule, isDenied ? 'error' : 'warning', message, 'data-loss');
}

/** How many objects a sentence is about, as people write it: `1,204`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

export function storedFinding(
  { name }: StoredSubject,
  rule: string,
  severity: Severity,
  message: string,
  effect?: Effect,
): Finding {
  return {
    rule,
    family: 'stored-objects',
    severity,
    message,
    effect,
    object: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name,
    },
    docs: docsFor(rule),
  };
}

/** What the definition says of a problem is told with the first object that has it. */
function list(examples: readonly StoredExample[], all: number): string {
  const told = new Set<string>();
  const shown = examples.slice(0, named).map(({ name, problems }) => {
    const said = problems.map((problem) => (told.has(problem) ? withoutText(problem) : problem));
    for (const problem of problems) told.add(problem);
    return `${name} ${said.join(', ')}`;
  });
  const more = all - shown.length;
  return more > 0 ? `${shown.join('; ')}; and ${formatCount(more)} more` : shown.join('; ');
}

/** `spec.color: default/red, default/blue`, or, where not all lose the same, what each does. */
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

function ratcheting({ refused, updatable }: StoredTally): string {
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
