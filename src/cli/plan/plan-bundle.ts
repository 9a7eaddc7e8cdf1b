/** The answer of `check bundle` where both sides of a plan are bundles. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ruleNamed } from '../../policy/index.js';
import type { Obstacle } from '../../report/index.js';
import { shellCommand } from '../../text/shell-command.js';
import { decideBundle, judgeBundle, openBundle } from '../check/check-bundle.js';
import type { ComparedSources } from '../check/compared-sources.js';
import { readSourceWithWarnings } from '../options/skipped-files.js';
import { obstaclesIn } from './plan-obstacles.js';
import type { PlanQuestion } from './plan-question.js';

/** A folder with `manifests/` and `metadata/annotations.yaml`, also one of a commit. */
export async function isBundle(source: string): Promise<boolean> {
  if (!source.startsWith('git:')) {
    return (
      existsSync(join(source, 'manifests')) && existsSync(join(source, 'metadata/annotations.yaml'))
    );
  }
  const paths = (await readSourceWithWarnings(source)).map(({ path }) => path);
  const has = (part: RegExp): boolean => paths.some((path) => part.test(path));
  return has(/(^|\/)manifests\/[^/]+$/) && has(/(^|\/)metadata\/annotations\.ya?ml$/);
}

/** The bundle whose manifests these are; undefined where its metadata is not beside them. */
export async function bundleOf(manifests: string | undefined): Promise<string | undefined> {
  if (manifests === undefined) return undefined;
  const folder = dirname(manifests);
  return (await isBundle(folder)) ? folder : undefined;
}

/** Nothing of definitions: the steps of the plan tell it. */
export async function bundleObstacles(
  { old, new: next }: ComparedSources,
  { policy, minors, given }: PlanQuestion,
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly unchecked: readonly string[] }> {
  if (!(await isBundle(next))) return { obstacles: [], unchecked: [] };
  const bundle = await openBundle(next);
  const against = (await isBundle(old)) ? await openBundle(old) : undefined;
  const judged = judgeBundle(bundle, policy, { isWhole: true, minors, against });
  const { name, verdict } = await decideBundle(next, bundle, judged, policy);
  const findings = verdict.findings.filter(({ rule }) => ruleNamed(rule)?.subject === 'bundle');
  const command = shellCommand(
    ...['olm-guard', 'check', 'bundle', next],
    ...(against === undefined ? [] : ['--against', old]),
    ...given,
  );
  return {
    obstacles: obstaclesIn(`bundle ${name}`, { ...verdict, findings }).map((each) => ({
      ...each,
      command,
    })),
    unchecked: judged.unchecked,
  };
}
