/** Looks for changes of the new definition after which the upgrade passes, each checked by judging again. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import {
  InvalidInputError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { defaultLimits, proveUpgrade } from '../proof.js';
import type { ProofJudgement, ProofResult } from '../result.js';
import { sizeOf } from '../size.js';
import { candidates, type Candidate, type Trouble } from './candidates.js';

export interface Fix extends Candidate {
  /** What it is the way out of. */
  readonly trouble: Trouble;
  /** The differences at that place which do no harm any more, by `differenceOf`. */
  readonly solves: readonly string[];
}

export interface Repair {
  /** In the order in which they are applied, one on top of the other. */
  readonly fixes: readonly Fix[];
  readonly patched: JsonObject;
  /** What no candidate made better. */
  readonly left: readonly Trouble[];
  /** What it took, as `RepairOptions.values` counts it. */
  readonly cost: number;
}

export interface RepairOptions {
  /** What is wrong with an upgrade to `next`; by default what the proof has a witness for. */
  readonly troubles?: (next: JsonObject) => readonly Trouble[];
  /** Candidates that may be judged. */
  readonly most?: number;
  /** What judging them may cost, in values as the proof counts them and values of the definition. */
  readonly values?: number;
  /** How many objects each look may make up at random: most of its time, and seldom what decides. */
  readonly atRandom?: number;
  /** What is known of the upgrade to `next` already: it need not be proven once more. */
  readonly proof?: Pick<ProofJudgement, 'results'>;
}

/** @throws InvalidInputError when the definitions cannot be compared */
export function repairUpgrade(
  old: JsonObject,
  next: JsonObject,
  {
    troubles,
    most = 400,
    values = 20_000_000,
    atRandom = defaultLimits.atRandom,
    proof,
  }: RepairOptions = {},
): Repair {
  const fixes: Fix[] = [];
  const hopeless = new Map<string, Trouble>();
  let patched = next;
  let spent = 0;
  // Each look walks over the definition and copies it, however little there is to prove.
  const costOfLook = sizeOf(next);
  let { open, harmful, damage, unclear } = proof === undefined ? look(next) : lookAt(proof, next);
  let tries = 0;
  for (let rank = 0; rank < ranksTogether && repairTogether(rank); rank += 1);
  for (;;) {
    const trouble = open.find((each) => !hopeless.has(nameOf(each)));
    if (trouble === undefined) break;
    let isSolved = false;
    for (const candidate of candidates(old, patched, trouble)) {
      if (tries++ >= most || spent >= values) break;
      const attempt = tryPatch(patched, candidate.patch);
      if (attempt === undefined) continue;
      const judged = judge(attempt);
      if (!isBetter(judged)) continue;
      accept([{ ...candidate, trouble, solves: [] }], attempt, judged);
      isSolved = true;
      break;
    }
    if (!isSolved) hopeless.set(nameOf(trouble), trouble);
  }
  leaveOutNeedless();
  return { fixes, patched, left: open, cost: spent };

  /**
   * Most ways out do not touch each other: the candidates of one rank for all that is open cost two
   * proofs at most, instead of one each. False when that has not helped.
   */
  function repairTogether(rank: number): boolean {
    if (open.length < 2 || tries >= most || spent >= values) return false;
    tries += 1;
    let attempt = patchAll(old, patched, open, rank);
    let judged = attempt && judge(attempt.document);
    if (attempt === undefined || judged === undefined) return false;
    const still = new Set([...judged.open.map(nameOf), ...judged.unclear]);
    const solved = attempt.fixes
      .map(({ trouble }) => trouble)
      .filter((each) => !still.has(nameOf(each)));
    if (solved.length < attempt.fixes.length) {
      // What a candidate has not solved it must not change.
      attempt = patchAll(old, patched, solved, rank);
      judged = attempt && judge(attempt.document);
    }
    if (attempt === undefined || !isBetter(judged)) return false;
    accept(attempt.fixes, attempt.document, judged);
    return true;
  }

  /**
   * A way out that was found later may make earlier ones needless. Those that stand inside others are
   * left out one at a time, outermost first; then all whose trouble does not come back when half of
   * all are left out.
   */
  function leaveOutNeedless(): void {
    const outermostFirst = nested(fixes).slice(0, maxLeftOutSingly);
    for (const fix of outermostFirst) leaveOut(new Set([fix]));
    if (fixes.length < 2) return;
    const needless = new Set<Fix>();
    for (const half of [0, 1]) {
      const dropped = new Set(fixes.filter((_, index) => index % 2 === half));
      const attempt = replay(dropped);
      const judged = attempt && mayTry() ? judge(attempt) : undefined;
      if (judged === undefined) return;
      const back = new Set(judged.open.map(nameOf));
      for (const fix of dropped) if (!back.has(nameOf(fix.trouble))) needless.add(fix);
    }
    if (needless.size > 0 && !leaveOut(needless)) {
      for (const fix of [...needless].slice(0, maxLeftOutSingly)) leaveOut(new Set([fix]));
    }
  }

  /** Whether nothing is worse without these; then they are gone. */
  function leaveOut(needless: ReadonlySet<Fix>): boolean {
    const attempt = replay(needless);
    if (attempt === undefined || !mayTry()) return false;
    const judged = judge(attempt);
    const isAsGood =
      judged !== undefined &&
      judged.open.length <= open.length &&
      judged.damage <= damage &&
      judged.unclear.size <= unclear.size;
    if (!isAsGood) return false;
    const kept = fixes.filter((fix) => !needless.has(fix));
    const dropped = [...needless];
    fixes.length = 0;
    // What ended without the one that is left out is the doing of those beside it.
    for (const fix of kept) {
      const beside = dropped.filter(({ trouble }) => nameOf(trouble) === nameOf(fix.trouble));
      fixes.push({ ...fix, solves: [fix, ...beside].flatMap(({ solves }) => solves) });
    }
    patched = attempt;
    ({ open, harmful, damage, unclear } = judged);
    return true;
  }

  function mayTry(): boolean {
    return tries++ < most && spent < values;
  }

  /** The definition with all but some; undefined where one cannot do without another. */
  function replay(without: ReadonlySet<Fix>): JsonObject | undefined {
    const kept = fixes.filter((fix) => !without.has(fix));
    return tryPatch(next, copyOf(kept.flatMap(({ patch }) => patch)));
  }

  /** Better on the whole, no object is worse off than before, and no harm is only out of sight. */
  function isBetter(judged: Look | undefined): judged is Look {
    return (
      judged !== undefined &&
      judged.open.length < open.length &&
      judged.damage <= damage &&
      judged.unclear.size <= unclear.size
    );
  }

  function accept(more: readonly Fix[], document: JsonObject, judged: Look): void {
    const still = new Set(judged.harmful.map(differenceOf));
    const solved = new Map<string, string[]>();
    for (const result of harmful) {
      if (still.has(differenceOf(result))) continue;
      const name = nameOf(troubleOf(result));
      solved.set(name, [...(solved.get(name) ?? []), differenceOf(result)]);
    }
    for (const fix of more) fixes.push({ ...fix, solves: solved.get(nameOf(fix.trouble)) ?? [] });
    patched = document;
    ({ open, harmful, damage, unclear } = judged);
  }

  function look(changed: JsonObject): Look {
    const left = Math.max(1, Math.min(defaultLimits.values, values - spent));
    const proof = proveUpgrade(old, changed, { ...defaultLimits, atRandom, values: left });
    spent += proof.cost + costOfLook;
    return lookAt(proof, changed);
  }

  function lookAt({ results }: Pick<ProofJudgement, 'results'>, changed: JsonObject): Look {
    const harms = results.filter(isHarmful);
    return {
      open: troubles === undefined ? harms.map(troubleOf) : troubles(changed),
      harmful: harms,
      damage: harms.length,
      unclear: new Set(
        results
          .filter(({ effect }) => effect === 'undecided')
          .map((result) => nameOf(troubleOf(result))),
      ),
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

/** Candidates come with the smallest change first: what the first two do not help is looked at singly. */
const ranksTogether = 2;

/** Each costs a proof. */
const maxLeftOutSingly = 12;

/** Those that change something inside what another one changes, or the other way round. */
function nested(fixes: readonly Fix[]): Fix[] {
  const isAbove = (one: Fix, other: Fix): boolean =>
    one !== other &&
    one.trouble.version === other.trouble.version &&
    (one.trouble.path === other.trouble.path ||
      ['.', '['].some((step) => other.trouble.path.startsWith(one.trouble.path + step)));
  return fixes
    .filter((fix) => fixes.some((other) => isAbove(fix, other) || isAbove(other, fix)))
    .sort((left, right) => left.trouble.path.length - right.trouble.path.length);
}

interface Look {
  readonly open: readonly Trouble[];
  readonly harmful: readonly ProofResult[];
  /** How many differences do harm. */
  readonly damage: number;
  /** Which may, by name. */
  readonly unclear: ReadonlySet<string>;
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

/** One difference of all at its place: what it is, without what came of it. */
export function differenceOf({ version, from, path, reason }: ProofResult): string {
  return JSON.stringify([version, from, path, reason.split('; ', 1)[0]]);
}

/** One candidate for each place, one on top of the other; undefined where they do not fit together. */
function patchAll(
  old: JsonObject,
  next: JsonObject,
  troubles: readonly Trouble[],
  rank: number,
): { readonly document: JsonObject; readonly fixes: readonly Fix[] } | undefined {
  let document = copyOf(next);
  const fixes: Fix[] = [];
  // A place with several troubles would be changed more than need be.
  for (const trouble of new Map(troubles.map((each) => [nameOf(each), each])).values()) {
    const candidate = [...candidates(old, document, trouble)][rank];
    if (candidate === undefined) continue;
    try {
      document = jsonPatch.applyPatch(document, copyOf(candidate.patch)).newDocument;
    } catch {
      return undefined;
    }
    fixes.push({ ...candidate, trouble, solves: [] });
  }
  return { document, fixes };
}

/** Undefined where the patch does not fit. */
function tryPatch(document: JsonObject, patch: readonly Operation[]): JsonObject | undefined {
  try {
    return jsonPatch.applyPatch(copyOf(document), patch).newDocument;
  } catch {
    return undefined;
  }
}

/** The library copies through JSON, which would lose numbers' texts. */
function copyOf<Value>(value: Value): Value {
  return parseJson(stringifyJson(value)) as Value;
}
