/** What `check bundle` says where both sides of a plan are bundles. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ruleNamed } from '../../rules/registry.js';
import type { Obstacle } from '../../report/upgrade-plan/plan.js';
import { shellCommand } from '../../../text/shell-command.js';
import { decideBundle, judgeBundle, openBundle } from '../check/check-bundle.js';
import type { ComparedSources } from '../check/compared-sources.js';
import { obstaclesIn } from './plan-obstacles.js';
import type { PlanQuestion } from './plan-question.js';

/** A folder with `manifests/` and `metadata/annotations.yaml`. */
export function isBundle(source: string): boolean {
  return (
    existsSync(join(source, 'manifests')) && existsSync(join(source, 'metadata/annotations.yaml'))
  );
}

/**
 * Nothing of definitions: the steps of the plan tell it.
 *
 * @throws InvalidInputError for a bundle that cannot be read
 */
export async function bundleObstacles(
  { old, new: next }: ComparedSources,
  { policy, minors }: PlanQuestion,
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly unchecked: readonly string[] }> {
  if (!isBundle(next)) return { obstacles: [], unchecked: [] };
  const bundle = await openBundle(next);
  const against = isBundle(old) ? await openBundle(old) : undefined;
  const judged = judgeBundle(bundle, policy, { isWhole: true, minors, against });
  const { name, verdict } = await decideBundle(next, bundle, judged, policy);
  const findings = verdict.findings.filter(({ rule }) => ruleNamed(rule)?.subject === 'bundle');
  const command = shellCommand(
    ...['olm-guard', 'check', 'bundle', next],
    ...(against === undefined ? [] : ['--against', old]),
  );
  return {
    obstacles: obstaclesIn(`bundle ${name}`, { ...verdict, findings }).map((each) => ({
      ...each,
      command,
    })),
    unchecked: judged.unchecked,
  };
}
