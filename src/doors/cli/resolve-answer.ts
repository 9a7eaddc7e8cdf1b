/** What `resolve` answers, before anybody prints it. */
import type { ClusterView } from '../../facts/cluster/view.js';
import type { Verdict } from '../../finding.js';
import { check } from '../../check/check.js';
import type { Policy } from '../../check/policy.js';
import {
  explain,
  loadCatalogs,
  pictureOf,
  resolve,
  type Explanation,
  type Outcome,
  type ResolutionPicture,
} from '../../resolver/index.js';
import { findingsOf } from '../../rules/resolution/index.js';
import { readNamespace, type ResolveSource } from './resolve-source.js';

export interface ResolveAnswer {
  readonly verdict: Verdict;
  readonly output: Outcome & { readonly explanation: Explanation };
}

/** @throws InvalidInputError, ClusterError */
export async function answerResolve(
  view: ClusterView,
  source: ResolveSource,
  policy: Policy,
): Promise<{ readonly answer: ResolveAnswer; readonly picture: () => ResolutionPicture }> {
  const { state, warnings } = await readNamespace(view, source);
  const loaded = loadCatalogs(state.catalogs ?? [], state.semantics ?? 'olm');
  const resolution = resolve(state, loaded);
  const explanation = explain(state, resolution, loaded);
  const { verdict } = await check(
    {
      subject: { groups: [], name: state.namespace },
      findings: findingsOf(state, resolution, explanation),
    },
    policy,
    { now: new Date() },
  );
  return {
    answer: {
      verdict: { ...verdict, warnings: [...warnings, ...verdict.warnings] },
      output: { ...resolution.outcome, explanation },
    },
    picture: () => pictureOf(state.namespace, resolution),
  };
}
