/** Which constraints of one variable OLM's solver cannot tell apart. */
import type { Constraint } from './satisfiability.js';

export function sameMeaning(a: Constraint, b: Constraint): boolean {
  if (!('subject' in a && 'subject' in b) || a.subject !== b.subject) return false;
  const left = candidatesOf(a);
  const right = candidatesOf(b);
  if (left === undefined || right === undefined) return false;
  if (left === right) return true;
  return left.length === right.length && left.every((it, index) => it === right[index]);
}

/** Nothing to choose from is the same as prohibited. */
function candidatesOf(constraint: Constraint): readonly number[] | undefined {
  if (constraint.kind === 'prohibited') return [];
  return constraint.kind === 'dependency' ? constraint.candidates : undefined;
}
