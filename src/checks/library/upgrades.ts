/**
 * `import { judgeUpgrade } from 'olm-guard'`: upgrades of CustomResourceDefinitions, judged as the gate
 * does. Nothing is read or written, and bad input is an answer, not an exception.
 *
 * Objects are what JSON.parse gives; whole numbers beyond 2^53 have lost digits by then. For these, and
 * for untrusted input, ask the command or the sidecar, which also bound the time an answer takes.
 *
 * @module olm-guard
 */
import { crd } from '../operations/crd.js';
import { answerOf } from './answer-of.js';
import type { Answer } from './answers.js';

export type * from './answers.js';
export { explainRule, type RuleExplanation } from './explain-rule.js';
export {
  fixUpgrade,
  type FixError,
  type PatchOperation,
  type TextEdit,
  type UpgradeFix,
} from './fix-upgrade.js';

/** Which rules decide, and what else the answer says. */
export interface UpgradeOptions {
  /**
   * Whose rules decide, as their reference does; `proof` denies only with an object that breaks.
   * Without it the verdict is the gate's by default: only shown harm is denied.
   */
  readonly profile?: 'olm-v1' | 'crdify' | 'olm-v1.10' | 'proof';
  /** Whether `output.rollback` says if the old definition can be put back. */
  readonly rollback?: boolean;
}

/**
 * Whether one CustomResourceDefinition may take the place of another. Findings say what the change does
 * to objects (`effect`), show one (`witness`) and how to mend it (`fix`).
 */
export function judgeUpgrade(old: object, next: object, options: UpgradeOptions = {}): Answer {
  return answerOf(crd, { old, new: next, ...options });
}

/** Proves the effects of the change on objects, each finding with an object that shows it; rules do not count. */
export function proveUpgrade(old: object, next: object): Answer {
  return judgeUpgrade(old, next, { profile: 'proof' });
}
