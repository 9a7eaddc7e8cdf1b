import { plural } from '../../text/plural.js';
import { writeYaml } from '../../text/documents/index.js';
import { shortened } from '../../text/shortened.js';
import { renderSections } from '../table.js';
import { messageDetails, showsHarm } from '../wording.js';
import type { Finding } from '../../rule/index.js';
import {
  countWords,
  exemptWords,
  worstWords,
  type PlannedAudience,
  type PlannedDefinition,
  type PlannedStep,
  type UpgradePlan,
} from './plan.js';

/** A page is read before an upgrade, not searched: JSON has the rest. */
export const maxDefinitions = 40;
export const longestMessage = 400;
const longestWitness = 2_000;
export const nothingToDo = 'Nothing is to be done: no step is taken.';

export function renderPlanText(plan: UpgradePlan): string {
  const { headline, notInCatalog, warnings = [], actions, steps, obstacles, unchecked } = plan;
  // Obstacles in the way are among the first actions.
  const known = obstacles.filter(({ isInTheWay }) => !isInTheWay);
  return renderSections([
    ...(notInCatalog === undefined ? [] : [[notInCatalog]]),
    [headline, ...warnings.map((sentence) => `warning: ${sentence}`)],
    [
      actions.length === 0 ? nothingToDo : 'To do',
      ...actions.flatMap(({ sentence, command, isNeeded }, index) => [
        `  ${index + 1}. ${isNeeded ? 'first: ' : ''}${shortened(sentence, longestMessage)}`,
        ...(command === undefined ? [] : [`       ${command}`]),
      ]),
    ],
    ...(known.length === 0
      ? []
      : [
          [
            'To know',
            ...known.map(
              ({ object, rule, message }) =>
                `  ${object}: ${shortened(message, longestMessage)} (${rule})`,
            ),
          ],
        ]),
    ...steps.map((step, index) => stepLines(step, index + 1, steps.length)),
    ...(unchecked.length === 0
      ? []
      : [['Not checked', ...unchecked.map((sentence) => `  ${sentence}`)]]),
  ]);
}

/** Sentences about a step after its definitions. */
export function notesOf({ definitions, unchanged, unchecked }: PlannedStep): string[] {
  const left = definitions.length - maxDefinitions;
  return [
    ...(left > 0 ? [`and ${plural(left, 'more definition')}: -o json has all of them`] : []),
    ...(unchanged === 0 ? [] : [`${plural(unchanged, 'definition')} as before`]),
    ...unchecked.map((sentence) => `not checked: ${sentence}`),
  ];
}

function stepLines(step: PlannedStep, number: number, of: number): string[] {
  const { from, to, why, state, definitions } = step;
  return [
    `Step ${number} of ${of}: ${from} → ${to}${why === undefined ? '' : ` (${why})`}: ${state}`,
    ...definitions.slice(0, maxDefinitions).flatMap(definitionLines),
    ...notesOf(step).map((note) => `  ${note}`),
  ];
}

/** A line about a definition: what it is about and the sentence; for an affected audience, the finding too. */
export interface PlanRow {
  readonly label: string;
  readonly text: string;
  readonly planned?: PlannedAudience;
}

export function rowsOf(definition: PlannedDefinition): PlanRow[] {
  const { audiences, denied, migration, rollback, exempted, warnings } = definition;
  const row = (label: string, text: string): PlanRow => ({
    label,
    text: shortened(text, longestMessage),
  });
  return [
    ...denied.map((message) => row('denied', message)),
    ...(migration?.sentences ?? []).map((text) => ({ label: 'migrate', text })),
    ...audiences.map((planned) => ({
      ...row(planned.audience, worstWords(planned, denied)),
      planned,
    })),
    ...(rollback === undefined ? [] : [row('rollback', rollback.message)]),
    ...exempted.map((each) => row('exempt', exemptWords(each))),
    ...warnings.map((warning) => row('also', warning)),
  ];
}

function definitionLines(definition: PlannedDefinition): string[] {
  const { name, change, state, audiences } = definition;
  return [
    `  ${name}: ${change}, ${state}`,
    ...rowsOf(definition).flatMap(({ label, text, planned }) =>
      planned === undefined
        ? [`    ${label}: ${text}`]
        : [
            `    ${label}: ${countWords(planned.counts)}; ${planned.worst.rule}${text}`,
            ...requestsOf(planned.worst).map((line) => `      ${line}`),
            ...(planned === audiences[0] ? witnessLines(planned.worst) : []),
          ],
    ),
  ];
}

/** An object that shows it: that of the gravest is enough. */
function witnessLines(worst: Finding): string[] {
  const witness = witnessOf(worst);
  if (witness === undefined) return [];
  const lines = witness.split('\n').map((line) => `        ${line}`);
  return ['      an object that shows it:', ...lines];
}

/** The request that shows it. The fix of a finding is what its author can do, not who upgrades. */
export function requestsOf(finding: Finding): string[] {
  return messageDetails(finding, undefined).filter((line) => line.startsWith('request: '));
}

/** The object that shows it, as YAML; none for harmless findings. */
export function witnessOf(finding: Finding): string | undefined {
  const { witness } = finding;
  if (witness === undefined || !showsHarm(finding)) return undefined;
  const text = writeYaml(witness);
  return shortened(text.trimEnd(), longestWitness);
}
