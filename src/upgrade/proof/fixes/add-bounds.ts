/** Bounds that are wanted for another reason than objects, as far as no object breaks by them. */
import type { Operation } from 'fast-json-patch';
import type { JsonObject } from '../../../text/documents/index.js';
import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import { proveUpgrade } from '../proof.js';
import type { ProofResult } from '../result.js';
import { applyPatch } from './apply-patch.js';
import type { Fix, Repair } from './repair.js';

export interface WantedBound {
  readonly title: string;
  readonly patch: readonly Operation[];
}

/** A bound that is not added, and who would break. */
export interface RefusedBound extends WantedBound {
  readonly version: string | undefined;
  readonly path: string;
  /** The proof's reason, about an object that exceeds the bound. */
  readonly reason: string;
}

/** Each is proven twice at most. */
const maxTried = 16;

/** Adds bounds after which the upgrade does no more harm than before. A new definition has no objects yet. */
export function addBounds(
  old: CustomResourceDefinition | undefined,
  repair: Repair,
  wanted: readonly WantedBound[],
): { readonly repair: Repair; readonly refused: readonly RefusedBound[] } {
  const fixes: Fix[] = [];
  const refused: RefusedBound[] = [];
  let { patched } = repair;
  let known = old === undefined ? new Set<string>() : namesOf(harm(old, patched));
  for (const bound of wanted.slice(0, maxTried)) {
    const attempt = applyPatch(patched, bound.patch);
    const done = old === undefined ? [] : harm(old, attempt);
    const more = done.find((result) => !known.has(nameOf(result)));
    if (more !== undefined) {
      const { version, path, reason } = more;
      refused.push({ ...bound, version, path, reason });
      continue;
    }
    known = namesOf(done);
    patched = attempt;
    fixes.push({ ...bound, trouble: { version: undefined, path: '' }, solves: [] });
  }
  return { repair: { ...repair, fixes: [...repair.fixes, ...fixes], patched }, refused };
}

/** Undecided results count too: a bound is only added where it is proven to break nothing. */
function harm(old: CustomResourceDefinition, next: JsonObject): ProofResult[] {
  const isHarm = ({ effect }: ProofResult): boolean =>
    effect === 'breaking' || effect === 'data-loss' || effect === 'undecided';
  return proveUpgrade(old, readCustomResourceDefinition(next)).results.filter(isHarm);
}

function nameOf({ version, from, path, effect }: ProofResult): string {
  return JSON.stringify([version, from, path, effect]);
}

const namesOf = (results: readonly ProofResult[]): Set<string> => new Set(results.map(nameOf));
