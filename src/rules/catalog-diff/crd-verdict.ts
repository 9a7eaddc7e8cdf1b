/** What an update does to one CustomResourceDefinition: to stored objects, to clients, and to OLM v1's own check. */
import { proveUpgrade } from '../../proof/index.js';
import { judgeContract } from '../contract/judge.js';
import { judgeUpgrade } from '../crd/index.js';
import { InvalidInputError, type JsonObject } from '../../text/documents/index.js';
import type { CrdVerdict } from './index.js';

/** Never throws for what a bundle may hold: a definition that cannot be judged is undecided. */
export function crdVerdict(old: JsonObject, next: JsonObject): CrdVerdict {
  try {
    const refusals = judgeUpgrade(old, next, 'olm-v1').findings.map(({ message }) => message);
    const { effect, results } = proveUpgrade(old, next);
    const worst = results.find((result) => result.effect === effect);
    const where = [worst?.version ?? '', worst?.path ?? ''].filter((part) => part !== '').join(' ');
    return {
      effect,
      reason: [where, worst?.reason ?? ''].filter((part) => part !== '').join(': '),
      ...(worst?.witness !== undefined && { witness: worst.witness }),
      refusals,
      contract: judgeContract(old, next).findings.filter(({ severity }) => severity !== 'info'),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { effect: 'undecided', reason: `cannot be judged: ${error.describe()}`, refusals: [] };
  }
}
