/**
 * Renders a check as one HTML page that loads no other files. First the verdict and who is affected, in a
 * sentence; then a card for each finding: what changes, what happens to objects, how to fix it. Harmless
 * findings are folded.
 */
import { plural } from '../../text/plural.js';
import { firstNames } from '../../text/shortened.js';
import { stringifyJson } from '../../text/documents/index.js';
import { shortened } from '../../text/shortened.js';
import type { Finding, Severity } from '../../rule/index.js';
import { changeName, qualifiedRuleName, requestSentence } from '../../upgrade/index.js';
import { hasSomethingToSay, type CheckReport, type CheckResult } from '../check-report.js';
import { renderCounts } from '../counts.js';
import { escapeText as escape } from '../graph/markup.js';
import { groupFindings, type FindingGroup, type ReportedFinding, isHarmless } from '../grouping.js';
import { pageHead, banner, copyable, listOf, pageStyle } from './elements.js';
import { capital, verdictOf } from '../verdict.js';
import {
  decisionOf,
  effectWords,
  fieldOf,
  formatLocation,
  inGo,
  renderPlace,
  showsHarm,
  storedWrites,
  withoutLocation,
} from '../wording.js';
import { diffOfFix, diffOfNode, markedObject, type DiffLine } from './diff.js';
import { schemasOf, schemaTree, type SchemaBranch } from './schema-tree.js';
import { pageScript } from './script.js';

/** A page with more findings is slow to open; those that deny come first. */
const maxFindings = 2_000;
const maxNames = 200;
const maxPlaces = 50;
const maxKeys = 12;
/** With fewer findings the page has no search. */
const fewFindings = 6;

export interface PageOptions {
  /** Whether the page has the script that searches, filters and copies. */
  readonly isScripted?: boolean;
}

export function renderPage(report: CheckReport, { isScripted = true }: PageOptions = {}): string {
  const { word, sentence, summary, kind } = verdictOf(report);
  const { command, warnings = [], unchecked = [], results } = report;
  const isQuiet = (result: CheckResult): boolean =>
    !hasSomethingToSay(result) && result.verdict.bypassedBy === undefined;
  const sorted = results
    .filter((result) => !isQuiet(result))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const anchors = new Anchors();
  const budget = { left: maxFindings };
  const sections = sorted.map((result, index) => renderSection(result, index, anchors, budget));
  const findings = sorted.flatMap(({ verdict }) => verdict.findings);
  return `${pageHead(`olm-guard: ${summary}`, pageStyle)}
<body>
<main>
${banner({ word, sentence, kind, below: renderCounts(report) })}
${listOf('Warnings', warnings)}
${listOf('Not checked', unchecked)}
${command === undefined ? '' : copyable('command', command, 'Command')}
${findings.length < fewFindings || !isScripted ? '' : filters(findings)}
${sections.join('\n')}
${budget.left < 0 ? `<p>${-budget.left} more findings are not shown: <code>-o json</code> lists all of them.</p>` : ''}
${passed(results.filter(isQuiet).map(({ name }) => name))}
</main>
${isScripted ? `<script>${pageScript}</script>` : ''}
</body>
</html>
`;
}

function passed(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `<details class="passed"><summary>${names.length} passed without a finding</summary><p>${escape(firstNames(names, maxNames))}</p></details>`;
}

const nameOf = (finding: Finding): string => changeName(finding) ?? finding.rule;

function filters(findings: readonly Finding[]): string {
  return `<div class="tools" role="search" aria-label="Findings">
<label>Search <input id="find" type="search" placeholder="field, rule or text"></label>
${select(
  'severity',
  'Severity',
  findings.map(({ severity }) => severity),
)}
${select('rule', 'Rule', findings.map(nameOf))}
<span id="shown" role="status"></span>
<span class="keys muted"><kbd>/</kbd> to search, <kbd>n</kbd> and <kbd>p</kbd> for the next and previous finding</span>
</div>`;
}

function select(id: string, label: string, names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size < 2) return '';
  const options = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `<option value="${escape(name)}">${escape(name)} (${count})</option>`);
  return `<label>${label} <select id="${id}"><option value="">all</option>${options.join('')}</select></label>`;
}

function rankOf({ verdict }: CheckResult): number {
  if (!verdict.allowed) return 0;
  const has = (severity: Severity): boolean =>
    verdict.findings.some((finding) => finding.severity === severity);
  return has('error') ? 1 : has('warning') ? 2 : 3;
}

/** Each decision with the CSS class of its heading. */
const decisions = [
  ['denied', 'denied'],
  ['error', 'denied'],
  ['warning', 'warned'],
  ['allowed', 'allowed'],
] as const;

function renderSection(
  result: CheckResult,
  index: number,
  anchors: Anchors,
  budget: { left: number },
): string {
  const { name, verdict, counted = [], definitions } = result;
  const [decision, colour] = decisions[rankOf(result)] ?? decisions[0];
  const by = verdict.bypassedBy === undefined ? '' : `, switched off by ${verdict.bypassedBy}`;
  const cards: string[] = [];
  const folded: string[] = [];
  for (const group of groupFindings(result)) {
    for (const card of renderGroup(group, result, anchors, budget)) {
      (isHarmless(card.said) ? folded : cards).push(card.markup);
    }
  }
  const rest = [...counted, ...verdict.warnings];
  return `<section class="result" data-name="${escape(name)}" aria-labelledby="result-${index}">
<h2 id="result-${index}">${escape(name)} <span class="verdict ${colour}">${escape(`${decision}${by}`)}</span></h2>
${cards.join('\n')}
${folded.length === 0 ? '' : `<details class="fold harmless"><summary>${plural(folded.length, 'harmless change')}</summary>${folded.join('\n')}</details>`}
${rest.length === 0 ? '' : `<ul class="rest">${rest.map((sentence) => `<li>${escape(sentence)}</li>`).join('')}</ul>`}
${definitions === undefined ? '' : renderTrees(definitions)}
</section>`;
}

interface Card {
  readonly said: ReportedFinding;
  readonly markup: string;
}

/** A card for each finding of the group, with the other places that have the same finding. */
function renderGroup(
  { reported, others }: FindingGroup,
  result: CheckResult,
  anchors: Anchors,
  budget: { left: number },
): Card[] {
  return reported.flatMap((said, index) => {
    budget.left--;
    if (budget.left < 0) return [];
    const elsewhere = others.flatMap((group) => group[index] ?? []);
    return [{ said, markup: renderCard(said, elsewhere, result, anchors) }];
  });
}

function renderCard(
  { finding, place, note }: ReportedFinding,
  elsewhere: readonly ReportedFinding[],
  { name, definitions }: CheckResult,
  anchors: Anchors,
): string {
  const { severity, effect, path, fix, proof, witness, request, markers, message } = finding;
  const id = anchors.next([name, nameOf(finding), finding.version ?? '', path ?? '']);
  const field = fieldOf(finding);
  const title = withoutLocation(finding);
  const line = shortened(title.split('\n', 1)[0] ?? '', 300);
  const heading = `${field === undefined ? '' : `<code>${escape(field)}</code> `}${escape(field === undefined ? capital(line) : line)}`;
  const change =
    definitions === undefined ? [] : diffOfNode(definitions.old, definitions.new, finding);
  const repair =
    definitions === undefined || !Array.isArray(fix) ? [] : diffOfFix(definitions.new, fix);
  const what = [
    ...(effect === undefined || effect === 'safe' || finding.rule === 'Proof'
      ? []
      : [capital(`${effectWords[effect]}${proof === undefined ? '' : `: ${proof}`}`)]),
    ...storedWrites(finding).map(capital),
    ...(request === undefined ? [] : [requestSentence(request)]),
    ...(note?.also ?? []),
  ];
  const ways = [
    ...(typeof fix === 'string'
      ? [capital(fix)]
      : note?.fix === undefined
        ? []
        : [capital(note.fix)]),
    ...inGo(markers).map(capital),
    ...decisionOf(finding, note).map(capital),
  ];
  return `<article class="finding ${severity}" id="${id}" tabindex="-1" data-severity="${severity}" data-rule="${escape(nameOf(finding))}">
<h3><span class="label">${labelOf(finding)}</span> ${heading}&nbsp;<a class="anchor" href="#${id}" aria-label="Link to this finding">#</a></h3>
${title.includes('\n') ? `<p class="message">${escape(title)}</p>` : ''}
${change.length > 0 ? part('What changes', diff(change, 'Schema before and after')) : part('Where', frameOf(note?.frame))}
${part('What happens', `${what.map((line) => `<p>${escape(line)}</p>`).join('')}${witness === undefined || !showsHarm(finding) ? '' : objectOf(witness, finding, `object-${id}`)}`)}
${part('To fix', `${ways.map((line) => `<p>${escape(line)}</p>`).join('')}${repair.length === 0 ? (Array.isArray(fix) ? patchOf(fix) : '') : diff(repair, 'The fix')}`)}
${renderElsewhere(elsewhere, name)}
<p class="origin muted">${[
    `<code>${escape(qualifiedRuleName(finding))}</code>`,
    ...[formatLocation(finding, name), renderPlace(place)]
      .filter((each) => each !== '')
      .map(escape),
    ...(finding.audience === undefined ? [] : [`concerns ${finding.audience}`]),
    `<code>olm-guard explain ${escape(changeName(finding) ?? finding.rule)}</code>`,
  ].join(' · ')}</p>
${message === title ? '' : `<details class="reference"><summary>Full message</summary><p class="message">${escape(message)}</p></details>`}
</article>`;
}

const labels: Readonly<Record<Severity, string>> = {
  error: 'Error',
  warning: 'Warning',
  info: 'Note',
};

/** The effect on objects if it is known, else the severity. */
function labelOf({ severity, effect }: Finding): string {
  if (severity === 'info' || (effect !== 'breaking' && effect !== 'data-loss')) {
    return labels[severity];
  }
  return `${labels[severity]}: ${effectWords[effect]}`;
}

function part(title: string, markup: string): string {
  return markup === '' ? '' : `<div class="part"><h4>${title}</h4>${markup}</div>`;
}

function diff(lines: readonly DiffLine[], label: string): string {
  const signs = { same: ' ', old: '−', new: '+' };
  const markup = lines.map(
    ({ kind, text }) => `<span class="${kind}">${escape(`${signs[kind]} ${text}`)}</span>`,
  );
  return `<pre class="diff" tabindex="0" aria-label="${label}">${markup.join('\n')}</pre>`;
}

function frameOf(frame: NonNullable<ReportedFinding['note']>['frame']): string {
  if (frame === undefined) return '';
  const lines = frame.lines.map((line, index) => {
    const at = frame.first + index;
    const text = escape(`${String(at).padStart(5)}  ${line}`);
    return at === frame.line ? `<mark>${text}</mark>` : text;
  });
  return `<pre tabindex="0" aria-label="The lines in the file">${lines.join('\n')}</pre>`;
}

/** The object, in which the value that is refused or lost is marked. */
function objectOf(witness: unknown, finding: Finding, id: string): string {
  const lines = markedObject(witness, finding).map(({ text, isMarked }) =>
    isMarked ? `<mark>${escape(text)}</mark>` : escape(text),
  );
  return `<p>For example this object:</p><div class="copyable"><pre id="${id}" tabindex="0" aria-label="An object that shows it">${lines.join('\n')}</pre><button type="button" data-copy="${id}" aria-label="Copy: the object">Copy</button></div>`;
}

/** An RFC 6902 patch as lines that begin with + or −, where the patched document is not known. */
function patchOf(fix: readonly unknown[]): string {
  const lines = (fix as { op?: string; path?: string; value?: unknown }[]).map(
    ({ op = '', path = '', value }): DiffLine => {
      if (op === 'remove') return { kind: 'old', text: path };
      const after = value === undefined ? '' : `: ${shortened(stringifyJson(value), 400)}`;
      return { kind: 'new', text: `${path}${after}` };
    },
  );
  return diff(lines, 'The fix');
}

function renderElsewhere(elsewhere: readonly ReportedFinding[], name: string): string {
  if (elsewhere.length === 0) return '';
  const left = elsewhere.length - maxPlaces;
  const items = elsewhere
    .slice(0, maxPlaces)
    .map(({ finding, place }) =>
      [formatLocation(finding, name), renderPlace(place)].filter((each) => each !== '').join(' · '),
    );
  if (left > 0) items.push(`and ${left} more`);
  return `<details class="elsewhere"><summary>The same at ${plural(elsewhere.length, 'more place')}</summary><ul>${items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul></details>`;
}

function renderTrees({ old, new: next }: NonNullable<CheckResult['definitions']>): string {
  const [before, after] = [schemasOf(old), schemasOf(next)];
  const trees = [...before].flatMap(([version, schema]) => {
    const other = after.get(version);
    const tree = other && schemaTree(schema, other);
    if (tree === undefined) return [];
    return [`<h4>Schema of ${escape(version)}</h4><div class="tree">${branchMarkup(tree)}</div>`];
  });
  if (trees.length === 0) return '';
  return `<details class="fold schema"><summary>All changes of the schema</summary>${trees.join('\n')}</details>`;
}

function branchMarkup({ name, state, old, next, children, same }: SchemaBranch): string {
  const lines = [
    ...old.map((text): DiffLine => ({ kind: 'old', text })),
    ...next.map((text): DiffLine => ({ kind: 'new', text })),
  ];
  const label = state === 'both' ? '' : ` <span class="state">${state}</span>`;
  const others =
    same.length === 0 || state !== 'both'
      ? ''
      : `<p class="muted">unchanged: ${escape(firstNames(same, maxKeys))}</p>`;
  const below = children.map((child) => branchMarkup(child)).join('');
  return `<details class="${state}"${state === 'both' ? ' open' : ''}><summary><code>${escape(name)}</code>${label}</summary>${lines.length === 0 ? '' : diff(lines, `Keywords of ${escape(name)}`)}${below}${others}</details>`;
}

/** Makes the ids of cards, for links; a finding has the same id in every run. */
class Anchors {
  readonly #known = new Map<string, number>();

  next(parts: readonly string[]): string {
    const name = parts
      .join(' ')
      .replaceAll(/[^a-z0-9.]+/gi, '-')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(0, 160);
    const count = (this.#known.get(name) ?? 0) + 1;
    this.#known.set(name, count);
    return count === 1 ? `f-${name}` : `f-${name}-${count}`;
  }
}
