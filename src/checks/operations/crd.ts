/** `crd`: whether a CustomResourceDefinition may be upgraded to another. */
import {
  type CrdifyOptions,
  hintLimits,
  Judge,
  judgeRollback,
  type ProofJudgement,
  proofProfile,
  proofRule,
  type ProofResult,
  referenceProfiles,
  shownResult,
  type UpgradePair,
  withPatches,
} from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import type { Release } from '../../kubernetes/index.js';
import { crdifyOptionsSchema } from '../../policy/index.js';
import { defineOperation, type Judgement } from './operation.js';
import { releaseSchema } from './release-schema.js';

interface CrdInput {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly profile?: string;
  readonly effects?: boolean;
  readonly allowedHarm?: boolean;
  readonly rollback?: boolean;
  readonly fixes?: boolean;
  readonly crdify?: CrdifyOptions;
  readonly release?: Release;
}

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
        enum: [...referenceProfiles, proofProfile],
        default: 'olm-v1',
        description: 'Whose rules decide.',
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
      fixes: {
        type: 'boolean',
        default: true,
        description:
          'Whether changes of the new definition are looked for that end findings; each was judged before it is told as fix, a JSON Patch (RFC 6902).',
      },
      crdify: crdifyOptionsSchema,
      release: releaseSchema,
      rollback: {
        type: 'boolean',
        default: false,
        description:
          'Whether a rollback is judged too: output.rollback says whether the old definition can take the place of the new one again.',
      },
    },
  },
  judge(input, isOver) {
    const { old, new: next, profile = 'olm-v1', crdify, release } = input;
    const { effects = true, allowedHarm = false, rollback = false } = input;
    const enforce = allowedHarm ? 'proven' : 'all';
    const policy = { profile, enforce, crdify, release };
    const judge = Judge.for(policy, effects ? 'report' : 'brief');
    const pair = judge.pair(old, next, { isOver });
    const judgement = judgeCrd(judge, pair, input);
    if (!rollback) return judgement;
    const { finding, ...back } = judgeRollback(pair);
    const output = { ...judgement.output, rollback: back };
    return { ...judgement, findings: [...judgement.findings, finding], output };
  },
});

function judgeCrd(judge: Judge, pair: UpgradePair, { fixes = true }: CrdInput): Judgement<object> {
  const { findings, message, errors, proof, otherResults } = judge.upgrade(pair);
  const { isOver, release } = pair.options;
  const patched = fixes
    ? withPatches(pair, findings, { ...hintLimits, isOver, proof, release })
    : { findings };
  return {
    // A reference decides by what it refuses; harm that it allows, and to others, is only warned of.
    allowed: message === '',
    findings: patched.findings.map((finding) =>
      finding.rule === proofRule && errors !== undefined
        ? { ...finding, severity: 'warning' }
        : finding,
    ),
    output: { message, ...(errors && { errors }), ...(proof && outputOf(proof, otherResults)) },
  };
}

function outputOf(
  { effect, results, failedWitnesses }: ProofJudgement,
  others: readonly ProofResult[],
): object {
  return {
    effect,
    results: [...results, ...others].map(shownResult),
    ...(failedWitnesses === 0 ? {} : { failedWitnesses }),
  };
}
