/** Upgrade paths as a person reads them at a prompt. */
import { edgeWords, type ExplainedPath, type PathAnswer, type Step } from '../olm/index.js';
import { visible } from '../text/visible.js';
import { renderSections } from './table.js';

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
