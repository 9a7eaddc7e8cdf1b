import {
  isRefusedByServer,
  Judge,
  type JudgePolicy,
  readCustomResourceDefinition,
  proofRule,
  worstResult,
  writesOf,
} from '../../../upgrade/index.js';
import { InvalidInputError, type JsonObject } from '../../../text/documents/index.js';
import type { CrdVerdict } from './crd-edges.js';

const references: Readonly<Record<string, string>> = { crdify: 'crdify', proof: 'Kubernetes' };

/** Never throws for what a bundle may hold: a definition that cannot be judged is undecided. */
export function crdVerdict(
  old: JsonObject,
  next: JsonObject,
  policy: JudgePolicy = { profile: 'olm-v1' },
): CrdVerdict {
  const refusedBy = references[policy.profile] ?? 'OLM v1';
  try {
    const judge = Judge.for(policy, 'rules');
    const pair = judge.pair(
      readCustomResourceDefinition(old, { path: '$.old' }).asInstalled(),
      next,
    );
    const { findings } = judge.upgrade(pair);
    // A mild kind of harm neither hides graver harm nor counts as such.
    const worst = worstResult(pair.proof.results);
    const where = [worst?.version ?? '', worst?.path ?? ''].filter((part) => part !== '').join(' ');
    const bySafety = findings.filter(({ family }) => family === 'crd-upgrade-safety');
    const refusals = bySafety.filter(({ rule }) => rule !== proofRule);
    const [first] = refusals.filter(({ rule }) => isRefusedByServer(rule));
    return {
      effect: worst?.effect ?? 'safe',
      harm: worst?.harm,
      reason: [where, worst?.reason ?? ''].filter((part) => part !== '').join(': '),
      ...(worst?.witness !== undefined && { witness: worst.witness }),
      ...(worst && writesOf(worst)),
      refusedBy,
      refusals: refusals.map(({ message }) => message),
      isRefusedByServer: first !== undefined,
      contract: findings.filter(
        ({ family, severity }) => family !== 'crd-upgrade-safety' && severity !== 'info',
      ),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const reason = `cannot be judged: ${error.describe()}`;
    return { effect: 'undecided', reason, refusals: [] };
  }
}
