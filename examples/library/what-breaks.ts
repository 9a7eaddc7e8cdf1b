/** What a change of a CustomResourceDefinition breaks, each with an object that shows it. */
import { judgeUpgrade, type Finding } from 'olm-guard';

export function whatBreaks(old: object, next: object): readonly Finding[] {
  const { verdict, error } = judgeUpgrade(old, next, { profile: 'proof' });
  if (error !== undefined) throw new Error(`${error.where?.path ?? '$'}: ${error.message}`);
  return verdict.findings.filter(({ severity }) => severity === 'error');
}
