import type { Finding } from '../../../rule/index.js';
import { causesOf, type Explanation } from '../../resolver/explain.js';
import type { NamespaceState } from '../../resolver/namespace.js';
import { subscriptionReference } from '../../objects/classic-objects.js';
import type { Resolution } from '../../resolver/resolve.js';
import { resolutionRules } from './rules.js';

export function findingsOf(
  state: NamespaceState,
  resolution: Resolution,
  explanation: Explanation,
): Finding[] {
  switch (explanation.kind) {
    case 'solution':
      return solutionFindings(state, resolution, explanation);
    case 'conflict': {
      const [change] = explanation.changes;
      const names = causesOf(resolution).flatMap((cause) =>
        'subscription' in cause ? [cause.subscription.name] : [],
      );
      const [name] = names.sort();
      return [
        {
          ...resolutionRules.conflict.finding({ message: explanation.summary }),
          ...(name === undefined ? {} : { object: subscriptionReference(state, name) }),
          fix: change?.sentence,
        },
      ];
    }
    case 'error': {
      const { summary, places, remedies } = explanation;
      return [
        resolutionRules.prevented.finding({
          message: [summary, ...places].join(' '),
          ...(remedies.length === 0 ? {} : { fix: remedies.join('; ') }),
        }),
      ];
    }
    case 'gave-up':
      return [
        resolutionRules.gaveUp.finding({ message: explanation.summary, effect: 'undecided' }),
      ];
  }
}

function solutionFindings(
  state: NamespaceState,
  { outcome, problem }: Resolution,
  { operators, approval }: Explanation & { kind: 'solution' },
): Finding[] {
  if (!outcome.ok) return [];
  const held = operators.flatMap((operator): Finding[] => {
    const upgrades = operator.passedOver.filter(({ catalog }) => catalog !== operator.catalog);
    const owner = problem?.subscriptions.find(
      ({ current }) => current !== undefined && current.name === operator.name,
    );
    if (operator.action !== 'keep' || owner === undefined || upgrades.length === 0) return [];
    const reasons = upgrades.map(({ name, reason }) => `${name}: ${reason}`);
    return [
      resolutionRules.heldBack.finding({
        id: 'stays',
        data: {
          subscription: owner.subscription.name,
          csv: operator.name,
          reasons: reasons.join(' '),
        },
        object: subscriptionReference(state, owner.subscription.name),
      }),
    ];
  });
  const pulled = outcome.newSubscriptions.map((subscription) => {
    const why = operators.find(({ name }) => name === subscription.startingCSV)?.because ?? '';
    return resolutionRules.pulledIn.finding({
      id: 'pulledIn',
      data: {
        csv: subscription.startingCSV,
        subscription: subscription.name,
        reason: `${why}.`,
      },
    });
  });
  const [manual] = approval?.manual ?? [];
  const waiting =
    approval === undefined || manual === undefined
      ? []
      : [
          resolutionRules.waits.finding({
            message: approval.sentence,
            object: subscriptionReference(state, manual),
          }),
        ];
  return [...held, ...pulled, ...waiting];
}
