/**
 * A check as one page that loads nothing: what was found, beside the two schemas folded to where they
 * differ, to be searched, printed, or read on a phone.
 */
import type { Finding, Severity } from '../../../rule/index.js';
import { changeName } from '../../../upgrade/index.js';
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  writeYaml,
} from '../../../text/documents/index.js';
import { shortened } from '../../../text/shortened.js';
import type { CheckReport, CheckResult, FindingNote } from '../check-report.js';
import { escapeText as escape } from '../graph/markup.js';
import { pageHead } from '../page-head.js';
import { renderCounts, renderPlace } from '../text.js';
import { messageDetails, formatLocation } from '../wording.js';
import { pageScript } from './script.js';
import { schemaTree, type SchemaBranch } from './schema-tree.js';
import { pageStyle } from './style.js';

/** A page with more is slow to open; what denies comes first. */
const maxFindings = 2_000;
const longestBlock = 4_000;
const maxNames = 12;

export function renderPage(report: CheckReport): string {
  const findings = report.results.flatMap(({ verdict }) => verdict.findings);
  const title = `olm-guard: ${headlineOf(report)}`;
  const left = { count: maxFindings };
  const results = [...report.results]
    .filter(
      ({ verdict }) => !verdict.allowed || verdict.findings.length + verdict.warnings.length > 0,
    )
    .sort((one, other) => rankOf(one) - rankOf(other));
  const quiet = report.results.length - results.length;
  const sections = results.map((result, index) => section(result, index, left));
  const { command, picture } = report;
  return `${pageHead(title, pageStyle)}
<body>
<main>
<h1>${escape(title)}</h1>
<p>${escape(renderCounts(report))}</p>
${(report.warnings ?? []).map((sentence) => `<p><b>Warning:</b> ${escape(sentence)}</p>`).join('')}
${(report.unchecked ?? []).map((sentence) => `<p><b>Not checked:</b> ${escape(sentence)}</p>`).join('')}
${command === undefined ? '' : `<p><button type="button" data-copy="command">Copy</button> <code id="command">${escape(command)}</code></p>`}
${picture === undefined ? '' : `<div class="picture" tabindex="0" role="region" aria-label="Picture">${picture}</div>`}
<h2>Findings by audience and rule</h2>
${tally('By audience', findings.map(audienceOf))}
${tally('By rule', findings.map(nameOf))}
<div class="tools" role="search" aria-label="Findings">
<label>Find <input id="find" type="search" placeholder="field, rule or text"></label>
${select(
  'severity',
  findings.map(({ severity }) => severity),
)}
${select('audience', findings.map(audienceOf))}
${select('rule', findings.map(nameOf))}
<span id="shown" role="status"></span>
<span class="muted">/ finds, n and p walk</span>
</div>
${sections.join('\n')}
${left.count < 0 ? `<p>and ${-left.count} more findings: <code>-o json</code> has all of them</p>` : ''}
${quiet === 0 ? '' : `<p class="muted">${quiet} more of which there is nothing to say.</p>`}
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** The worst that was found, so that nothing is headed as fine that is not. */
function headlineOf({ results, unchecked = [], failed }: CheckReport): string {
  const denied = results.filter(({ verdict }) => !verdict.allowed).length;
  if (denied > 0) return `${denied} denied`;
  const count = (severity: Severity): number =>
    results
      .flatMap(({ verdict }) => verdict.findings)
      .filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors > 0) return `${errors} ${errors === 1 ? 'error' : 'errors'}`;
  if (failed !== undefined) return 'not everything was checked';
  if (warnings > 0) return `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return unchecked.length > 0 ? 'nothing found; not everything was checked' : 'allowed';
}

/** What a card is headed with; its class is its colour. */
const decisions = [
  ['denied', 'denied'],
  ['error', 'denied'],
  ['warning', 'warned'],
  ['allowed', 'allowed'],
] as const;

function rankOf({ verdict }: CheckResult): number {
  if (!verdict.allowed) return 0;
  const has = (severity: Severity): boolean =>
    verdict.findings.some((finding) => finding.severity === severity);
  return has('error') ? 1 : has('warning') ? 2 : 3;
}

const audienceOf = ({ audience, family }: Finding): string => audience ?? family;

/** The change where it has a name, else the rule. */
const nameOf = (finding: Finding): string => changeName(finding) ?? finding.rule;

function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function tally(label: string, names: readonly string[]): string {
  const items = counted(names).map(([name, count]) => `<li><b>${count}</b>${escape(name)}</li>`);
  if (items.length === 0) return '';
  return `<ul class="counts" aria-label="${label}">${items.join('')}</ul>`;
}

function select(id: string, names: readonly string[]): string {
  const options = counted(names).map(
    ([name]) => `<option value="${escape(name)}">${escape(name)}</option>`,
  );
  return `<label>${id} <select id="${id}"><option value="">every</option>${options.join('')}</select></label>`;
}

interface Told {
  readonly finding: Finding;
  readonly markup: string;
}

function section(result: CheckResult, index: number, left: { count: number }): string {
  const { name, verdict } = result;
  const [decision, colour] = decisions[rankOf(result)] ?? decisions[0];
  const by =
    verdict.bypassedBy === undefined ? '' : ` (switched off by ${escape(verdict.bypassedBy)})`;
  const told: Told[] = verdict.findings.flatMap((finding, at) => {
    left.count--;
    if (left.count < 0) return [];
    const note = result.notes?.[at];
    const markup = findingMarkup(finding, note, result, at, `${index}-${at}`);
    return [{ finding, markup }];
  });
  const { trees, rest } = inTrees(result, told);
  const warnings = verdict.warnings.map((warning) => `<li>${escape(warning)}</li>`).join('');
  return `<section class="result" data-name="${escape(name)}" aria-labelledby="result-${index}">
<header><h2 id="result-${index}">${escape(name)}</h2> <span class="verdict ${colour}">${decision}${by}</span></header>
${rest.map(({ markup }) => markup).join('\n')}
${trees.join('\n')}
${warnings === '' ? '' : `<h3>Also</h3><ul>${warnings}</ul>`}
</section>`;
}

/** Findings beside the fields that they are about, version by version; the others by themselves. */
function inTrees(
  { definitions }: CheckResult,
  told: readonly Told[],
): { readonly trees: readonly string[]; readonly rest: readonly Told[] } {
  if (definitions === undefined) return { trees: [], rest: told };
  const placed = new Set<Told>();
  const [before, after] = [schemasOf(definitions.old), schemasOf(definitions.new)];
  const trees = [...new Set([...before.keys(), ...after.keys()])].flatMap((version) => {
    const [old, next] = [before.get(version), after.get(version)];
    if (old === undefined || next === undefined) return [];
    const here = told.filter(
      ({ finding }) => finding.version === version && finding.path !== undefined,
    );
    const tree = schemaTree(old, next, new Set(here.map(({ finding }) => finding.path ?? '')));
    if (tree === undefined) return [];
    const markup = branchMarkup(tree, here, placed);
    return [`<h3>Schema of ${escape(version)}</h3><div class="tree">${markup}</div>`];
  });
  return { trees, rest: told.filter((each) => !placed.has(each)) };
}

function schemasOf(definition: JsonObject): Map<string, JsonObject> {
  const schemas = new Map<string, JsonObject>();
  const spec = own(definition, 'spec');
  const versions = isObject(spec) ? own(spec, 'versions') : undefined;
  for (const version of Array.isArray(versions) ? versions : []) {
    if (!isObject(version)) continue;
    const [name, holder] = [own(version, 'name'), own(version, 'schema')];
    const schema = isObject(holder) ? own(holder, 'openAPIV3Schema') : undefined;
    if (typeof name === 'string' && isObject(schema)) schemas.set(name, schema);
  }
  return schemas;
}

function branchMarkup(branch: SchemaBranch, told: readonly Told[], placed: Set<Told>): string {
  const { name, path, state, old, next, children, same } = branch;
  const here = told.filter(({ finding }) => finding.path === path);
  for (const each of here) placed.add(each);
  const label = state === 'both' ? '' : ` <span class="state">${state}</span>`;
  const sides =
    old.length + next.length === 0
      ? ''
      : `<div class="sides">${side('old', '− before', old)}${side('next', '+ after', next)}</div>`;
  const more = same.length > maxNames ? `, and ${same.length - maxNames} more` : '';
  const others =
    same.length === 0 || state !== 'both'
      ? ''
      : `<p class="same">as before: ${escape(same.slice(0, maxNames).join(', '))}${more}</p>`;
  const below = children.map((child) => branchMarkup(child, told, placed)).join('');
  const isOpen = here.length > 0 || state === 'both' ? ' open' : '';
  return `<details class="${state}"${isOpen}><summary><code>${escape(name)}</code>${label}</summary>${sides}${here.map(({ markup }) => markup).join('')}${below}${others}</details>`;
}

function side(kind: string, label: string, lines: readonly string[]): string {
  const text = lines.length === 0 ? 'nothing' : lines.join('\n');
  return `<div><span>${label}</span><pre class="${kind}">${escape(text)}</pre></div>`;
}

function findingMarkup(
  finding: Finding,
  note: FindingNote | undefined,
  { name, places }: CheckResult,
  index: number,
  id: string,
): string {
  const { severity, rule, docs, message } = finding;
  const change = changeName(finding);
  const where = [formatLocation(finding, name), renderPlace(places[index])].filter(
    (part) => part !== '',
  );
  const [, anchor = ''] = docs.split('#');
  const beside = messageDetails(finding, note).map((line) => `<p>${escape(line)}</p>`);
  return `<article class="finding ${severity}" tabindex="-1" data-severity="${severity}" data-audience="${escape(audienceOf(finding))}" data-rule="${escape(nameOf(finding))}">
<p><span class="severity">${severity}</span> <code>${escape(rule)}</code>${change === undefined || change === rule ? '' : ` <code>${escape(change)}</code>`} <span class="tag">${escape(audienceOf(finding))}</span>${anchor === '' ? '' : ` <span class="muted">olm-guard explain ${escape(change ?? rule)}</span>`}</p>
${where.length === 0 ? '' : `<p class="muted">${where.map(escape).join(' · ')}</p>`}
<p class="message">${escape(message)}</p>
${beside.join('')}${frameMarkup(note)}${block('An object that shows it', yamlOf(finding.witness), `witness-${id}`)}${block('The change that ends it', patchOf(finding.fix), `fix-${id}`)}
</article>`;
}

function frameMarkup(note: FindingNote | undefined): string {
  const { frame } = note ?? {};
  if (frame === undefined) return '';
  const lines = frame.lines.map((line, index) => {
    const at = frame.first + index;
    return `${at === frame.line ? '>' : ' '} ${String(at).padStart(5)} | ${line}`;
  });
  return `<pre tabindex="0" aria-label="The lines around it">${escape(lines.join('\n'))}</pre>`;
}

function block(label: string, text: string | undefined, id: string): string {
  if (text === undefined) return '';
  return `<p>${label}: <button type="button" data-copy="${id}" aria-label="Copy: ${label}">Copy</button></p><pre id="${id}" tabindex="0" aria-label="${label}">${escape(shortened(text, longestBlock))}</pre>`;
}

function yamlOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return writeYaml(value).trimEnd();
}

/** An RFC 6902 patch as lines that begin with + or -. */
function patchOf(fix: unknown): string | undefined {
  if (!Array.isArray(fix)) return undefined;
  return (fix as { op?: string; path?: string; value?: unknown }[])
    .flatMap(({ op = '', path = '', value }) => {
      const said = value === undefined ? '' : `: ${shortened(stringifyJson(value), 400)}`;
      if (op === 'remove') return [`- ${path}`];
      return op === 'replace' ? [`- ${path}`, `+ ${path}${said}`] : [`+ ${path}${said}`];
    })
    .join('\n');
}
