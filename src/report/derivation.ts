/** A proof step by step: each difference, what it does, and why. */
import { describeStoredWrites, type StoredWrites } from '../rule/index.js';
import { stringifyJson } from '../text/documents/index.js';
import { visible } from '../text/visible.js';
import { formatCounts } from './counts.js';
import { largest } from '../text/long-lists.js';

export interface DerivationStep extends StoredWrites {
  readonly version: string;
  readonly from?: string;
  readonly path: string;
  readonly effect: string;
  readonly reason: string;
  readonly witness?: unknown;
}

/** One line for each difference; the same input always gives the same lines. */
export function renderDerivation(name: string, steps: readonly DerivationStep[]): string {
  if (steps.length === 0) {
    return `\nproof of ${visible(name)}: the schemas accept the same objects in every version\n`;
  }
  const widest = largest(steps.map(({ effect }) => effect.length));
  const lines = steps.map((step, index) => {
    const { version, from, path, effect, witness } = step;
    const reason = [step.reason, describeStoredWrites(step) ?? []].flat().join('; ');
    const where = [from === undefined ? version : `${from} -> ${version}`, path].join(' ').trim();
    const shown = witness === undefined ? '' : `\n      ${stringifyJson(witness)}`;
    return `  ${index + 1}. ${effect.padEnd(widest)}  ${visible(`${where}: ${reason}`)}${shown}\n`;
  });
  return [
    `\nproof of ${visible(name)}: ${formatCounts({ differences: steps.length })}\n`,
    ...lines,
  ].join('');
}
