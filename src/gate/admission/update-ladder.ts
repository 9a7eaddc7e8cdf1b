/** How an update of a CustomResourceDefinition is judged: by a proof, else by the rules alone, else not at all. */
import {
  asUnprovable,
  fallbackFindings,
  Judge,
  unfinishedProof,
  type UpgradePair,
} from '../../upgrade/index.js';
import {
  type InputErrorCode,
  InvalidInputError,
  type JsonObject,
  metaOf,
  type Place,
} from '../../text/documents/index.js';
import type { Attached } from '../../checks/index.js';
import type { Policy } from '../../policy/index.js';
import type { Finding, Verdict } from '../../rule/index.js';
import { UnfinishedError, type Assessment, type ReviewContext } from './reviewer.js';

export interface DefinitionUpdate {
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** The review that contains both: threads parse its bytes themselves. */
  readonly review?: () => ThreadReview;
}

export type ThreadReview = Required<Pick<Attached, 'unread'>> & Pick<Attached, 'key'>;

export type JudgingContext = Pick<ReviewContext, 'policy' | 'judge'>;

type Comparison = Pick<Assessment, 'findings' | 'previous'>;

/** Comparing this many differences on the event loop takes as long as a few usual reviews. */
const overloadLimits = { maxDifferences: 5000 };

/** Each method is a rung, from the top to the bottom; a rung that is not finished leads to the next. */
export class UpdateLadder {
  readonly #rules: Judge;
  readonly #isQuick: boolean;

  /** @param isSmall whether the event loop may compare the two, where the profile's rules are quick */
  constructor(
    private readonly update: DefinitionUpdate,
    private readonly context: JudgingContext,
    isSmall = false,
  ) {
    this.#rules = Judge.for(context.policy, 'fallback');
    this.#isQuick = isSmall && Judge.for(context.policy, 'rules').isQuick;
  }

  /** @throws InvalidInputError for what cannot be judged, or not within a thread's memory and time */
  async judge(): Promise<Comparison> {
    const { policy } = this.context;
    if (Judge.for(policy).isByProof) return this.#byProof();
    if (policy.enforce === 'all') return this.#byRules();
    return this.#byRulesAndProof();
  }

  /** Under the profile `proof`; a proof that was stopped gives the findings it had. */
  async #byProof(): Promise<Comparison> {
    return {
      findings: await this.inThread('review').then(
        ({ findings }) => findings,
        async (error: unknown) => {
          const { message } = unfinished(error);
          const { findings } = await this.#byRules();
          return [
            unfinishedProof(metaOf(this.update.next).name, message),
            ...fallbackFindings(findings),
          ];
        },
      ),
      // Without findings about the old definition, the ratchet exempts nothing.
      previous: () =>
        this.inThread('review', { ofOld: true }).then(
          ({ findings }) => findings,
          (error: unknown) => (unfinished(error), []),
        ),
    };
  }

  /** The rules decide where the proof of their findings is not ready in time. */
  async #byRulesAndProof(): Promise<Comparison> {
    const known = this.#withoutObjects();
    if (known !== undefined && !isDenying(known)) return known;
    try {
      return await this.inThread('review');
    } catch (error) {
      const late = unfinished(error);
      const compared = known ?? (await this.#byRules(late));
      return isDenying(compared)
        ? { ...compared, findings: compared.findings.map(asUnprovable) }
        : compared;
    }
  }

  /** The verdict on an update that reads and writes objects as before: it needs no proof unless the rules deny it. */
  #withoutObjects(): Comparison | undefined {
    if (!this.#isQuick) return undefined;
    const pair = this.#rules.pair(this.update.old, this.update.next);
    return pair.hasSameObjectSemantics ? comparisonBy(this.#rules, pair) : undefined;
  }

  /** At once what is quick, else in a thread. @param late why there is no proof, if one was asked for */
  async #byRules(late?: UnfinishedError): Promise<Comparison> {
    if (this.#isQuick) return this.#here(this.#rules);
    if (late?.notBegun !== undefined) return this.#inPlaceOfThread(late);
    return this.inThread('fallback').catch((error: unknown) =>
      this.#inPlaceOfThread(unfinished(error)),
    );
  }

  /** Rules without a proof are cheap enough for the event loop when no thread is free. */
  #inPlaceOfThread(late: UnfinishedError): Comparison {
    if (late.notBegun === undefined) throw tooMuch(late);
    return this.#here(Judge.for(this.context.policy, 'hurried'), overloadLimits);
  }

  #here(judge: Judge, limits?: typeof overloadLimits): Comparison {
    return comparisonBy(judge, judge.pair(this.update.old, this.update.next, limits));
  }

  /** @throws UnfinishedError, InvalidInputError when the definitions cannot be judged */
  async inThread(
    at: 'review' | 'fallback',
    how: { readonly ofOld?: true } = {},
  ): Promise<Comparison> {
    const task = 'definition-update';
    const answer = await runDefinitionTask(task, this.update, this.context, { ...how, at });
    const { verdict, output, error } = answer;
    if (verdict !== undefined) {
      return { findings: verdict.findings, previous: () => output?.previous ?? [] };
    }
    const { code = 'E_INPUT', message = 'no verdict', where } = error ?? {};
    throw new InvalidInputError(code, message, where);
  }
}

function comparisonBy(judge: Judge, pair: UpgradePair): Comparison {
  const { findings, previous } = judge.upgrade(pair);
  return { findings, previous };
}

export function isDenying({ findings }: Comparison): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

/** @throws every other error */
function unfinished(error: unknown): UnfinishedError {
  if (error instanceof UnfinishedError) return error;
  throw error;
}

/** Large definitions take long to compare, so the error is about the object and not about the gate. */
function tooMuch({ message }: UnfinishedError): InvalidInputError {
  return new InvalidInputError('E_LIMIT', `cannot be judged: ${message}`, {
    path: 'request.object',
  });
}

interface DefinitionAnswer {
  readonly verdict?: Verdict;
  readonly output?: { readonly previous: readonly Finding[] };
  readonly error?: {
    readonly code: InputErrorCode;
    readonly message: string;
    readonly where?: Place;
  };
}

export async function runDefinitionTask(
  task: string,
  { old, next, review }: DefinitionUpdate,
  { policy, judge }: JudgingContext,
  how: JsonObject = {},
): Promise<DefinitionAnswer> {
  const input = { ...how, policy: judgingPolicy(policy) };
  return review === undefined
    ? judge(task, { ...input, old, new: next })
    : judge(task, input, review());
}

/** The part of the policy that a thread needs, and nothing else: its answer is cached by it. */
function judgingPolicy({ profile, enforce, crdify, kubernetes }: Policy): JsonObject {
  return {
    profile,
    enforce,
    ...(crdify && { crdify: { ...crdify } }),
    ...(kubernetes === undefined ? {} : { kubernetes }),
  };
}
