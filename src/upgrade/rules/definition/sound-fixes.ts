/** Changes that make rules cheap enough, as far as they do: applied and judged before they are offered. */
import type { Operation } from 'fast-json-patch';
import { DefinitionReview, type Refusal } from '../../../kubernetes/index.js';
import type { Finding } from '../../../rule/index.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { readCustomResourceDefinition } from '../../crd/custom-resource-definition.js';
import { addBounds } from '../../proof/fixes/add-bounds.js';
import { applyPatch } from '../../proof/fixes/apply-patch.js';

/** Each is judged anew, as the whole definition is; the words of the others name the bound. */
const maxJudged = 8;

/** Without patches after which a server would go on refusing, or an object break. */
export function withSoundFixes(
  findings: readonly Finding[],
  next: JsonObject,
  old: JsonObject | undefined,
  minors: readonly string[],
): Finding[] {
  if (!findings.some(({ fix }) => Array.isArray(fix))) return [...findings];
  const known = new Map<string, boolean>();
  const newRefusals = newRefusalsBeside(next, old, minors);
  const isSound = (patch: readonly Operation[], path: string): boolean => {
    const text = JSON.stringify(patch);
    const judged = known.get(text);
    if (judged !== undefined) return judged;
    const sound = known.size < maxJudged && judge(patch, path);
    known.set(text, sound);
    return sound;
  };
  const judge = (patch: readonly Operation[], path: string): boolean => {
    const patched = applyPatch(next, patch);
    if (refusalsOf(patched, old, minors).some(({ field }) => field === path)) return false;
    if (newRefusals(patched).length > 0) return false;
    const installed = old && readCustomResourceDefinition(old);
    const none = { fixes: [], patched: next, left: [], cost: 0 };
    return addBounds(installed, none, [{ title: '', patch }]).refused.length === 0;
  };
  return findings.map((finding) => {
    const { fix, ...rest } = finding;
    if (!Array.isArray(fix)) return finding;
    return isSound(fix as Operation[], finding.path ?? '') ? finding : rest;
  });
}

/** Finds what servers refuse in a changed definition, and not in the given one: on create and on update. */
export function newRefusalsBeside(
  next: JsonObject,
  old: JsonObject | undefined,
  minors: readonly string[],
): (changed: JsonObject) => readonly Refusal[] {
  const allOf = (definition: JsonObject): readonly Refusal[] => [
    ...refusalsOf(definition, undefined, minors),
    ...(old === undefined ? [] : refusalsOf(definition, old, minors)),
  ];
  // A server that refuses the old definition has none of its objects.
  const ofOld = (): readonly Refusal[] =>
    old === undefined ? [] : refusalsOf(old, undefined, minors);
  let before: ReadonlySet<string> | undefined;
  return (changed) => {
    const after = allOf(changed);
    if (after.length === 0) return after;
    before ??= new Set([...allOf(next), ...ofOld()].map(nameOf));
    return after.filter((each) => before?.has(nameOf(each)) !== true);
  };
}

function refusalsOf(
  next: JsonObject,
  old: JsonObject | undefined,
  minors: readonly string[],
): readonly Refusal[] {
  const review = new DefinitionReview(next, old);
  return review.refusals(old === undefined ? 'create' : 'update', minors);
}

function nameOf({ on, field, type }: Refusal): string {
  return JSON.stringify([on, field, type]);
}
