/** One manifest of a custom resource under its definition, decided by the policy. */
import type { TargetMinors } from '../../kubernetes/index.js';
import { judgeManifest, type FoundCrd, type ManifestSource } from '../../upgrade/index.js';
import { metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';
import type { Verdict } from '../../rule/index.js';
import { check, type Policy } from '../../policy/index.js';
import { validators } from '../operations/validators.js';

export interface CheckedManifest {
  readonly name: string;
  readonly verdict: Verdict;
  /** Parts that could not be judged, a sentence each. */
  readonly unchecked: readonly string[];
}

interface Judging extends ManifestSource {
  readonly policy: Policy;
  readonly minors: TargetMinors;
}

/** @param old the definition before, where the manifest is judged as part of an upgrade */
export async function checkManifest(
  object: JsonObject,
  { name, crd }: FoundCrd,
  old: JsonObject | undefined,
  { policy, minors, ...source }: Judging,
): Promise<CheckedManifest> {
  const definitions = { crd: crd.document, old };
  const { findings, unchecked } = judgeManifest(object, definitions, validators, minors, source);
  const { verdict } = await check(
    { subject: { groups: [name.slice(name.indexOf('.') + 1)], name }, findings },
    policy,
    { now: new Date() },
  );
  return { name: nameOf(object), verdict, unchecked };
}

function nameOf(object: JsonObject): string {
  const { namespace, name } = metaOf(object);
  const shown = name === '' ? generatedName(object) : name;
  return `${own(object, 'kind') as string} ${namespace === '' ? '' : `${namespace}/`}${shown}`;
}

/** A server makes the rest of the name when it creates the object. */
function generatedName(object: JsonObject): string {
  const prefix = valueAt(object, 'metadata', 'generateName');
  return typeof prefix === 'string' ? `${prefix}…` : '';
}
