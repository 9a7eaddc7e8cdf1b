import type { Membership } from '../../../operator-groups/membership.js';
import { defineOlmRule, type OlmRule, type OlmRuleBody, type Problem } from '../rule.js';
import { membershipOf } from './csv-review.js';

interface Row extends Omit<OlmRuleBody, 'family' | 'judge'> {
  readonly problems: (membership: Membership) => Iterable<Problem>;
}

export function membershipRule({ problems, ...row }: Row): OlmRule {
  return defineOlmRule({
    ...row,
    subject: 'ClusterServiceVersion',
    family: 'operator-groups',
    judge(context) {
      const membership = context.fact(membershipOf);
      return membership === null ? [] : problems(membership);
    },
  });
}

export function* whenFailing(
  reason: string,
  membership: Membership,
  path: string,
): Iterable<Problem> {
  if (membership.state === 'failed' && membership.reason === reason) {
    yield { message: `${reason}: ${membership.message}`, path };
  }
}

/** A rule by the name of the reason with which OLM fails the ClusterServiceVersion. */
export function failureRule({
  path = '$.metadata.namespace',
  ...row
}: Omit<Row, 'problems'> & { readonly path?: string }): OlmRule {
  return membershipRule({
    ...row,
    problems: (membership) => whenFailing(row.id, membership, path),
  });
}
