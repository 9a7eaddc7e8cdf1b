/** Looks for changes of the new definition after which the upgrade passes, each checked by judging again. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import {
  InvalidInputError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../documents/index.js';
import { proveUpgrade } from '../containment/proof.js';
import { candidates, type Candidate, type Trouble } from './candidates.js';

export interface Fix extends Candidate {
  /** What it is the way out of. */
  readonly trouble: Trouble;
}

export interface Repair {
  /** In the order in which they are applied, one on top of the other. */
  readonly fixes: readonly Fix[];
  readonly patched: JsonObject;
  /** What no candidate made better. */
  readonly left: readonly Trouble[];
}

export interface RepairOptions {
  /** What is wrong with an upgrade to `next`; by default what the proof has a witness for. */
  readonly troubles?: (next: JsonObject) => readonly Trouble[];
  /** Candidates that may be judged. */
  readonly most?: number;
}

/** @throws InvalidInputError when the definitions cannot be compared */
export function repairUpgrade(
  old: JsonObject,
  next: JsonObject,
  { troubles, most = 400 }: RepairOptions = {},
): Repair {
  const fixes: Fix[] = [];
  const hopeless = new Map<string, Trouble>();
  let patched = next;
  let { open, damage } = look(next);
  let tries = 0;
  for (;;) {
    const trouble = open.find((each) => !hopeless.has(nameOf(each)));
    if (trouble === undefined) break;
    let isSolved = false;
    for (const candidate of candidates(old, patched, trouble)) {
      if (tries++ >= most) break;
      const attempt = tryPatch(patched, candidate.patch);
      if (attempt === undefined) continue;
      const judged = judge(attempt);
      // Better on the whole, and no object is worse off than before.
      if (judged === undefined || judged.open.length >= open.length || judged.damage > damage)
        continue;
      fixes.push({ ...candidate, trouble });
      patched = attempt;
      ({ open, damage } = judged);
      isSolved = true;
      break;
    }
    if (!isSolved) hopeless.set(nameOf(trouble), trouble);
  }
  return { fixes, patched, left: open };

  function look(changed: JsonObject): { open: readonly Trouble[]; damage: number } {
    const harmful = damageOf(old, changed);
    return { open: troubles === undefined ? harmful : troubles(changed), damage: harmful.length };
  }

  function judge(attempt: JsonObject): ReturnType<typeof look> | undefined {
    try {
      return look(attempt);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }
}

function damageOf(old: JsonObject, next: JsonObject): Trouble[] {
  return proveUpgrade(old, next)
    .results.filter(({ effect }) => effect === 'breaking' || effect === 'data-loss')
    .map(({ version, from, path }) => ({ version, path, ...(from === undefined ? {} : { from }) }));
}

function nameOf({ version, from, path }: Trouble): string {
  return JSON.stringify([version, from, path]);
}

/** Undefined where the patch does not fit. */
function tryPatch(document: JsonObject, patch: readonly Operation[]): JsonObject | undefined {
  // The library copies through JSON, which would lose numbers' texts.
  const copy = parseJson(stringifyJson(document)) as JsonObject;
  try {
    return jsonPatch.applyPatch(copy, patch).newDocument;
  } catch {
    return undefined;
  }
}
