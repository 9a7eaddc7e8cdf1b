/** What an update does to one CustomResourceDefinition: to stored objects, to clients, and to OLM v1's own check. */
import type { Finding } from '../../finding.js';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import { judgeUpgrade } from '../upgrade/judge.js';
import { UpgradePair } from '../upgrade/pair.js';
import type { CrdVerdict } from './index.js';

/** Never throws for what a bundle may hold: a definition that cannot be judged is undecided. */
export function crdVerdict(old: JsonObject, next: JsonObject): CrdVerdict {
  try {
    const pair = new UpgradePair(old, next);
    const options = { profile: 'olm-v1', effects: 'none', isHarmAsked: false } as const;
    const { judged } = judgeUpgrade(pair, { ...options, contract: 'plain' });
    const { effect, results } = pair.proof;
    const worst = results.find((result) => result.effect === effect);
    const where = [worst?.version ?? '', worst?.path ?? ''].filter((part) => part !== '').join(' ');
    const findings = judged.map(({ finding }) => finding);
    return {
      effect,
      reason: [where, worst?.reason ?? ''].filter((part) => part !== '').join(': '),
      ...(worst?.witness !== undefined && { witness: worst.witness }),
      refusals: findings.filter(isOfReference).map(({ message }) => message),
      contract: findings.filter((each) => !isOfReference(each) && each.severity !== 'info'),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { effect: 'undecided', reason: `cannot be judged: ${error.describe()}`, refusals: [] };
  }
}

const isOfReference = ({ family }: Finding): boolean => family === 'crd-upgrade-safety';
