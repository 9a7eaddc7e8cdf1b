/** Looks for changes of the new definition after which the upgrade passes, each checked by judging again. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import {
  InvalidInputError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../documents/index.js';
import { proveUpgrade, type ProofResult } from '../containment/proof.js';
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
  /** What judging them may cost, in values as the proof counts them. */
  readonly values?: number;
}

/** @throws InvalidInputError when the definitions cannot be compared */
export function repairUpgrade(
  old: JsonObject,
  next: JsonObject,
  { troubles, most = 400, values = 20_000_000 }: RepairOptions = {},
): Repair {
  const fixes: Fix[] = [];
  const hopeless = new Map<string, Trouble>();
  let patched = next;
  let spent = 0;
  let { open, damage, doubts } = look(next);
  let tries = 0;
  for (;;) {
    const trouble = open.find((each) => !hopeless.has(nameOf(each)));
    if (trouble === undefined) break;
    let isSolved = false;
    for (const candidate of candidates(old, patched, trouble)) {
      if (tries++ >= most || spent >= values) break;
      const attempt = tryPatch(patched, candidate.patch);
      if (attempt === undefined) continue;
      const judged = judge(attempt);
      // Better on the whole, no object is worse off than before, and no harm is only out of sight.
      if (
        judged === undefined ||
        judged.open.length >= open.length ||
        judged.damage > damage ||
        judged.doubts > doubts
      )
        continue;
      fixes.push({ ...candidate, trouble });
      patched = attempt;
      ({ open, damage, doubts } = judged);
      isSolved = true;
      break;
    }
    if (!isSolved) hopeless.set(nameOf(trouble), trouble);
  }
  return { fixes, patched, left: open };

  function look(changed: JsonObject): Look {
    const { results, cost } = proveUpgrade(old, changed);
    spent += cost;
    const harmful = results.filter(isHarmful).map(troubleOf);
    return {
      open: troubles === undefined ? harmful : troubles(changed),
      damage: harmful.length,
      doubts: results.filter(({ effect }) => effect === 'undecided').length,
    };
  }

  function judge(attempt: JsonObject): Look | undefined {
    try {
      return look(attempt);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }
}

interface Look {
  readonly open: readonly Trouble[];
  /** How many differences do harm. */
  readonly damage: number;
  /** How many may. */
  readonly doubts: number;
}

function isHarmful({ effect }: ProofResult): boolean {
  return effect === 'breaking' || effect === 'data-loss';
}

function troubleOf({ version, from, path }: ProofResult): Trouble {
  return { version, path, ...(from === undefined ? {} : { from }) };
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
