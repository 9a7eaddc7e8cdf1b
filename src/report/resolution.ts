import type { Finding, Verdict } from '../rule/index.js';
import type { Explanation, Outcome } from '../olm/index.js';
import { renderSections } from './table.js';

type Notes = Pick<Verdict, 'findings' | 'warnings'>;

export function renderResolution(outcome: Outcome, explanation: Explanation, notes: Notes): string {
  const sections = resolutionSections(outcome, explanation, notes);
  return renderSections(
    sections.map(({ heading, lines = [], list }) => [
      heading,
      ...lines.map((line) => `  ${line}`),
      ...(list?.items ?? []).flatMap(([first = '', ...below], index) => [
        `  ${list?.tag === 'ol' ? `${index + 1}.` : '-'} ${first}`,
        ...below.map((line) => `    ${line}`),
      ]),
    ]),
  );
}

/** A heading with its sentences, or a list whose items have a line or several. */
export interface ResolutionSection {
  readonly heading: string;
  readonly lines?: readonly string[];
  readonly list?: { readonly tag: 'ol' | 'ul'; readonly items: readonly (readonly string[])[] };
}

/** OLM's decision, first in one line, then why. */
export function resolutionSections(
  outcome: Outcome,
  explanation: Explanation,
  { findings, warnings }: Notes,
): ResolutionSection[] {
  const sections =
    explanation.kind === 'solution'
      ? solutionSections(explanation)
      : failureSections(outcome, explanation);
  const failing = findings.filter(({ rule }) => rule === 'SubscriptionInstallFails');
  if (failing.length > 0) {
    const lines = failing.map(({ message }) => message);
    sections.splice(1, 0, { heading: 'What is installed does not come up then:', lines });
  }
  const lines = [...findings.flatMap(heldBack), ...warnings];
  if (lines.length > 0) sections.push({ heading: 'Notes', lines });
  return sections;
}

/** The reason is with the operator already; that no event reports it is worth a line of its own. */
function heldBack({ rule, object }: Finding): string[] {
  return rule === 'UpgradeHeldBack' && object !== undefined
    ? [`Subscription ${object.name} is not upgraded, and OLM does not report why.`]
    : [];
}

type Solution = Explanation & { kind: 'solution' };

function solutionSections({ summary, operators }: Solution): ResolutionSection[] {
  return [
    { heading: summary },
    ...operators.map((operator) => ({
      heading: `${verbs[operator.action]} ${operator.name}${placeOf(operator)}`,
      lines: [
        `because ${operator.because}`,
        ...operator.passedOver.map(
          (other) => `passed over ${other.name}${whereElse(other, operator)}: ${other.reason}`,
        ),
      ],
    })),
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
): ResolutionSection[] {
  const sections: ResolutionSection[] = [];
  if (explanation.kind === 'conflict') {
    sections.push({
      heading: `${head(explanation.summary)}, because these cannot all be true:`,
      list: { tag: 'ol', items: explanation.conflict.map((sentence) => [sentence]) },
    });
    if (explanation.changes.length > 0) {
      const items = explanation.changes.map(({ sentence, installs }) =>
        installs.length === 0
          ? [sentence]
          : [sentence, `Then OLM installs ${installs.join(', ')}.`],
      );
      const heading = 'What would help (each was tried, and the namespace then resolves)';
      sections.push({ heading, list: { tag: 'ul', items } });
    }
  } else {
    const lines = explanation.kind === 'error' ? explanation.places : [];
    sections.push({ heading: explanation.summary, lines });
  }
  if (!outcome.ok && explanation.kind !== 'gave-up') {
    sections.push({ heading: 'What OLM itself says', lines: [outcome.error] });
  }
  return sections;
}

/** The part of a conflict's summary before its reasons. */
function head(summary: string): string {
  return summary.slice(0, summary.indexOf(':'));
}
