import type { Finding, Verdict } from '../rule/index.js';
import type { Explanation, Outcome } from '../olm/index.js';
import { renderSections } from './table.js';

type Notes = Pick<Verdict, 'findings' | 'warnings'>;

export function renderResolution(outcome: Outcome, explanation: Explanation, notes: Notes): string {
  const { findings, warnings } = notes;
  const sections =
    explanation.kind === 'solution'
      ? solutionSections(explanation)
      : failureSections(outcome, explanation);
  const failing = findings.filter(({ rule }) => rule === 'SubscriptionInstallFails');
  if (failing.length > 0) {
    const lines = failing.map(({ message }) => message);
    sections.splice(1, 0, ['What is installed does not come up then:', ...indented(lines)]);
  }
  const lines = [...findings.flatMap(heldBack), ...warnings];
  if (lines.length > 0) sections.push(['Notes', ...indented(lines)]);
  return renderSections(sections);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The reason is with the operator already; that no event reports it is worth a line of its own. */
function heldBack({ rule, object }: Finding): string[] {
  return rule === 'UpgradeHeldBack' && object !== undefined
    ? [`Subscription ${object.name} is not upgraded, and OLM does not report why.`]
    : [];
}

type Solution = Explanation & { kind: 'solution' };

function solutionSections({ summary, operators }: Solution): string[][] {
  return [
    [summary],
    ...operators.map((operator) => [
      `${verbs[operator.action]} ${operator.name}${placeOf(operator)}`,
      `  because ${operator.because}`,
      ...operator.passedOver.map(
        (other) => `  passed over ${other.name}${whereElse(other, operator)}: ${other.reason}`,
      ),
    ]),
  ];
}

/** Where a candidate comes from, when that is not where the chosen one comes from. */
function whereElse({ channel, catalog }: Origin, chosen: Origin): string {
  if (catalog === chosen.catalog && channel === chosen.channel) return '';
  // An installed operator has no channel: OLM finds it in a catalog of its own making.
  return channel === '' ? ' (installed)' : ` (channel ${channel}, catalog ${catalog})`;
}

interface Origin {
  readonly channel: string;
  readonly catalog: string;
}

const verbs = { install: 'Installs', upgrade: 'Upgrades to', keep: 'Keeps' } as const;

function placeOf({
  action,
  package: name,
  channel,
  catalog,
  catalogNamespace,
}: Solution['operators'][number]): string {
  return action === 'keep'
    ? ''
    : ` (package ${name}, channel ${channel}, catalog ${catalog} of ${catalogNamespace})`;
}

function failureSections(
  outcome: Outcome,
  explanation: Exclude<Explanation, Solution>,
): string[][] {
  const sections: string[][] = [];
  if (explanation.kind === 'conflict') {
    sections.push([
      `${explanation.summary.split(':', 1)[0]}, because these cannot all be true:`,
      ...explanation.conflict.map((sentence, index) => `  ${index + 1}. ${sentence}`),
    ]);
    if (explanation.changes.length > 0) {
      sections.push([
        'What would help (each was tried, and the namespace then resolves)',
        ...explanation.changes.flatMap(({ sentence, installs }) => [
          `  - ${sentence}`,
          ...(installs.length === 0 ? [] : [`    Then OLM installs ${installs.join(', ')}.`]),
        ]),
      ]);
    }
  } else {
    const places = explanation.kind === 'error' ? explanation.places : [];
    sections.push([explanation.summary, ...indented(places)]);
  }
  if (!outcome.ok && explanation.kind !== 'gave-up') {
    sections.push(['What OLM itself says', `  ${outcome.error}`]);
  }
  return sections;
}
