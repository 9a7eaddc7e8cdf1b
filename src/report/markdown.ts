/** A check as a comment on a pull request, in GitHub's and GitLab's Markdown. */
import { qualifiedRuleName } from '../upgrade/index.js';
import { groupFindings, type ReportedFinding } from './grouping.js';
import { hasSomethingToSay, type CheckReport, type CheckResult } from './check-report.js';
import { renderCounts } from './counts.js';
import { abridgeUnchecked } from './unchecked.js';
import { verdictOf } from './verdict.js';
import { messageDetails, formatLocation, renderPlace } from './wording.js';
import { append } from '../text/long-lists.js';

/** GitHub refuses comments of more than 65,536 characters. */
const longestComment = 60_000;

/** A headline, then a table per thing that was judged and has something to say; bounded. */
export function renderMarkdown(report: CheckReport): string {
  const { summary, sentence, kind } = verdictOf(report);
  const worst = kind === 'allowed' ? '' : `**${cell(sentence)}**\n\n`;
  const { warnings = [] } = report;
  const warned = warnings.map((sentence) => `\n**Warning:** ${cell(sentence)}\n`).join('');
  const head = `### olm-guard: ${summary}\n\n${worst}${cell(renderCounts(report))}\n${warned}`;
  const sections = report.results
    .filter(hasSomethingToSay)
    // Denied subjects come first: they must not be cut off.
    .sort((left, right) => Number(left.verdict.allowed) - Number(right.verdict.allowed))
    .flatMap(renderResult);
  const { unchecked = [] } = report;
  const blind = abridgeUnchecked(unchecked).map((sentence) => `- ${cell(sentence)}\n`);
  const pieces = blind.length > 0 ? ['\n#### Not checked\n\n', ...blind, ...sections] : sections;
  const kept = [head];
  let left = longestComment - head.length;
  for (const [index, piece] of pieces.entries()) {
    left -= piece.length;
    if (left < 0) {
      kept.push(`\nand ${pieces.length - index} more lines: run \`olm-guard check\` yourself\n`);
      break;
    }
    kept.push(piece);
  }
  return kept.join('');
}

/** Pieces that can be cut between: whole lines of the table. */
function renderResult(result: CheckResult): string[] {
  const { name, verdict, counted = [] } = result;
  const decision = verdict.allowed ? 'allowed' : 'denied';
  const by = verdict.bypassedBy === undefined ? '' : ` (switched off by ${verdict.bypassedBy})`;
  const pieces = [`\n#### ${cell(name)}: ${decision}${cell(by)}\n`];
  if (verdict.findings.length > 0) {
    pieces.push('\n| | Rule | Where | What |\n|---|---|---|---|\n');
    for (const { reported, others } of groupFindings(result)) {
      reported.forEach((said, index) => {
        pieces.push(
          row(
            name,
            said,
            others.flatMap((group) => group[index] ?? []),
          ),
        );
      });
    }
  }
  const sentences = [...counted, ...verdict.warnings];
  if (sentences.length > 0) {
    append(pieces, ['\n', ...sentences.map((sentence) => `- ${cell(sentence)}\n`)]);
  }
  return pieces;
}

const maxPlaces = 5;

/** One line for a finding and those that say the same of other paths. */
function row(judged: string, said: ReportedFinding, others: readonly ReportedFinding[]): string {
  const { severity, message } = said.finding;
  const places = [said, ...others.slice(0, maxPlaces - 1)].flatMap(({ finding, place }) => [
    formatLocation(finding, judged),
    renderPlace(place),
  ]);
  const left = others.length - maxPlaces + 1;
  if (left > 0) places.push(`and ${left} more`);
  const where = places.filter((part) => part !== '').map(cell);
  const what = [message, ...messageDetails(said.finding, said.note)].map(cell);
  return `| ${[severity, cell(qualifiedRuleName(said.finding)), where.join('<br>'), what.join('<br>')].join(' | ')} |\n`;
}

/** Text that stays text: no markup, no table, no mention of a person, one line. */
export function cell(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]|~#$]/g, (character) => `\\${character}`)
      // Without width: a mention or an address is none any more, and reads the same.
      .replaceAll('@', '@&#8203;')
      .replaceAll('://', ':&#8203;//')
      .replaceAll(/\bwww\./gi, (www) => `${www.slice(0, -1)}&#8203;.`)
      .replaceAll(/\s*\n\s*/g, '<br>')
  );
}
