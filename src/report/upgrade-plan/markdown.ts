/** Renders a plan for a pull request: the steps in order, then the findings behind them, folded. */
import { shortened } from '../../text/shortened.js';
import { cell } from '../markdown.js';
import { countWords, type PlannedDefinition, type PlannedStep, type UpgradePlan } from './plan.js';
import {
  longestMessage,
  maxDefinitions,
  notesOf,
  nothingToDo,
  requestsOf,
  rowsOf,
  witnessOf,
} from './text.js';
import { largest } from '../../text/long-lists.js';

export function renderPlanMarkdown(plan: UpgradePlan): string {
  const { headline, notInCatalog, warnings = [], actions, steps, obstacles, unchecked } = plan;
  const known = obstacles.filter(({ isInTheWay }) => !isInTheWay);
  const list = (title: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `\n#### ${title}\n\n${items.map((item) => `- ${item}\n`).join('')}`;
  return [
    `### ${cell(headline)}\n\n`,
    ...(notInCatalog === undefined ? [] : [`**${said(notInCatalog)}**\n\n`]),
    ...warnings.map((sentence) => `**Warning:** ${said(sentence)}\n\n`),
    ...(actions.length === 0 ? [`${nothingToDo}\n`] : []),
    ...actions.map(({ sentence, command, isNeeded }, index) => {
      const text = `${index + 1}. ${isNeeded ? '**first:** ' : ''}${said(sentence)}\n`;
      return command === undefined ? text : `${text}\n${fenced(command, '   ', 'sh')}\n`;
    }),
    list(
      'To know',
      known.map(({ object, rule, message }) => `${cell(object)}: ${said(message)} (${cell(rule)})`),
    ),
    ...steps.map((step, index) => stepMarkdown(step, index + 1, steps.length)),
    list('Not checked', unchecked.map(said)),
  ].join('');
}

function stepMarkdown(step: PlannedStep, number: number, of: number): string {
  const { from, to, why, state, definitions } = step;
  return [
    `\n<details><summary>Step ${number} of ${of}: ${cell(from)} → ${cell(to)}: <b>${state}</b></summary>\n\n`,
    why === undefined ? '' : `${cell(why)}\n\n`,
    ...definitions.slice(0, maxDefinitions).map(definitionMarkdown),
    ...notesOf(step).map((note) => `- ${said(note)}\n`),
    '\n</details>\n',
  ].join('');
}

function definitionMarkdown(definition: PlannedDefinition): string {
  const { name, change, state, audiences } = definition;
  const lines = rowsOf(definition).map(({ label, text, planned }) => {
    if (planned === undefined) return `${label}: ${said(text)}`;
    const { counts, worst } = planned;
    const requests = requestsOf(worst).map((line) => `<br>${said(line)}`);
    return `${label}: ${countWords(counts)}; ${cell(worst.rule)}${said(text)}${requests.join('')}`;
  });
  const witness = audiences[0] && witnessOf(audiences[0].worst);
  return [
    `- **${cell(name)}**: ${change}, ${state}\n`,
    ...lines.map((line) => `  - ${line}\n`),
    witness === undefined
      ? ''
      : `\n  An object that shows it:\n\n${fenced(witness, '  ', 'yaml')}\n`,
  ].join('');
}

function said(sentence: string): string {
  return cell(shortened(sentence, longestMessage));
}

/** A block whose fence is longer than any in it. */
function fenced(text: string, indent: string, language: string): string {
  const longest = largest(
    [...text.matchAll(/`+/g)].map(([ticks]) => ticks.length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  const lines = [`${fence}${language}`, ...text.split('\n'), fence];
  return lines.map((line) => `${indent}${line}\n`).join('');
}
