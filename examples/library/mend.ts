/** The text of a new CustomResourceDefinition, changed so that no object breaks, and why it was changed. */
import { explainRule, fixUpgrade, proveUpgrade } from 'olm-guard';

export function mend(old: object, next: object, text: string): { text: string; why: string[] } {
  const { verdict } = proveUpgrade(old, next);
  const why = verdict?.findings.flatMap(({ rule }) => explainRule(rule)?.why ?? []) ?? [];
  const { edit, error } = fixUpgrade(old, text);
  if (error !== undefined) throw new Error(`${error.where?.path ?? '$'}: ${error.message}`);
  if (edit === undefined) return { text, why };
  const { offset, length } = edit;
  return { text: text.slice(0, offset) + edit.text + text.slice(offset + length), why };
}
