import type { reviewGroup } from './group-review.js';

export function selectorSize({ selector }: ReturnType<typeof reviewGroup>['group']): number {
  return selector === null ? 0 : selector.matchLabels.size + selector.matchExpressions.length;
}
