/** Tasks that only reviews give to worker threads: the judgements of public operations, on parts of a review. */
import { manifestFrom } from '../../olm/index.js';
import {
  type WantedInBundle,
  type ConversionAnswer as Answered,
  type ConversionRequest,
  convertedSides,
  judgeAnswer,
} from '../../cluster/index.js';
import {
  answer,
  findOperation,
  type Answer,
  withAttached,
  type Attached,
  defineOperation,
  type IsOver,
  type JudgeOptions,
  type Operation,
} from '../../checks/index.js';
import {
  type Fault,
  hintLimits,
  Judge,
  judgeConsumers,
  judgeRollback,
  type JudgePolicy,
  keyOf,
  proofRule,
  prunedFindings,
  readCustomResourceDefinition,
  readRequirement,
  sampleFew,
  type UpgradePair,
  withPatches,
} from '../../upgrade/index.js';
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { boundFindings, maxFindings } from './bound-findings.js';

const anything = { type: 'object' };

interface DefinitionUpdate {
  readonly policy: JudgePolicy;
  readonly at: 'review' | 'fallback';
  readonly ofOld?: boolean;
  readonly old?: JsonObject;
  readonly new?: JsonObject;
  /** The review that contains both, in place of `old` and `new`. */
  readonly review?: JsonObject;
}

type UpdateInput = Pick<DefinitionUpdate, 'old' | 'new' | 'review'>;

function sidesOf({ review, ...given }: UpdateInput): { old: JsonObject; next: JsonObject } {
  const request = (review ? own(review, 'request') : undefined) as AdmissionRequest | undefined;
  const side = (whole: JsonObject | null | undefined): JsonObject => withoutManagers(whole ?? {});
  return {
    old: given.old ?? side(request?.oldObject),
    next: given.new ?? side(request?.object),
  };
}

/** An answer is kept for reviews that differ only in managedFields, so it must not depend on them. */
function withoutManagers(definition: JsonObject): JsonObject {
  const metadata = own(definition, 'metadata');
  if (!isObject(metadata) || own(metadata, 'managedFields') === undefined) return definition;
  const rest = Object.entries(metadata).filter(([key]) => key !== 'managedFields');
  return { ...definition, metadata: Object.fromEntries(rest) };
}

/** The update that was judged last, until the garbage collector takes it. */
let last: WeakRef<JudgedUpdate> | undefined;

interface JudgedUpdate {
  readonly review: JsonObject;
  readonly options: string;
  readonly pair: UpgradePair;
}

/** Says when the current task must stop; a pair that several tasks share asks this, not its first task. */
let isTaskOver: IsOver | undefined;

/** The search for patches of a denial does not repeat the proof of the task before. */
function judgePair<Answer>(
  input: UpdateInput,
  policy: JudgePolicy,
  isOver: IsOver | undefined,
  judge: (pair: UpgradePair) => Answer,
): Answer {
  const { review } = input;
  const options = JSON.stringify(policy);
  const known = last?.deref();
  last = undefined;
  isTaskOver = isOver;
  const isSame = review !== undefined && known?.review === review && known.options === options;
  const pair = isSame ? known.pair : readPair(input, policy);
  const answer = judge(pair);
  // A proof that was stopped is not reused.
  if (review !== undefined && isOver?.() !== true) {
    last = new WeakRef({ review, options, pair });
  }
  return answer;
}

function readPair(input: UpdateInput, policy: JudgePolicy): UpgradePair {
  const { old, next } = sidesOf(input);
  const isOver = (): boolean => isTaskOver?.() === true;
  return Judge.for(policy).pair(old, next, { isOver, isTaken: true });
}

/**
 * Findings of the profile's rules. In a `review`, those that deny say what they do to objects, and
 * findings of the proof are added for harm that the rules allow.
 *
 * Output: `previous`, the findings that the old definition has by itself.
 */
const definitionUpdate = defineOperation<DefinitionUpdate>({
  name: 'definition-update',
  summary: 'Judges an update of a CustomResourceDefinition as a review holds it.',
  input: anything,
  judge({ policy, at, ofOld = false, ...input }, { isOver }) {
    return judgePair(input, policy, isOver, (pair) => {
      const judge = Judge.for(policy, at);
      const { findings, plain, message, proof, previous } = judge.upgrade(
        ofOld ? pair.ofOld : pair,
      );
      const all = boundFindings(findings);
      const isDenied = plain.some(({ severity }) => severity === 'error');
      const harm = all.filter(({ rule }) => rule === proofRule);
      // A proof of the old definition by itself is a task of its own (`ofOld`), given where it is needed.
      const found = judge.isByProof ? [] : previous();
      return {
        allowed: message === '',
        findings: findings === plain || isDenied ? all : [...boundFindings(plain), ...harm],
        output: {
          previous: found.slice(0, maxFindings),
          failedWitnesses: proof?.failedWitnesses ?? 0,
        },
      };
    });
  },
});

/** A denial waits for its patches, so only a few are tried, and only on small definitions. */
const spareLimits = { ...hintLimits, most: 12, values: 15_000 };

const definitionPatches = defineOperation<Omit<DefinitionUpdate, 'at' | 'ofOld'>>({
  name: 'definition-patches',
  summary: 'Looks for changes that end findings about an update of a CustomResourceDefinition.',
  input: anything,
  judge({ policy, ...input }, { isOver }) {
    return judgePair(input, policy, isOver, (pair) => {
      const { findings: all, proof } = Judge.for(policy, 'fixes').upgrade(pair);
      const { release } = pair.options;
      const limits = { ...spareLimits, isOver, proof, release, policy };
      const findings = withPatches(pair, all, limits).findings;
      // A search that was stopped gives no patches: what it found depends on the time, and equal updates
      // must get equal answers.
      const patched = isOver?.() === true ? [] : findings.filter(({ fix }) => Array.isArray(fix));
      return { allowed: true, findings: patched.slice(0, maxFindings), output: {} };
    });
  },
});

/** In values of a proof; there are two, beside that of the update itself. */
const valuesOfRollback = 200_000;

const definitionRollback = defineOperation<UpdateInput & Pick<DefinitionUpdate, 'policy'>>({
  name: 'definition-rollback',
  summary: 'Judges the rollback of an update of a CustomResourceDefinition.',
  input: anything,
  judge({ policy, ...input }, { isOver }) {
    const { old, next } = sidesOf(input);
    const limits = { isOver, values: valuesOfRollback };
    const { finding } = judgeRollback(Judge.for(policy).pair(old, next, limits));
    return { allowed: true, findings: [finding], output: {} };
  },
});

interface RequirementInput extends UpdateInput {
  readonly requirement: JsonObject;
  readonly consumer: string;
}

const requirementMet = defineOperation<RequirementInput>({
  name: 'compatibility-requirement',
  summary: 'Holds a CustomResourceDefinition against a CompatibilityRequirement of OpenShift.',
  input: anything,
  judge({ requirement: object, consumer: name, ...input }) {
    const next = readCustomResourceDefinition(sidesOf(input).next);
    const requirement = readRequirement(object, next.name);
    const consumers = requirement === undefined ? [] : [{ name, needs: [], requirement }];
    const found = judgeConsumers(undefined, next, consumers);
    return { allowed: true, findings: boundFindings(found), output: {} };
  },
});

interface ConversionAnswers extends UpdateInput {
  readonly answers: readonly (Omit<ConversionRequest, 'validator'> & {
    readonly answer: Answered;
  })[];
}

const conversionPruned = defineOperation<UpdateInput>({
  name: 'conversion-pruned',
  summary: 'Judges what conversion None prunes between the versions of a CustomResourceDefinition.',
  input: anything,
  judge(input) {
    const { old, next } = sidesOf(input);
    const isNew = Object.keys(old).length === 0;
    const findings = prunedFindings(isNew ? undefined : old, next);
    return { allowed: true, findings: boundFindings(findings), output: {} };
  },
});

/** Output: for each version that is converted, objects to try the conversion with. */
const conversionObjects = defineOperation<UpdateInput>({
  name: 'conversion-objects',
  summary: 'Makes objects of each version of a CustomResourceDefinition that is converted.',
  input: anything,
  judge(input) {
    const sides = convertedSides(sidesOf(input).next);
    const made = sides.map(({ version, validator }) => [version, sampleFew(validator)] as const);
    return { allowed: true, findings: [], output: Object.fromEntries(made) };
  },
});

/** Output: `faults`, as in upgrade/conversion. */
const conversionAnswers = defineOperation<ConversionAnswers>({
  name: 'conversion-answers',
  summary: 'Judges the answers of a conversion webhook.',
  input: anything,
  judge({ answers, ...input }) {
    const validators = new Map(
      convertedSides(sidesOf(input).next).map(({ version, validator }) => [version, validator]),
    );
    const faults = answers.flatMap(({ answer, ...asked }) => {
      const validator = validators.get(asked.to);
      return validator === undefined ? [] : judgeAnswer(answer, { ...asked, validator }).faults;
    });
    const distinct = new Map(faults.map((fault) => [keyOf(fault), withoutContent(fault)]));
    return { allowed: true, findings: [], output: { faults: [...distinct.values()] } };
  },
});

/** Leaves out every text that the converter chose. */
function withoutContent({ clause, from, to, path }: Fault): Fault {
  const isOurs = clause === 'changed-identity' && path !== undefined;
  return { clause, from, to, count: 1, ...(isOurs ? { path } : {}) };
}

/** Output: `FoundManifest`. */
const bundleManifest = defineOperation<WantedInBundle & { readonly configMap: JsonObject }>({
  name: 'bundle-manifest',
  summary: 'Looks for a manifest in the ConfigMap into which OLM unpacked a bundle.',
  input: anything,
  judge({ configMap, bundle, wanted }) {
    return { allowed: true, findings: [], output: manifestFrom(configMap, bundle, wanted) };
  },
});

const judgements = new Map<string, Operation>(
  [
    definitionUpdate,
    definitionPatches,
    definitionRollback,
    requirementMet,
    conversionPruned,
    conversionObjects,
    conversionAnswers,
    bundleManifest,
  ].map((operation) => [operation.name, operation]),
);

/** Runs one of the tasks above, or a public operation, for a `HeavyJudge`. @throws InvalidInputError */
export function runWorkerTask(
  name: string,
  input: JsonObject,
  attached: Attached = {},
  options?: JudgeOptions,
): Answer {
  const find = (wanted: string): Operation => judgements.get(wanted) ?? findOperation(wanted);
  return answer(name, withAttached(input, attached), options, find);
}
