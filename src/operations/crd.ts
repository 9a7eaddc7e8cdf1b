/** `crd`: whether a CustomResourceDefinition may be upgraded to another. */
import {
  asRefusedByKubernetes,
  judgeUpgrade,
  proofMessage,
  proofProfile,
  referenceProfiles,
  type ReferenceProfile,
} from '../rules/crd/index.js';
import { allowedHarm as harmOf, inPlaceOfProof, proveFindings } from '../rules/crd/effects.js';
import {
  defaultLimits,
  proveUpgrade,
  type ProofJudgement,
  type ProofResult,
} from '../proof/index.js';
import { judgeContract, type ContractJudgement } from '../rules/contract/judge.js';
import { judgeContractWithRequests } from '../rules/contract/with-requests.js';
import { kubernetesRefusals } from '../rules/crd/kubernetes-refusals.js';
import { InvalidInputError, type JsonObject } from '../text/documents/index.js';
import { judgeRollback } from '../rules/contract/rollback.js';
import { defineOperation, type IsOver, type Judgement } from './operation.js';

interface CrdInput {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly profile?: string;
  readonly effects?: boolean;
  readonly allowedHarm?: boolean;
  readonly rollback?: boolean;
}

const isReferenceProfile = (profile: string): profile is ReferenceProfile =>
  (referenceProfiles as readonly string[]).includes(profile);

export const crd = defineOperation<CrdInput>({
  name: 'crd',
  summary: 'Judges the upgrade from one CustomResourceDefinition to another.',
  input: {
    type: 'object',
    required: ['old', 'new'],
    additionalProperties: false,
    properties: {
      old: { type: 'object', description: 'The CustomResourceDefinition as the cluster has it.' },
      new: { type: 'object', description: 'The CustomResourceDefinition that replaces it.' },
      profile: {
        type: 'string',
        default: 'olm-v1',
        description: `Whose rules decide: ${[...referenceProfiles, proofProfile].join(', ')}.`,
      },
      effects: {
        type: 'boolean',
        default: true,
        description:
          'Whether each finding of a profile other than proof says what it really does to objects: effect, and a witness.',
      },
      allowedHarm: {
        type: 'boolean',
        default: false,
        description:
          'Whether what a profile other than proof allows although it is proven to break or lose objects is told too, as warnings of the rule Proof.',
      },
      rollback: {
        type: 'boolean',
        default: false,
        description:
          'Whether the way back is judged too: output.rollback says whether the old definition can take the place of the new one again.',
      },
    },
  },
  judge({ rollback = false, ...input }, isOver) {
    const judgement = judgeCrd(input, isOver);
    if (!rollback) return judgement;
    const { finding, ...back } = judgeRollback(input.old, input.new, isOver);
    const output = { ...judgement.output, rollback: back };
    return { ...judgement, findings: [...judgement.findings, finding], output };
  },
});

/**
 * @param isReview whether an admission review asks: the new definition comes from an API server, which
 *   has compiled its rules, and nobody sees requests or objects that show what the contract says
 */
export function judgeCrd(
  {
    old,
    new: next,
    profile = 'olm-v1',
    effects = true,
    allowedHarm = false,
  }: Omit<CrdInput, 'rollback'>,
  isOver?: IsOver,
  isReview = false,
): Judgement<object> {
  const contractOf = (): ContractJudgement =>
    isReview ? judgeContract(old, next) : judgeContractWithRequests(old, next, isOver);
  if (profile === proofProfile) {
    const proof = proveUpgrade(old, next, defaultLimits, isOver, isReview);
    const instead = inPlaceOfProof(proof, old, next);
    const { findings: contract, results } = contractOf();
    const refused = kubernetesRefusals(old, next);
    const told = new Set(instead.map(({ rule }) => rule));
    const findings = [
      ...refused.findings.filter(({ rule }) => !told.has(rule)),
      ...proof.findings,
      ...instead,
      ...contract.map(asRefusedByKubernetes),
    ];
    const denied = findings.filter(({ severity }) => severity === 'error');
    const message = proofMessage(denied[0]?.object?.name ?? '', denied);
    const allowed = denied.length === 0;
    const more = [...refused.results, ...results];
    return { allowed, findings, output: { message, ...outputOf(proof, more) } };
  }
  if (!isReferenceProfile(profile)) {
    throw new InvalidInputError(
      'E_INPUT',
      `there is no profile "${profile}"; use one of ${[...referenceProfiles, proofProfile].join(', ')}`,
      { path: '$.profile' },
    );
  }
  const judgement = judgeUpgrade(old, next, profile);
  const { allowed, errors, message } = judgement;
  const contract = contractOf();
  if (!allowedHarm && (!effects || judgement.findings.length === 0)) {
    const findings = [...judgement.findings, ...contract.findings];
    return { allowed, findings, output: { message, errors } };
  }
  const { proven, proof } = proveFindings(judgement, old, next, isOver, isReview);
  const harm = allowedHarm ? harmOf(next, profile, proven) : [];
  const findings = [...proven.judged, ...harm, ...contract.judged].map(({ finding }) => finding);
  const output = { message, errors, ...outputOf(proof, contract.results) };
  return { allowed, findings, output };
}

function outputOf(proof: ProofJudgement | undefined, more: readonly ProofResult[]): object {
  if (proof === undefined) return {};
  const { effect, failedWitnesses } = proof;
  // The findings carry what follows from it.
  const results = [...proof.results, ...more].map(({ isUntried: _, ...result }) => result);
  return { effect, results, ...(failedWitnesses === 0 ? {} : { failedWitnesses }) };
}
