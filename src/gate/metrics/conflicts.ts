/** Objects of OLM that are in each other's way: what several replicas let through at one moment. */
import { Gauge, type Registry } from 'prom-client';
import { ClusterError, ReviewView, type OlmState } from '../../cluster/index.js';
import {
  duplicateSubscription,
  interOperatorGroupOwnerConflict,
  multipleOperatorGroups,
  type OlmRule,
  operatorGroupIntersection,
  ownerConflict,
  RuleContext,
} from '../../olm/index.js';

const rules: readonly OlmRule[] = [
  multipleOperatorGroups,
  operatorGroupIntersection,
  ownerConflict,
  interOperatorGroupOwnerConflict,
  duplicateSubscription,
];
const kinds: ReadonlySet<string> = new Set(rules.map(({ subject }) => subject));

/** Counts again in a scrape after something has changed; other work goes on between the objects. */
export function registerConflicts(registry: Registry, state: OlmState): void {
  let isCurrent = false;
  state.onChange(({ kind }) => {
    if (kinds.has(kind)) isCurrent = false;
  });
  new Gauge({
    name: 'olm_guard_conflicting_objects',
    help: 'Stored objects of OLM that conflict with another one, by rule; the gate denies the later one, unless both came at once to different replicas.',
    labelNames: ['rule'],
    registers: [registry],
    async collect() {
      if (isCurrent) return;
      isCurrent = true;
      for (const rule of rules) {
        const count = await conflicting(rule, state);
        if (count === undefined) this.remove({ rule: rule.id });
        else this.set({ rule: rule.id }, count);
      }
    },
  });
}

async function conflicting(rule: OlmRule, state: OlmState): Promise<number | undefined> {
  if (state.unknown(rule.subject) !== undefined) return undefined;
  const view = new ReviewView(state, new Map(), { groups: undefined, takesFollowed: true });
  let count = 0;
  let judged = 0;
  for (const object of [...state.objects(rule.subject)]) {
    if (++judged % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    const asked = { request: 'CREATE', object, oldObject: null, isByOlm: true } as const;
    try {
      if (rule.judge(new RuleContext({ ...asked, view, crdSafety: () => [] })).length > 0) count++;
    } catch (error) {
      if (error instanceof ClusterError) return undefined;
      throw error;
    }
  }
  return count;
}
