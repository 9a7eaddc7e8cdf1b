import { shortened } from '../../text/shortened.js';
import { escapeText as escape } from '../graph/markup.js';
import { banner, copyable, listOf, pageStyle, pageHead } from '../page/elements.js';
import { copyScript } from '../page/script.js';
import {
  countWords,
  isUnknown,
  type PlannedAction,
  type PlannedAudience,
  type PlannedDefinition,
  type PlannedStep,
  type UpgradePlan,
} from './plan.js';
import {
  longestMessage,
  maxDefinitions,
  notesOf,
  nothingToDo,
  requestsOf,
  rowsOf,
  witnessOf,
} from './text.js';

const planStyle = `${pageStyle}
ol.actions { padding: 0; list-style: none; counter-reset: action; }
ol.actions > li { counter-increment: action; position: relative; padding: .35rem .6rem .55rem 2.4rem; border-bottom: 1px solid var(--rule); }
ol.actions > li::before { content: counter(action) "."; position: absolute; left: .4rem; font-weight: 700; }
li.needed { background: var(--badpaper); } .first { font-weight: 700; color: var(--bad); }
.state-blocked, .state-migrate { color: var(--bad); } .state-clear { color: var(--good); } .state-not { color: var(--amber); }
article.definition { border-top: 1px solid var(--rule); padding: .5rem 0; margin-top: .6rem; } article.definition h3 { margin: 0 0 .3rem; }
dl { display: grid; grid-template-columns: 7rem 1fr; gap: .2rem .8rem; margin: 0; } dt { color: var(--muted); } dd { margin: 0; min-width: 0; }
@media (max-width: 640px) { dl { grid-template-columns: 1fr; } dt { font-weight: 600; margin-top: .3rem; } }
@media print { ol.actions > li { break-inside: avoid; } li.needed { background: none; } }
`;

export function renderPlanPage(plan: UpgradePlan): string {
  const {
    headline,
    notInCatalog,
    warnings = [],
    isClear,
    actions,
    steps,
    obstacles,
    unchecked,
  } = plan;
  const isPartial = unchecked.length > 0 || steps.some(({ state }) => state === 'not checked');
  const known = obstacles
    .filter(({ isInTheWay }) => !isInTheWay)
    .map(({ object, rule, message }) => `${object}: ${message} (${rule})`);
  return `${pageHead(headline, planStyle)}
<body>
<main>
${banner({
  word: isUnknown(plan)
    ? 'No step could be checked'
    : !isClear
      ? 'Something has to be done first'
      : isPartial
        ? 'Nothing was found in the way; not everything was checked'
        : 'Nothing has to be done first',
  sentence: headline,
  kind: isUnknown(plan) ? 'warned' : !isClear ? 'denied' : isPartial ? 'warned' : 'allowed',
  below: notInCatalog === undefined ? '' : cut(notInCatalog),
})}
${listOf('Warnings', warnings.map(cut))}
${actions.length === 0 ? `<p>${nothingToDo}</p>` : `<h2>To do</h2>\n<ol class="actions">\n${actions.map(actionMarkup).join('\n')}\n</ol>`}
${listOf('To know', known.map(cut))}
${steps.map((step, index) => stepMarkup(step, index + 1, steps.length)).join('\n')}
${listOf('Not checked', unchecked.map(cut))}
</main>
<script>${copyScript}</script>
</body>
</html>
`;
}

function actionMarkup({ sentence, command, isNeeded }: PlannedAction, index: number): string {
  const text = `${isNeeded ? '<span class="first">first:</span> ' : ''}${said(sentence)}`;
  const number = index + 1;
  const copy =
    command === undefined ? '' : copyable(`command-${number}`, command, `command ${number}`);
  return `<li${isNeeded ? ' class="needed"' : ''}>${text}${copy}</li>`;
}

function stepMarkup(step: PlannedStep, number: number, of: number): string {
  const { from, to, why, state, definitions } = step;
  return `<section class="result" aria-labelledby="step-${number}">
<h2 id="step-${number}">Step ${number} of ${of}: ${escape(from)} → ${escape(to)} ${stateMarkup(state)}</h2>
${why === undefined ? '' : `<p class="muted">${escape(why)}</p>`}
${definitions.slice(0, maxDefinitions).map(definitionMarkup).join('\n')}
${notesOf(step)
  .map((note) => `<p class="muted">${said(note)}</p>`)
  .join('')}
</section>`;
}

function stateMarkup(state: PlannedStep['state']): string {
  return `<span class="verdict state-${state.split(' ')[0] ?? ''}">${state}</span>`;
}

function definitionMarkup(definition: PlannedDefinition): string {
  const { name, change, state, audiences } = definition;
  const rows = rowsOf(definition).map(({ label, text, planned }) => {
    const markup =
      planned === undefined ? said(text) : audienceMarkup(planned, text, planned === audiences[0]);
    return `<dt>${label}</dt><dd>${markup}</dd>`;
  });
  return `<article class="definition"><h3>${escape(name)} <span class="tag">${change}</span> ${stateMarkup(state)}</h3>
<dl>${rows.join('')}</dl></article>`;
}

function audienceMarkup(planned: PlannedAudience, words: string, isFirst: boolean): string {
  const { audience, counts, worst } = planned;
  const witness = isFirst ? witnessOf(worst) : undefined;
  const requests = requestsOf(worst).map((line) => `<br><code>${escape(line)}</code>`);
  const object =
    witness === undefined
      ? ''
      : `<details open><summary>an object that shows it</summary><pre tabindex="0" aria-label="An object, for ${audience}">${escape(witness)}</pre></details>`;
  return `<b>${countWords(counts)}</b>; <code>${escape(worst.rule)}</code>${said(words)}${requests.join('')}${object}`;
}

function said(sentence: string): string {
  return escape(cut(sentence));
}

function cut(sentence: string): string {
  return shortened(sentence, longestMessage);
}
