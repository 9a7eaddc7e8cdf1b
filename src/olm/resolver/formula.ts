/** As OpenShift documents them, with `not` as "no chosen bundle"; OLM looks for one bundle that meets it all. */
import type { Entry } from './entry.js';
import { matches, type Predicate } from './predicate.js';
import { asking, type Requirement } from './requirement.js';
import { oncePer } from '../once.js';

export type Formula =
  | { readonly kind: 'some'; readonly requirement: Requirement }
  | {
      readonly kind: 'none';
      readonly requirement: Requirement;
      readonly meets: (entry: Entry) => boolean;
    }
  | { readonly kind: 'either'; readonly alternatives: readonly (readonly Formula[])[] };

/** The parts that must all hold for the requirement to be met. @throws ResolutionError */
export const formulasOf = oncePer((requirement: Requirement): readonly Formula[] =>
  partsOf(requirement.read().predicate, requirement, true),
);

/** Negations are pushed down to the atoms. */
function partsOf(predicate: Predicate, requirement: Requirement, positive: boolean): Formula[] {
  if (isAtom(predicate)) return [atom(predicate, requirement, positive)];
  switch (predicate.kind) {
    case 'not':
      // `not: [a, b]` is neither a nor b.
      return positive
        ? predicate.parts.flatMap((part) => partsOf(part, requirement, false))
        : either(predicate.parts, requirement, true);
    case 'all':
      return positive
        ? predicate.parts.flatMap((part) => partsOf(part, requirement, true))
        : either(predicate.parts, requirement, false);
    case 'any':
      if (!positive) return predicate.parts.flatMap((part) => partsOf(part, requirement, false));
      // Atoms only: one dependency whose candidates come in the usual order of preference.
      if (predicate.parts.every(isAtom)) return [atom(predicate, requirement, true)];
      return either(predicate.parts, requirement, true);
    default:
      return [atom(predicate, requirement, positive)];
  }
}

function either(
  parts: readonly Predicate[],
  requirement: Requirement,
  positive: boolean,
): Formula[] {
  return [
    { kind: 'either', alternatives: parts.map((part) => partsOf(part, requirement, positive)) },
  ];
}

/** Whether one bundle meets it as a whole: an API, a label, a rule, or a package with its range. */
function isAtom(predicate: Predicate): boolean {
  if (predicate.kind !== 'all') return !['any', 'not'].includes(predicate.kind);
  const [first, second] = predicate.parts;
  return first?.kind === 'package' && second?.kind === 'version' && predicate.parts.length === 2;
}

function atom(predicate: Predicate, requirement: Requirement, positive: boolean): Formula {
  const narrowed: Requirement = asking(requirement, predicate);
  if (positive) return { kind: 'some', requirement: narrowed };
  const meets = (entry: Entry): boolean => matches(predicate, entry.bundle, entry.package);
  return { kind: 'none', requirement: narrowed, meets };
}
