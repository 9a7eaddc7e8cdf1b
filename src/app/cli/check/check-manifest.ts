/** One manifest of a custom resource under its definition, decided by the policy. */
import { judgeManifest, type FoundCrd } from '../../../upgrade/index.js';
import type { JsonObject, Path } from '../../../text/documents/index.js';
import type { Finding, Verdict } from '../../../rule/index.js';
import { check } from '../../check/check.js';
import type { Policy } from '../../check/policy.js';
import { validators } from '../../operations/validators.js';

export interface CheckedManifest {
  readonly verdict: Verdict;
  /** What could not be judged, a sentence each. */
  readonly unchecked: readonly string[];
  /** Where a finding of the verdict stands in the object. */
  readonly keysOf: (finding: Finding) => Path;
}

/** @param old the definition before, where the manifest is judged as part of an upgrade */
export async function checkManifest(
  object: JsonObject,
  { name, crd }: FoundCrd,
  old: JsonObject | undefined,
  policy: Policy,
): Promise<CheckedManifest> {
  const { findings, unchecked } = judgeManifest(object, { crd, old }, validators);
  const { verdict } = await check(
    {
      subject: { groups: [name.slice(name.indexOf('.') + 1)], name },
      findings: findings.map(({ finding }) => finding),
    },
    policy,
    { now: new Date() },
  );
  const keys = new Map(findings.map((each) => [nameOf(each.finding), each.keys]));
  return { verdict, unchecked, keysOf: (finding) => keys.get(nameOf(finding)) ?? [] };
}

function nameOf({ rule, path }: Finding): string {
  return `${rule} ${path}`;
}
