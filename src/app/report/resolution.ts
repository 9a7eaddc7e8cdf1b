/** A resolution as a person reads it at a prompt. */
import type { Finding, Verdict } from '../../rule/index.js';
import type { Explanation, Outcome } from '../../olm/index.js';
import { renderSections } from './sections.js';

type Notes = Pick<Verdict, 'findings' | 'warnings'>;

export function renderResolution(outcome: Outcome, explanation: Explanation, notes: Notes): string {
  return renderSections(resolutionSections(outcome, explanation, notes));
}

/** What OLM will do, first in one line, then why; lines of a section are indented by what they are below. */
export function resolutionSections(
  outcome: Outcome,
  explanation: Explanation,
  { findings, warnings }: Notes,
): string[][] {
  const sections =
    explanation.kind === 'solution'
      ? solutionSections(explanation)
      : failureSections(outcome, explanation);
  const notes = [...findings.flatMap(heldBack), ...warnings];
  if (notes.length > 0) sections.push(['Notes', ...notes.map((note) => `  ${note}`)]);
  return sections;
}

/** Why stands with the operator already; that nobody is told is worth a line of its own. */
function heldBack({ rule, object }: Finding): string[] {
  return rule === 'UpgradeHeldBack' && object !== undefined
    ? [`Subscription ${object.name} is not upgraded, and OLM does not report why.`]
    : [];
}

function solutionSections({ summary, operators }: Explanation & { kind: 'solution' }): string[][] {
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
  // What runs in the namespace has no channel: OLM finds it in a catalog of its own making.
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
}: (Explanation & { kind: 'solution' })['operators'][number]): string {
  return action === 'keep'
    ? ''
    : ` (package ${name}, channel ${channel}, catalog ${catalog} of ${catalogNamespace})`;
}

function failureSections(
  outcome: Outcome,
  explanation: Exclude<Explanation, { kind: 'solution' }>,
): string[][] {
  const sections: string[][] = [];
  if (explanation.kind === 'conflict') {
    sections.push([
      `${head(explanation.summary)}, because these cannot all be true:`,
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
    sections.push([explanation.summary, ...places.map((place) => `  ${place}`)]);
  }
  if (!outcome.ok && explanation.kind !== 'gave-up') {
    sections.push(['What OLM itself says', `  ${outcome.error}`]);
  }
  return sections;
}

/** The part of a conflict's summary before its reasons. */
function head(summary: string): string {
  return summary.slice(0, summary.indexOf(':'));
}
