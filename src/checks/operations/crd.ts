import {
  type CrdifyOptions,
  hintLimits,
  Judge,
  type JudgePolicy,
  judgeRollback,
  type ProofJudgement,
  proofProfile,
  proofRule,
  type ProofResult,
  referenceProfiles,
  shownResult,
  type UpgradePair,
  upgradeRuleNamed,
  withPatches,
} from '../../upgrade/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import type { Release } from '../../kubernetes/index.js';
import {
  checkOffline,
  crdifyOptionsSchema,
  defaultPolicy,
  groupsOf,
  type Policy,
} from '../../policy/index.js';
import { releaseSchema, requiring } from './schemas.js';
import { defineOperation } from './operation.js';
import type { Finding, Verdict } from '../../rule/index.js';

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
  input: requiring(['old', 'new'], {
    old: { type: 'object', description: 'The CustomResourceDefinition as the cluster has it.' },
    new: { type: 'object', description: 'The CustomResourceDefinition that replaces it.' },
    profile: {
      enum: [...referenceProfiles, proofProfile],
      description:
        'Whose rules decide, as their reference does. Without it the policy in force decides as at the gate, by default about the rules of olm-v1: only shown harm is denied.',
    },
    effects: {
      type: 'boolean',
      default: true,
      description:
        'For a named profile other than proof: whether each finding says by its effect what happens to objects, with a witness.',
    },
    allowedHarm: {
      type: 'boolean',
      default: false,
      description:
        'For a named profile other than proof: whether harm to objects that is proven and that the profile allows is reported too, as warnings of the rule Proof.',
    },
    fixes: {
      type: 'boolean',
      default: true,
      description:
        'Whether to search for changes of the new definition that end findings. Each is judged before it is reported as fix, a JSON Patch (RFC 6902).',
    },
    crdify: crdifyOptionsSchema,
    release: releaseSchema,
    rollback: {
      type: 'boolean',
      default: false,
      description:
        'Whether to judge a rollback too: output.rollback says whether the old definition can replace the new one again.',
    },
  }),
  judge(input, { isOver, policy }) {
    const { old, new: next, effects = true, rollback = false } = input;
    const asked = policyOf(input, policy);
    const judge = Judge.for(asked, effects ? 'report' : 'brief');
    const pair = judge.pair(old, next, { isOver });
    const upgrade = judgeCrd(judge, pair, asked, input);
    const back = rollback ? judgeRollback(pair) : undefined;
    const { finding, ...rolledBack } = back ?? {};
    const found = {
      findings: finding === undefined ? upgrade.findings : [...upgrade.findings, finding],
      previous: upgrade.previous,
    };
    const { message } = upgrade.output;
    const verdict =
      asked.deciding === undefined
        ? // A reference decides by what it refuses; harm that it allows, and to others, is only warned of.
          {
            allowed: message === '',
            findings: found.findings.map((each) =>
              each.rule === proofRule && upgrade.output.errors !== undefined
                ? { ...each, severity: 'warning' as const }
                : each,
            ),
          }
        : decideUpgrade(old, next, found, asked.deciding);
    return { ...verdict, output: { ...upgrade.output, ...(back && { rollback: rolledBack }) } };
  },
});

/** A profile that the request names decides by itself, as its reference does. */
function policyOf(
  { profile, crdify, release, allowedHarm = false }: CrdInput,
  policy: Policy = defaultPolicy,
): JudgePolicy & { readonly deciding?: Policy } {
  if (profile !== undefined) {
    return { profile, crdify, release, enforce: allowedHarm ? 'proven' : 'all' };
  }
  return {
    profile: policy.profile,
    enforce: policy.enforce,
    crdify: crdify ?? policy.crdify,
    kubernetes: policy.kubernetes,
    release,
    deciding: policy,
  };
}

interface FoundChanges {
  readonly findings: readonly Finding[];
  /** The findings that the old definition has by itself. */
  readonly previous: () => readonly Finding[];
}

function judgeCrd(
  judge: Judge,
  pair: UpgradePair,
  policy: JudgePolicy,
  { fixes = true }: CrdInput,
) {
  const { findings, message, errors, proof, otherResults, previous } = judge.upgrade(pair);
  const { isOver, release } = pair.options;
  const patched = fixes
    ? withPatches(pair, findings, { ...hintLimits, isOver, proof, release, policy })
    : { findings };
  return {
    findings: patched.findings,
    previous,
    output: { message, ...(errors && { errors }), ...(proof && outputOf(proof, otherResults)) },
  } satisfies FoundChanges & { readonly output: object };
}

function decideUpgrade(
  oldObject: JsonObject,
  object: JsonObject,
  found: FoundChanges,
  policy: Policy,
): Verdict {
  const subject = { name: metaOf(object).name, groups: groupsOf(object) };
  const question = { ...found, subject, request: { oldObject, object } };
  return checkOffline(question, policy, upgradeRuleNamed);
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
