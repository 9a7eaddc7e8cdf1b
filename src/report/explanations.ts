/** Proofs, version ranges and upgrade paths, explained line by line at a prompt. */
import { describeStoredWrites, type StoredWrites } from '../rule/index.js';
import { stringifyJson } from '../text/documents/index.js';
import { visible } from '../text/visible.js';
import { formatCounts } from './counts.js';
import { largest } from '../text/long-lists.js';
import type { Disagreement, RangeExplanation, Reading } from '../text/versions/index.js';
import { renderSections } from './table.js';
import { edgeWords, type ExplainedPath, type PathAnswer, type Step } from '../olm/index.js';

// A proof step by step: each difference, what it does, and why.

interface DerivationStep extends StoredWrites {
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

export function renderRange(explanation: RangeExplanation): string {
  const { range, version, masterminds, blang, api, disagreements } = explanation;
  const accepted = api.accepts
    ? 'the API accepts it'
    : `the API refuses it: ${api.refusal ?? 'it does not fit the pattern of the field'}`;
  const sections = [
    [JSON.stringify(range)],
    [
      'OLM v1 (spec.source.catalog.version of a ClusterExtension)',
      ...readingLines(masterminds, version),
      `  ${accepted}`,
    ],
    ['OLM classic (olm.skipRange, also in OLM v1; dependencies)', ...readingLines(blang, version)],
    differenceLines(masterminds, blang, disagreements),
  ];
  return renderSections(sections);
}

function readingLines(reading: Reading, version: string | undefined): string[] {
  if (!reading.valid) return [`  not valid: ${reading.error}`];
  const alternatives = reading.alternatives.map((words, index) =>
    index === 0 ? `  ${words}` : `  or ${words}`,
  );
  const answer =
    version === undefined || reading.matches === undefined
      ? []
      : [`  ${version}: ${reading.matches ? 'matches' : 'does not match'}`];
  return [...alternatives, ...reading.notes.map((note) => `  (${note})`), ...answer];
}

function differenceLines(
  masterminds: Reading,
  blang: Reading,
  disagreements: readonly Disagreement[],
): string[] {
  if (!masterminds.valid && !blang.valid) return ['Neither dialect can read it.'];
  if (!masterminds.valid) return ['Only OLM classic can read it.'];
  if (!blang.valid) {
    return ['Only OLM v1 can read it: as an olm.skipRange it is silently ignored.'];
  }
  if (disagreements.length === 0) return ['Both dialects agree at every bound of the range.'];
  return [
    'Where they disagree',
    ...disagreements.map(({ reason, examples }) => `  ${reason}: ${examples.join(', ')}`),
  ];
}

const criteria = {
  1: 'head of the channel in the subscription’s source',
  2: 'next in the subscription’s source',
  3: 'head of the channel in another source',
  4: 'next in another source',
} as const;

/** Each path with its steps, then what tells them apart. */
export function renderPaths({
  paths,
  differences,
  support = [],
  unmet = [],
}: PathAnswer & {
  readonly support?: readonly string[];
  readonly unmet?: readonly string[];
}): string {
  const sections = paths.map((path) => [path.title, ...pathLines(path)]);
  if (unmet.length > 0) {
    sections.push(['Requirements that are not met', ...unmet.map((each) => `  ${visible(each)}`)]);
  }
  if (differences.length > 0) {
    sections.push(['Where they differ', ...differences.map((sentence) => `  ${sentence}`)]);
  }
  if (support.length > 0) {
    sections.push(['Support, as the catalog says', ...support.map((each) => `  ${visible(each)}`)]);
  }
  sections.push([
    'Not asked without a cluster',
    '  whether what is installed fits its OperatorGroup or ClusterExtension, other groups’ APIs, stored objects, and the versions of Kubernetes and OpenShift: olm-guard plan does',
  ]);
  return renderSections(sections);
}

function pathLines({ path: { steps, loops, error }, deadEnd }: ExplainedPath): string[] {
  return [
    ...(steps.length === 0 && error === undefined ? ['  stays where it is'] : []),
    ...steps.flatMap(stepLines),
    ...(loops ? ['  and comes back: it would be an update cycle'] : []),
    ...(error === undefined ? [] : [`  stops: ${error}`]),
    ...(deadEnd === undefined ? [] : [`  ${deadEnd}`]),
  ];
}

function stepLines(step: Step): string[] {
  const from = step.from === undefined ? '' : `${step.from} → `;
  const place = [
    ...(step.channel === '' ? [] : [`channel ${step.channel}`]),
    ...(step.catalog === undefined ? [] : [`catalog ${step.catalog}`]),
  ];
  return [
    `  ${from}${step.to}  (${[edgeWords(step), ...place].join('; ')})`,
    ...(step.criterion === undefined
      ? []
      : [`      ${step.criterion}. ${criteria[step.criterion]}`]),
    ...(step.passedOver.length === 0 ? [] : [`      passes over ${step.passedOver.join(', ')}`]),
  ];
}
