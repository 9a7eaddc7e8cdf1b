/** A check as a person reads it at a prompt. */
import { plural } from '../text/plural.js';
import { styleText } from 'node:util';
import { writeYaml } from '../text/documents/index.js';
import { renderCounts } from './counts.js';
import type { Effect, Finding, Severity } from '../rule/index.js';
import { qualifiedRuleName, requestSentence } from '../upgrade/index.js';
import { groupFindings, type FindingGroup, type Group, type ReportedFinding } from './grouping.js';
import { hasSomethingToSay, type CheckReport, type CheckResult } from './check-report.js';
import type { CodeFrame } from './code-frame.js';
import { abridgeUnchecked } from './unchecked.js';
import { groupBy } from '../text/group.js';
import { firstNames } from '../text/shortened.js';
import {
  decisionOf,
  effectWords,
  inGo,
  formatLocation,
  showsHarm,
  renderPlace,
  storedWrites,
} from './wording.js';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';
type Paint = (style: Style, text: string) => string;

const plain: Paint = (_, text) => text;
// The caller has looked at the terminal; the library would look again.
const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** Denied findings first, and one last line that counts; what does not fit is counted unless all is listed. */
export function renderText(
  report: CheckReport,
  {
    colours = false,
    isAllListed,
  }: { readonly colours?: boolean; readonly isAllListed?: boolean } = {},
): string {
  const paint = colours ? coloured : plain;
  const told = report.results
    .filter(hasSomethingToSay)
    .toSorted((one, other) => Number(one.verdict.allowed) - Number(other.verdict.allowed));
  const sections = told.map((result) => renderResult(result, paint));
  const counts = report.closing ?? renderCounts(report);
  const { warnings = [], unchecked = [] } = report;
  const last = [
    ...warnings.map((sentence) => `warning: ${sentence}\n`),
    ...abridgeUnchecked(unchecked).map((sentence) => `unchecked: ${sentence}\n`),
    `${counts}\n`,
  ];
  const fitting = isAllListed === true ? sections : fittingOf(sections, told, isAllListed, paint);
  const first = fitting === sections ? [] : [`${counts}\n`];
  return [...first, ...fitting, last.join('')].join('\n');
}

/** More than a screen or two is not read: what matters has to be within. */
const maxLines = 120;
/** Lines of those above that are for counts and for the names of omitted entries. */
const frame = 9;
const maxNames = 20;
/** Place, rule and message of one cause, between a head and a count. */
const [causeLines, shortestSection] = [3, 5];

/** Every denied subject shows its cause before any shows all of its findings. */
function fittingOf(
  sections: readonly string[],
  told: readonly CheckResult[],
  isAllListed: false | undefined,
  paint: Paint,
): readonly string[] {
  const total = sections.reduce((sum, section) => sum + countLines(section), 0);
  if (total + sections.length < maxLines) return sections;
  const denied = told.filter(({ verdict }) => !verdict.allowed);
  let left = maxLines - frame;
  const shown: string[] = [];
  for (const [index, section] of sections.entries()) {
    const result = denied[index];
    const lines = countLines(section);
    const most = result ? Math.floor(left / (denied.length - index)) - 1 : left;
    if (lines <= most) shown.push(section);
    else if (left < shortestSection) break;
    else if (result) shown.push(renderResult(result, paint, Math.max(most, shortestSection)));
    else shown.push(`${section.split('\n').slice(0, left).join('\n')}\n`);
    left -= countLines(shown.at(-1) ?? '') + 1;
  }
  const names = denied.slice(shown.length).map(({ name }) => name);
  const rest = shown.reduce((sum, section) => sum - countLines(section), total);
  return [
    ...shown,
    ...(names.length === 0 ? [] : [`denied too: ${firstNames(names, maxNames)}\n`]),
    `and ${rest} more lines: ${isAllListed === false ? '--all shows them, ' : ''}-o json has them all\n`,
  ];
}

const countLines = (text: string): number => text.trimEnd().split('\n').length;

/** @param most lines, if there is no room for all: then only what denies is printed, and one cause at least */
function renderResult(result: CheckResult, paint: Paint, most = Infinity): string {
  const { name, verdict, counted = [] } = result;
  const decision = verdict.allowed ? paint('green', 'allowed') : paint('red', 'denied');
  const by = verdict.bypassedBy === undefined ? '' : ` (switched off by ${verdict.bypassedBy})`;
  const context: Context = { name, shown: new Set(), paint };
  const alike = groupFindings(result);
  const isWhole = most === Infinity;
  const groups: string[] = [];
  let left = most - 2;
  for (const group of alike.slice(0, maxTold)) {
    const text = renderFindings(group, context);
    const isLong = countLines(text) > left;
    const denies = group.reported.some(({ finding }) => finding.severity === 'error');
    if (groups.length > 0 && (isLong || (!isWhole && !denies))) break;
    groups.push(isLong ? `${text.split('\n').slice(0, causeLines).join('\n')}\n` : text);
    left -= countLines(text);
  }
  const remarks = [
    ...counted.map((sentence) => `  ${paint('dim', sentence)}\n`),
    ...verdict.warnings.map((warning) => `  warning: ${warning}\n`),
  ];
  return [
    `${paint('bold', name)}: ${decision}${by}\n`,
    ...groups,
    renderRest(alike.slice(groups.length)),
    ...(isWhole ? remarks : []),
  ].join('');
}

/** How many findings of one subject are printed, those that deny first; the rest is counted. */
const maxTold = 20;
const maxPlaces = 10;

interface Context {
  readonly name: string;
  readonly shown: Set<string>;
  readonly paint: Paint;
}

function renderRest(rest: readonly FindingGroup[]): string {
  if (rest.length === 0) return '';
  const groups = rest.flatMap(({ reported, others }) => [reported, ...others]);
  const findings = groups.reduce((sum, group) => sum + group.length, 0);
  const places = groups.length === 1 ? '1 more place' : `${groups.length} more places`;
  const all = findings === 1 ? '1 finding' : `${findings} findings`;
  return `  and ${places} with ${all}: -o json has them all\n`;
}

function renderFindings({ reported, others }: FindingGroup, context: Context): string {
  const { paint } = context;
  if (others.length === 0) return renderGroup(reported, context);
  const places = plural(others.length, 'more place');
  const left = others.length - maxPlaces;
  return [
    renderGroup(reported, context),
    `      and the same at ${places}:\n`,
    ...others
      .slice(0, maxPlaces)
      .map(
        ([said]) =>
          `        ${formatLocation(said.finding, context.name)}  ${paint('dim', whereElse(said, reported))}\n`,
      ),
    left > 0 ? `        and ${left} more: -o json has them all\n` : '',
  ].join('');
}

/** Without the file where it is the one that was named before. */
function whereElse({ place }: ReportedFinding, [{ place: known }]: Group): string {
  if (place?.line === undefined || place.file !== known?.file) return renderPlace(place);
  return `line ${[place.line, place.column].filter((part) => part !== undefined).join(':')}`;
}

function renderGroup(group: Group, context: Context): string {
  const { name, paint } = context;
  const where = formatLocation(group[0].finding, name);
  const head = where === '' ? '' : `  ${paint('cyan', where)}\n`;
  // Without a place inside the object, findings have nothing in common that could be printed once.
  if (where === '') {
    return group
      .flatMap((said) => [renderFinding(said, paint), renderProof([said], context)])
      .concat(waysOf(group))
      .join('');
  }
  const frames = [...new Map(group.map((said) => [said.note?.frame?.line, said.note?.frame]))];
  return [
    head,
    ...group.map((said) => renderFinding(said, paint)),
    ...frames.slice(0, 1).map(([, frame]) => renderFrame(frame, paint)),
    ...proofsOf(group).map((alike) => renderProof(alike, context)),
    ...waysOf(group),
  ].join('');
}

const severityStyles: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'dim' };

function renderFinding({ finding, place, note }: ReportedFinding, paint: Paint): string {
  const { severity } = finding;
  const head = [
    renderPlace(place),
    paint(severityStyles[severity], severity),
    qualifiedRuleName(finding),
  ];
  const text = finding.message.replaceAll('\n', '\n      ');
  const fix = typeof finding.fix === 'string' ? `      fix: ${finding.fix}\n` : '';
  const decision = decisionOf(finding, note).map((line) => `      ${paint('dim', line)}\n`);
  const { request } = finding;
  const shown = request === undefined ? '' : `      ${requestSentence(request)}\n`;
  const first = head.filter((part) => part !== '').join('  ');
  const also = (note?.also ?? []).map((line) => `      ${line}\n`);
  return `    ${first}\n      ${text}\n${shown}${fix}${decision.join('')}${also.join('')}`;
}

function renderFrame(frame: CodeFrame | undefined, paint: Paint): string {
  if (frame === undefined) return '';
  const width = String(frame.first + frame.lines.length - 1).length;
  return frame.lines
    .map((line, index) => {
      const number = frame.first + index;
      const isMeant = number === frame.line;
      const text = `    ${isMeant ? '>' : ' '} ${String(number).padStart(width)} | ${line}`;
      return `${isMeant ? text.trimEnd() : paint('dim', text.trimEnd())}\n`;
    })
    .join('');
}

/** Each reason once, also if several findings have it. */
function proofsOf(group: readonly ReportedFinding[]): ReportedFinding[][] {
  const shown = group.filter(
    ({ finding }) => finding.effect !== undefined || isShownByObject(finding),
  );
  const distinct = new Map(
    shown.map((said) => [`${sameEffect(said)} ${said.finding.proof}`, said]),
  );
  return [...groupBy([...distinct.values()], sameEffect).values()];
}

const sameEffect = ({ finding: { effect, stored } }: ReportedFinding): string =>
  `${effect} ${JSON.stringify(stored)}`;

function waysOf(group: readonly ReportedFinding[]): string[] {
  const ways = new Set(
    group.flatMap(({ finding, note }) =>
      note?.fix === undefined
        ? []
        : [`${note.fix} (--fix FILE writes it)`, ...inGo(finding.markers)].join('\n      '),
    ),
  );
  return [...ways].map((way) => `      fix: ${way}\n`);
}

const effectStyles: Readonly<Record<Effect, Style>> = {
  breaking: 'red',
  'data-loss': 'red',
  undecided: 'yellow',
  behavior: 'yellow',
  safe: 'green',
};

/** @param alike of one place and effect: the first that has a witness shows it */
function renderProof(alike: readonly ReportedFinding[], { shown, paint }: Context): string {
  const told = alike.find((said) => said.finding.witness !== undefined) ?? alike[0];
  if (told === undefined) return '';
  const { effect, rule, proof, witness } = told.finding;
  if (effect === undefined) {
    return isShownByObject(told.finding) ? renderObject('an object that shows it:', witness) : '';
  }
  const several = alike.length > 1 ? alike : [];
  const reason = proof === undefined || several.length > 0 ? '' : `: ${proof}`;
  const head = `      ${paint(effectStyles[effect], `proof: ${effectWords[effect]}`)}${reason}`;
  const reasons = several.map(
    ({ finding }) => `\n        ${qualifiedRuleName(finding)}: ${finding.proof ?? ''}`,
  );
  const writes = storedWrites(told.finding).map((line) => `      ${line}\n`);
  const said = [...writes, head, several.length > 0 ? ':' : '', ...reasons].join('');
  if (witness === undefined) return rule === 'Proof' ? writes.join('') : `${said}\n`;
  const example = exampleYaml(witness);
  const isKnown = shown.has(example);
  shown.add(example);
  const [end, which] =
    several.length > 0 ? ['\n      ', qualifiedRuleName(told.finding)] : ['; ', 'it'];
  return isKnown
    ? `${said}${end}the object above shows ${which}\n`
    : `${said}${end}an object that shows ${which}:\n${indented(example)}`;
}

/** For other audiences, the request is shown instead. */
function isShownByObject(finding: Finding): boolean {
  const { audience, request, witness } = finding;
  const isOfObject = audience === 'readers' || audience === 'objects';
  return witness !== undefined && request === undefined && isOfObject && showsHarm(finding);
}

function renderObject(introduction: string, witness: unknown): string {
  return `      ${introduction}\n${indented(exampleYaml(witness))}`;
}

function indented(yaml: string): string {
  return yaml.trimEnd().replaceAll(/^/gm, '        ').concat('\n');
}

/** A witness as a user would write it, without a long text, list or row of keys that were made up. */
export function exampleYaml(witness: unknown): string {
  return writeYaml(witness, abbreviated);
}

const longestText = 100;
const [longestList, itemsShown] = [10, 3];

const madeUpKey = /^key\d+$/;

/** Instead of a very long text, list or row of keys, its length is printed. */
function abbreviated(_key: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length > longestList)
    return [...(value.slice(0, itemsShown) as unknown[]), `… (${value.length} items)`];
  if (typeof value === 'object' && value !== null) {
    const omitted = Object.keys(value)
      .filter((key) => madeUpKey.test(key))
      .slice(itemsShown);
    if (omitted.length <= longestList) return value;
    const shown = Object.entries(value).filter(([key]) => !omitted.includes(key));
    return { ...Object.fromEntries(shown), '…': `(${omitted.length} more keys)` };
  }
  if (typeof value !== 'string' || value.length <= longestText) return value;
  return `${value.slice(0, longestText / 4)}… (${value.length} characters)`;
}
