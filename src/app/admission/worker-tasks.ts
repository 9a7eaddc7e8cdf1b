/** What reviews ask of threads beside the public operations: the same judgements, over parts of a review. */
import { manifestFrom } from '../../olm/index.js';
import type { WantedInBundle } from '../facts/olm-state/review-view.js';
import { answer, findOperation } from '../operations/answer.js';
import type { Answer } from '../operations/answer-operation.js';
import { withAttached, type Attached } from '../operations/attached.js';
import { defineOperation, type IsOver, type Operation } from '../operations/operation.js';
import {
  type Answer as Answered,
  type ConversionRequest,
  convertedSides,
  type CrdifyOptions,
  type Fault,
  findingsOf,
  hintLimits,
  judgeAnswer,
  judgeConsumers,
  judgeRollback,
  judgeUpgrade,
  keyOf,
  proofProfile,
  prunedFindings,
  readCustomResourceDefinition,
  readRequirement,
  sampleFew,
  UpgradePair,
  withPatches,
} from '../../upgrade/index.js';
import { own, type JsonObject } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { boundFindings, maxFindings } from './bound-findings.js';

const anything = { type: 'object' };

interface DefinitionUpdate {
  readonly profile: string;
  readonly effects: boolean;
  readonly crdify?: CrdifyOptions;
  /** Whether the old definition is compared with itself. */
  readonly ofOld?: boolean;
  readonly old?: JsonObject;
  readonly new?: JsonObject;
  /** In place of both: the review that holds them. */
  readonly review?: JsonObject;
}

/** Output: `previous`, what the old definition has of the findings by itself. */
const definitionUpdate = defineOperation<DefinitionUpdate>({
  name: 'definition-update',
  summary: 'Judges an update of a CustomResourceDefinition as a review holds it.',
  input: anything,
  judge({ profile, effects, crdify, ofOld = false, ...sides }, isOver) {
    const { old, next } = sidesOf(sides);
    const pair = UpgradePair.read(old, ofOld ? old : next, { isOver, isTaken: true, crdify });
    const { judged, message, proof, previous } = judgeUpgrade(pair, {
      profile,
      effects: effects ? 'refused' : 'none',
      isHarmAsked: effects,
      // Nobody sees requests or objects that show what the contract says.
      contract: 'plain',
    });
    // A proof of the old definition by itself is asked for apart, where it is needed.
    const found = profile === proofProfile ? [] : previous();
    return {
      allowed: message === '',
      findings: boundFindings(findingsOf(judged)),
      output: {
        previous: found.slice(0, maxFindings),
        failedWitnesses: proof?.failedWitnesses ?? 0,
      },
    };
  },
});

/** Nobody waits long: fewer are tried than where a command asks. */
const spareLimits = { ...hintLimits, most: 12, values: 50_000 };

const definitionPatches = defineOperation<Omit<DefinitionUpdate, 'effects' | 'ofOld'>>({
  name: 'definition-patches',
  summary: 'Looks for changes that end findings about an update of a CustomResourceDefinition.',
  input: anything,
  judge({ profile, crdify, ...sides }, isOver) {
    const { old, next } = sidesOf(sides);
    const pair = UpgradePair.read(old, next, { isOver, isTaken: true, crdify });
    const how = { effects: 'refused', isHarmAsked: true, contract: 'none' } as const;
    const { judged, proof } = judgeUpgrade(pair, { profile, ...how });
    const limits = { ...spareLimits, isOver, proof };
    const findings = findingsOf(withPatches(pair, judged, limits).judged);
    // What a search has that was stopped depends on the time: equal updates get equal patches, or none.
    const patched = isOver?.() === true ? [] : findings.filter(({ fix }) => Array.isArray(fix));
    return { allowed: true, findings: patched.slice(0, maxFindings), output: {} };
  },
});

/** The two definitions, or the review that holds them. */
type UpdateInput = Pick<DefinitionUpdate, 'old' | 'new' | 'review'>;

function sidesOf({ review, ...given }: UpdateInput): { old: JsonObject; next: JsonObject } {
  const request = (review ? own(review, 'request') : undefined) as AdmissionRequest | undefined;
  return { old: given.old ?? request?.oldObject ?? {}, next: given.new ?? request?.object ?? {} };
}

const definitionRollback = defineOperation<UpdateInput>({
  name: 'definition-rollback',
  summary: 'Judges the rollback of an update of a CustomResourceDefinition.',
  input: anything,
  judge(input, isOver) {
    const { old, next } = sidesOf(input);
    const { finding } = judgeRollback(UpgradePair.read(old, next, { isOver }));
    return { allowed: true, findings: [finding], output: {} };
  },
});

interface RequirementInput extends UpdateInput {
  readonly requirement: JsonObject;
  /** As findings may name it. */
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
    const found = judgeConsumers(undefined, next, consumers).map(({ finding }) => finding);
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

/** Output: by version that is converted, objects to try a conversion with. */
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

/** Output: `faults`, as the room `conversion` has them. */
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

/** What the converter said stays here. */
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

/** Answers what a `HeavyJudge` is asked: one of these, or an operation. @throws InvalidInputError */
export function runWorkerTask(
  name: string,
  input: JsonObject,
  attached: Attached = {},
  isOver?: IsOver,
): Answer {
  const find = (wanted: string): Operation => judgements.get(wanted) ?? findOperation(wanted);
  return answer(name, withAttached(input, attached), isOver, find);
}
