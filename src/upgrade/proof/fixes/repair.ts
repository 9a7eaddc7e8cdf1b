/** Looks for changes of the new definition after which the upgrade passes, each checked by judging again. */
import type { Operation } from 'fast-json-patch';
import type { ProvenDifference } from '../../../rule/index.js';
import {
  InvalidInputError,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import {
  readCustomResourceDefinition,
  type CustomResourceDefinition,
} from '../../crd/custom-resource-definition.js';
import { KnownSchemas, type Release } from '../../../kubernetes/index.js';
import { defaultLimits } from '../limits.js';
import { proveUpgrade } from '../proof.js';
import type { ProofJudgement, ProofResult } from '../result.js';
import { sizeOf } from '../size.js';
import { applyPatch } from './apply-patch.js';
import { candidates, type Candidate, type FixTarget } from './candidates.js';
import { groupBy } from '../../../text/group.js';
import { append } from '../../../text/long-lists.js';

export interface Fix extends Candidate {
  readonly trouble: FixTarget;
  /** The differences at that place which do no harm any more, by `differenceOf`. */
  readonly solves: readonly string[];
  /** Whether it was judged without the others, too, and ends the same. */
  readonly endsAlone?: boolean;
}

export interface Repair {
  readonly fixes: readonly Fix[];
  readonly patched: JsonObject;
  /** Targets that no candidate improved, and why the first that ends the harm is not offered. */
  readonly left: readonly LeftTarget[];
  /** Budget spent, as `RepairOptions.values` counts it. */
  readonly cost: number;
  /** Whether something is left that more candidates or a higher cost might have helped. */
  readonly isCutShort?: true;
}

export interface LeftTarget extends FixTarget {
  readonly refused?: RefusedCandidate;
  /** Differences that still do harm there, in the words of the proof. */
  readonly harm?: readonly string[];
}

/** A change that ends the harm, after which the definition is refused for another reason. */
export interface RefusedCandidate {
  readonly title: string;
  readonly reason: string;
}

export interface RepairOptions {
  /** Why a changed definition is refused, where it is and `next` is not. */
  readonly refusalOf?: (changed: JsonObject) => string | undefined;
  /** Lists the targets to fix in an upgrade to `next`; by default those for which the proof has a witness. */
  readonly troubles?: (next: JsonObject) => readonly FixTarget[];
  /** Candidates that may be judged. */
  readonly most?: number;
  readonly values?: number;
  /** How many objects each look may make up at random: most of its time, and seldom what decides. */
  readonly atRandom?: number;
  /** The proof of the upgrade to `next`, if there is one already. */
  readonly proof?: Pick<ProofJudgement, 'results'>;
  readonly isOver?: (() => boolean) | undefined;
  readonly release?: Release | undefined;
  /** Schemas that were read already: a candidate has most of its parts in common with them. */
  readonly known?: KnownSchemas | undefined;
}

/** @throws InvalidInputError when the definitions cannot be compared */
export function repairUpgrade(
  old: CustomResourceDefinition,
  next: JsonObject,
  options: RepairOptions = {},
): Repair {
  return new RepairSearch(old, next, options).run();
}

/** Candidates come with the smallest change first: what the first two do not help is looked at singly. */
const ranksTogether = 2;

/** Each costs a proof. */
const maxLeftOutSingly = 12;

/** Applies one candidate on top of the other for as long as the upgrade gets better. */
class RepairSearch {
  private fixes: Fix[] = [];
  private patched: JsonObject;
  /** Remaining harm of the upgrade to `patched`. */
  private found: Evaluation;
  /** Harm of the upgrade to `next`. */
  private readonly harmBefore: ReadonlySet<string>;
  private readonly unclearBefore: ReadonlySet<string>;
  private readonly refused = new Map<string, RefusedCandidate>();
  private tries = 0;
  private spent = 0;
  private readonly known: KnownSchemas;
  private readonly costOfLook: number;
  private readonly most: number;
  private readonly values: number;

  constructor(
    private readonly old: CustomResourceDefinition,
    private readonly next: JsonObject,
    private readonly options: RepairOptions,
  ) {
    this.most = options.most ?? 400;
    this.values = options.values ?? 20_000_000;
    this.known = options.known ?? new KnownSchemas(options.release);
    this.costOfLook = sizeOf(next);
    this.patched = next;
    this.found =
      options.proof === undefined ? this.look(next) : this.lookAt(options.proof.results, next);
    this.harmBefore = new Set(this.found.harmful.map(differenceOf));
    this.unclearBefore = this.found.unclear;
  }

  run(): Repair {
    for (let rank = 0; rank < ranksTogether && this.repairTogether(rank); rank += 1);
    this.repairSingly();
    this.leaveOutNeedless();
    const { patched, found } = this;
    const fixes = this.fixes.map((fix) => ({ ...fix, endsAlone: this.endsAlone(fix) }));
    const isCutShort = found.open.length > 0 && !this.isWithinLimits();
    const harm = groupBy(found.harmful, (result) => nameOf(troubleOf(result)));
    const left = found.open.map((each) => {
      const refused = this.refused.get(nameOf(each));
      const still = harm.get(nameOf(each))?.map(changeIn) ?? [];
      return {
        ...each,
        ...(refused === undefined ? {} : { refused }),
        ...(still.length === 0 ? {} : { harm: [...new Set(still)] }),
      };
    });
    const repair = { fixes, patched, left, cost: this.spent };
    return isCutShort ? { ...repair, isCutShort } : repair;
  }

  /** Whether a user who applies only this change needs none of the others. */
  private endsAlone({ patch, solves }: Fix): boolean {
    if (this.fixes.length === 1) return true;
    const attempt = this.mayTry() ? tryPatch(this.next, patch) : undefined;
    const judged = attempt && this.judge(attempt);
    if (attempt === undefined || judged === undefined) return false;
    const still = new Set(judged.harmful.map(differenceOf));
    return (
      this.refusalOf(attempt) === undefined &&
      solves.every((difference) => !still.has(difference)) &&
      [...still].every((difference) => this.harmBefore.has(difference)) &&
      [...judged.unclear].every((name) => this.unclearBefore.has(name))
    );
  }

  /**
   * Most ways out do not touch each other: two proofs at most instead of one each. False when it has not helped.
   */
  private repairTogether(rank: number): boolean {
    const { open } = this.found;
    if (open.length < 2 || !this.mayTry()) return false;
    let attempt = patchAll(this.old.document, this.patched, open, rank);
    let judged = attempt && this.judge(attempt.document);
    if (attempt === undefined || judged === undefined) return false;
    const still = new Set([...judged.open.map(nameOf), ...judged.unclear]);
    const solved = attempt.fixes
      .map(({ trouble }) => trouble)
      .filter((each) => !still.has(nameOf(each)));
    if (solved.length < attempt.fixes.length) {
      // A candidate must not change anything that it does not solve.
      attempt = patchAll(this.old.document, this.patched, solved, rank);
      judged = attempt && this.judge(attempt.document);
    }
    if (attempt === undefined || !this.isBetter(judged)) return false;
    if (this.refusalOf(attempt.document) !== undefined) return false;
    this.accept(attempt.fixes, attempt.document, judged);
    return true;
  }

  private repairSingly(): void {
    const hopeless = new Set<string>();
    let isBetter = true;
    while (isBetter) {
      isBetter = false;
      for (const trouble of this.found.open) {
        if (!this.isWithinLimits()) return;
        const name = nameOf(trouble);
        if (hopeless.has(name)) continue;
        isBetter = this.repairOne(trouble);
        if (isBetter) break;
        hopeless.add(name);
      }
    }
  }

  private repairOne(trouble: FixTarget): boolean {
    for (const candidate of candidates(this.old.document, this.patched, trouble)) {
      if (!this.mayTry()) return false;
      const attempt = tryPatch(this.patched, candidate.patch);
      const judged = attempt && this.judge(attempt);
      if (attempt === undefined || !this.isBetter(judged)) continue;
      const reason = this.refusalOf(attempt);
      if (reason !== undefined) {
        const name = nameOf(trouble);
        if (!this.refused.has(name)) this.refused.set(name, { title: candidate.title, reason });
        continue;
      }
      this.accept([{ ...candidate, trouble, solves: [] }], attempt, judged);
      return true;
    }
    return false;
  }

  /**
   * A way out that was found later may make earlier ones needless. Those that are inside others are
   * left out one at a time, outermost first; then all whose trouble does not come back when half of
   * all are left out.
   */
  private leaveOutNeedless(): void {
    const outermostFirst = nested(this.fixes).slice(0, maxLeftOutSingly);
    for (const fix of outermostFirst) this.leaveOut(new Set([fix]));
    if (this.fixes.length < 2) return;
    const needless = new Set<Fix>();
    for (const half of [0, 1]) {
      const dropped = new Set(this.fixes.filter((_, index) => index % 2 === half));
      const attempt = this.replay(dropped);
      const judged = attempt && this.mayTry() ? this.judge(attempt) : undefined;
      if (judged === undefined) return;
      const back = new Set(judged.open.map(nameOf));
      for (const fix of dropped) if (!back.has(nameOf(fix.trouble))) needless.add(fix);
    }
    if (needless.size > 0 && !this.leaveOut(needless)) {
      for (const fix of [...needless].slice(0, maxLeftOutSingly)) this.leaveOut(new Set([fix]));
    }
  }

  /** Whether nothing is worse without these; then they are gone. */
  private leaveOut(needless: ReadonlySet<Fix>): boolean {
    const dropped = this.fixes.filter((fix) => needless.has(fix));
    const attempt = dropped.length === 0 ? undefined : this.replay(needless);
    if (attempt === undefined || !this.mayTry()) return false;
    const judged = this.judge(attempt);
    if (judged === undefined || judged.open.length > this.found.open.length) return false;
    if (!this.isHarmless(judged) || this.refusalOf(attempt) !== undefined) return false;
    this.fixes = this.fixes
      .filter((fix) => !needless.has(fix))
      .map((fix) => {
        // A later change of the same place has taken these in.
        const within = dropped.filter((each) => isAtSamePlaces(each, fix));
        const beside = dropped.filter(
          (each) => !within.includes(each) && nameOf(each.trouble) === nameOf(fix.trouble),
        );
        return {
          ...fix,
          title: [fix, ...within].map(({ title }) => title).join(', '),
          solves: [fix, ...beside, ...within].flatMap(({ solves }) => solves),
        };
      });
    this.patched = attempt;
    this.found = judged;
    return true;
  }

  private mayTry(): boolean {
    const isLate = this.options.isOver?.() === true;
    if (isLate || !this.isWithinLimits()) return false;
    this.tries++;
    return true;
  }

  private isWithinLimits(): boolean {
    return this.tries < this.most && this.spent + this.costOfLook < this.values;
  }

  /** The definition with all but some; undefined where one cannot do without another. */
  private replay(without: ReadonlySet<Fix>): JsonObject | undefined {
    const kept = this.fixes.filter((fix) => !without.has(fix));
    return tryPatch(
      this.next,
      kept.flatMap(({ patch }) => patch),
    );
  }

  /** Better on the whole, and no object is worse off. */
  private isBetter(judged: Evaluation | undefined): judged is Evaluation {
    return (
      judged !== undefined && judged.open.length < this.found.open.length && this.isHarmless(judged)
    );
  }

  /** No object is worse off than before, and no harm is only out of sight. */
  private isHarmless({ harmful, unclear }: Evaluation): boolean {
    return harmful.length <= this.found.harmful.length && unclear.size <= this.found.unclear.size;
  }

  private refusalOf(changed: JsonObject): string | undefined {
    this.spent += this.costOfLook;
    return this.options.refusalOf?.(changed);
  }

  private accept(more: readonly Fix[], document: JsonObject, judged: Evaluation): void {
    const still = new Set(judged.harmful.map(differenceOf));
    const ended = this.found.harmful.filter((each) => !still.has(differenceOf(each)));
    const solved = groupBy(ended, (each) => nameOf(troubleOf(each)));
    const solves = ({ trouble }: Fix): string[] =>
      (solved.get(nameOf(trouble)) ?? []).map(differenceOf);
    append(
      this.fixes,
      more.map((fix) => ({ ...fix, solves: solves(fix) })),
    );
    this.patched = document;
    this.found = judged;
  }

  private look(changed: JsonObject): Evaluation {
    const { atRandom = defaultLimits.atRandom } = this.options;
    const values = Math.max(1, Math.min(defaultLimits.values, this.values - this.spent));
    const limits = { ...defaultLimits, atRandom, values };
    const { known } = this;
    const { isOver } = this.options;
    const after = readCustomResourceDefinition(changed);
    const proof = proveUpgrade(this.old, after, { limits, isOver, known });
    this.spent += proof.cost + this.costOfLook;
    return this.lookAt(proof.results, changed);
  }

  private lookAt(results: readonly ProofResult[], changed: JsonObject): Evaluation {
    const harmful = results.filter(({ effect }) => effect === 'breaking' || effect === 'data-loss');
    const unclear = results.filter(({ effect }) => effect === 'undecided');
    return {
      open: this.options.troubles?.(changed) ?? harmful.map(troubleOf),
      harmful,
      unclear: new Set(unclear.map((result) => nameOf(troubleOf(result)))),
    };
  }

  private judge(attempt: JsonObject): Evaluation | undefined {
    try {
      return this.look(attempt);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }
}

function isAtSamePlaces(one: Fix, other: Fix): boolean {
  return one.patch.every(({ path }) => other.patch.some((each) => each.path === path));
}

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

interface Evaluation {
  readonly open: readonly FixTarget[];
  /** Differences that do harm. */
  readonly harmful: readonly ProofResult[];
  /** Which may, by name. */
  readonly unclear: ReadonlySet<string>;
}

function troubleOf({ version, from, path }: ProofResult): FixTarget {
  return { version, path, from };
}

function nameOf({ version, from, path }: FixTarget): string {
  return JSON.stringify([version, from, path]);
}

/** One difference of all at its place: what it is, without what came of it. */
export function differenceOf(difference: ProvenDifference): string {
  const { version, from, path } = difference;
  return JSON.stringify([version, from, path, changeIn(difference)]);
}

const changeIn = ({ reason }: Pick<ProvenDifference, 'reason'>): string =>
  reason.split('; ', 1)[0] ?? '';

function patchAll(
  old: JsonObject,
  next: JsonObject,
  troubles: readonly FixTarget[],
  rank: number,
): { readonly document: JsonObject; readonly fixes: readonly Fix[] } | undefined {
  let document = next;
  const copies = new Set<JsonValue>();
  const fixes: Fix[] = [];
  // A place with several troubles would be changed more than need be.
  for (const trouble of new Map(troubles.map((each) => [nameOf(each), each])).values()) {
    const candidate = [...candidates(old, document, trouble)][rank];
    if (candidate === undefined) continue;
    try {
      document = applyPatch(document, candidate.patch, copies);
    } catch {
      return undefined;
    }
    fixes.push({ ...candidate, trouble, solves: [] });
  }
  return { document, fixes };
}

function tryPatch(document: JsonObject, patch: readonly Operation[]): JsonObject | undefined {
  try {
    return applyPatch(document, patch);
  } catch {
    return undefined;
  }
}
