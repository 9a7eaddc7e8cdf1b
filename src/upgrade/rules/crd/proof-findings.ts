import { stringifyJson } from '../../../text/documents/index.js';
import {
  describeStoredWrites,
  type Effect,
  type Finding,
  referenceToDefinition,
  type StoredWrites,
} from '../../../rule/index.js';
import type { ProofResult } from '../../proof/result.js';
import { quote } from '../../../text/go/index.js';
import { proof } from './comparisons.js';

export const proofProfile = 'proof';
export const proofRule = proof.id;

export function isWorthSaying({ effect }: ProofResult): boolean {
  return effect !== 'safe';
}

export function proofFindings(name: string, results: readonly ProofResult[]): Finding[] {
  return results.filter(isWorthSaying).map((result) => findingOf(name, result));
}

export function findingOf(name: string, result: ProofResult, note = ''): Finding {
  const { version, path, effect, audience, reason, witness } = result;
  const denies = effect === 'breaking' || effect === 'data-loss';
  return proof.finding({
    id: effect === 'data-loss' ? 'dataLoss' : effect,
    data: { where: whereOf(result), reason, note },
    severity: denies ? 'error' : effect === 'undecided' ? 'warning' : 'info',
    effect,
    audience,
    witness,
    object: referenceToDefinition(name),
    ...(version === '' ? {} : { version }),
    ...(path === '' ? {} : { path }),
    ...(result.harm === undefined ? {} : { harm: result.harm }),
    cause: `${proofRule} ${version} ${path} ${reason}`,
    ...writesOf(result),
  });
}

export function writesOf({ stored, storedFrom }: StoredWrites): StoredWrites {
  return { stored, storedFrom };
}

export function unfinishedProof(name: string, reason: string): Finding {
  const nowhere = { version: '', path: '' } as const;
  return findingOf(name, { ...nowhere, effect: 'undecided', audience: 'objects', reason });
}

export const effectWords: Readonly<Record<Effect, string>> = {
  breaking: 'breaks objects',
  'data-loss': 'loses data',
  undecided: 'undecided',
  behavior: 'changes behavior',
  safe: 'breaks no object',
};

/** `version "v1", field "^.spec.size": `; empty where it is about the whole definition. */
function whereOf({ version, from, path }: ProofResult): string {
  const where: string[] = [];
  if (version !== '') where.push(`version ${quote(version)}`);
  if (from !== undefined) where.push(`objects stored as ${quote(from)}`);
  if (path !== '') where.push(`field ${quote(path)}`);
  return where.length === 0 ? '' : `${where.join(', ')}: `;
}

const longestWitness = 600;

function withExample(sentence: string, { witness }: Pick<Finding, 'witness'>): string {
  const shown = witness === undefined ? '' : stringifyJson(witness);
  const isShort = shown !== '' && shown.length <= longestWitness;
  return isShort ? `${sentence}; for example ${shown}` : sentence;
}

/** `breaks objects: the maximum is new: 3; for example {"apiVersion":…}`; undefined where nothing was proven. */
export function provenHarm(finding: Finding): string | undefined {
  const { effect, proof } = finding;
  if (effect === undefined || proof === undefined) return undefined;
  return withExample(`${effectWords[effect]}: ${proof}`, finding);
}

/** In the words that OLM wraps around its validators. Witnesses are made up: they show no stored value. */
export function proofMessage(name: string, denied: readonly Finding[]): string {
  if (denied.length === 0) return '';
  const lines = denied.map((finding) => {
    const message = [finding.message, describeStoredWrites(finding) ?? []].flat().join('; ');
    return withExample(message, finding);
  });
  return `validating upgrade for CRD ${quote(name)} failed: CustomResourceDefinition ${name} failed upgrade safety validation. ${quote(proofRule)} validation failed: ${lines.join('\n')}`;
}
