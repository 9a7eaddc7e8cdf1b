/**
 * Switch-offs that a request sets: said when they are set, and kept from those who may not set them.
 * The stored object shows later whether a switch-off was set by itself; the moment at which it is set is
 * the only one that shows who did it, and what else went with it. Pure.
 */
import type { Family, Finding } from '../rule/index.js';
import { newSwitchOff } from '../upgrade/index.js';
import { isObject, own, sameJson, type JsonObject } from '../text/documents/index.js';
import { isCovered, whyNot, type BypassRules } from './bypass.js';
import type { GuardedRequest } from './guarantees.js';
import type { BypassSource } from './policy.js';
import { setBy, switchOffsOn, type SwitchOff } from './switch-off.js';
import { annotation } from './switch-annotation.js';

export interface NewSwitchOff {
  readonly by: BypassSource;
  readonly description: string;
  readonly counts: boolean;
  /** Why it does not count, or why the request must not set it. */
  readonly why?: string;
  readonly isRefused: boolean;
}

/** OLM puts the label on a definition a while after the operator has come. */
const onceLabelled =
  ', for a definition once OLM has labelled it operators.coreos.com/PACKAGE.NAMESPACE';

/** @param owners owners that the request claims for the object, and the stored object has not */
export function newSwitchOffs(
  request: GuardedRequest,
  rules: BypassRules,
  owners: readonly JsonObject[] = [],
): NewSwitchOff[] {
  const { object: next, oldObject: old } = request;
  if (next === undefined) return [];
  const before = old === undefined ? [] : switchOffsOn(old, rules.now);
  const counted = before.filter((each) => whyNot(each, rules) === undefined);
  const after = switchOffsOn(next, rules.now);
  const set = after.flatMap((each): NewSwitchOff[] => {
    if (!('families' in each.reading)) return [];
    const why = whyNot(each, rules);
    const known = why === undefined ? counted : before;
    if (isCovered(each, known)) return [];
    const refusal = why === undefined ? refusalOf(each, request, rules) : undefined;
    return [describe(each, why ?? refusal, refusal !== undefined)];
  });
  const claimed = owners
    .flatMap((owner) => switchOffsOn(owner, rules.now))
    .filter((each) => 'families' in each.reading && whyNot(each, rules) === undefined)
    .map((each) => {
      const refusal = notOfGroups(request, rules);
      const what = `${each.what}, which it names as its owner`;
      return describe({ ...each, what }, refusal, refusal !== undefined);
    });
  return [...set, ...claimed];
}

export function newSwitchOffFinding({
  by,
  description,
  counts,
  why,
  isRefused,
}: NewSwitchOff): Finding {
  return newSwitchOff.finding({
    ...(isRefused ? { severity: 'error' } : {}),
    id: isRefused ? 'refused' : counts ? 'counts' : 'ignored',
    data: {
      switchOff: description,
      scope: by === 'csv' || by === 'subscription' ? onceLabelled : '',
      why: why === undefined ? '' : `: ${why}`,
    },
  });
}

function describe(each: SwitchOff, why?: string, isRefused = false): NewSwitchOff {
  const { by, what, reading } = each;
  const families: readonly Family[] | 'all' = 'families' in reading ? reading.families : [];
  const off = families === 'all' ? 'every check' : families.join(', ');
  return { by, description: `${what} (${off})`, counts: why === undefined, why, isRefused };
}

/** Why a switch-off that would count must not be set by this request. */
function refusalOf(
  { annotations, setBy: way }: SwitchOff,
  request: GuardedRequest,
  rules: BypassRules,
): string | undefined {
  if (way?.way === 'together') return notOfManagers(way.setters, request, rules);
  const { object: next, oldObject: old } = request;
  const refusal = notOfGroups(request, rules);
  if (refusal !== undefined) return refusal;
  // A field of the spec is set with whatever else the spec says.
  if (annotations.length === 0) return undefined;
  const isAlone =
    next !== undefined &&
    old !== undefined &&
    onlyAnnotationsChange(next, old) &&
    annotations.every((name) => isNew(name, next, old) || setBy(old, [name]).way === 'alone');
  return isAlone
    ? undefined
    : 'the request changes more than this; set it by itself, as kubectl annotate does';
}

/** That it counts is due to the names of field managers alone, which the requester has written. */
function notOfManagers(
  setters: readonly (readonly string[])[],
  { user, groups = [] }: GuardedRequest,
  { bypass: { managers } }: BypassRules,
): string | undefined {
  for (const each of setters) {
    const named = managers.filter(({ name }) => each.includes(name));
    const isBound = named.some(
      ({ users = [], groups: wanted = [] }) =>
        (user !== undefined && users.includes(user)) ||
        wanted.some((group) => groups.includes(group)),
    );
    if (isBound) continue;
    const names = named.map(({ name }) => JSON.stringify(name)).join(', ');
    return `field manager ${names} is not for this user (bypass.managers of the policy)`;
  }
  return undefined;
}

/** Claiming an owner whose checks are off counts as switching them off. */
function notOfGroups(
  { groups = [] }: GuardedRequest,
  { bypass: { groups: wanted } }: BypassRules,
): string | undefined {
  return wanted.length === 0 || wanted.some((group) => groups.includes(group))
    ? undefined
    : `only members of ${wanted.join(', ')} may set it`;
}

/** A record of who set what can be written too: what has not changed was not set by this request. */
function isNew(name: string, next: JsonObject, old: JsonObject): boolean {
  return annotation(next, name) !== annotation(old, name);
}

const ofTheServer: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'generation',
]);

/** Status is not looked at: a write of the object cannot change it. */
function onlyAnnotationsChange(next: JsonObject, old: JsonObject): boolean {
  const changed = (a: JsonObject, b: JsonObject): string[] =>
    [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
      (key) => !sameJson(own(a, key), own(b, key)),
    );
  const [metadata, oldMetadata] = [own(next, 'metadata'), own(old, 'metadata')];
  return (
    isObject(metadata) &&
    isObject(oldMetadata) &&
    changed(next, old).every((key) => key === 'metadata' || key === 'status') &&
    changed(metadata, oldMetadata).every((key) => key === 'annotations' || ofTheServer.has(key))
  );
}
