/** A resolution as one page that loads nothing: what OLM will do, why, and the diagram. */
import type { Verdict } from '../../rule/index.js';
import type { Explanation, Outcome, ResolutionPicture } from '../../olm/index.js';
import { escapeText as escape } from './graph/markup.js';
import { pageHead } from './page-head.js';
import { banner } from './page/elements.js';
import { pageStyle } from './page/style.js';
import { resolutionSections } from './resolution.js';
import { renderResolutionPicture } from './resolution-picture/svg.js';

export function renderResolutionPage(
  verdict: Verdict,
  output: Outcome & { readonly explanation: Explanation },
  picture: ResolutionPicture,
): string {
  const [[sentence = '', ...first] = [], ...sections] = resolutionSections(
    output,
    output.explanation,
    verdict,
  );
  const isWarned = verdict.findings.length + verdict.warnings.length > 0;
  const [word, kind] = !verdict.allowed
    ? (['Denied', 'denied'] as const)
    : isWarned
      ? (['Resolves, with warnings', 'warned'] as const)
      : (['Resolves', 'allowed'] as const);
  return `${pageHead(`olm-guard: ${sentence}`, pageStyle)}
<body>
<main>
${banner({ word, sentence, kind })}
${renderLines(first)}
${sections.map(([title = '', ...below]) => `<section class="result"><h2>${escape(title.trim())}</h2>${renderLines(below)}</section>`).join('\n')}
<div class="picture" tabindex="0" role="region" aria-label="Diagram">${renderResolutionPicture(picture)}</div>
</main>
</body>
</html>
`;
}

/** Lines that begin with `1.` or `-` as lists; what is indented below an item belongs to it. */
function renderLines(lines: readonly string[]): string {
  const blocks: { readonly tag: 'p' | 'ol' | 'ul'; readonly entries: string[] }[] = [];
  for (const line of lines) {
    const [, marker, text = ''] = /^\s*(?:(\d+\.|-) )?(.*)$/s.exec(line) ?? [];
    const tag = marker === undefined ? 'p' : marker === '-' ? 'ul' : 'ol';
    const last = blocks.at(-1);
    const entry = escape(text.trim());
    if (last !== undefined && last.tag !== 'p' && line.startsWith('    ')) {
      last.entries.push(`${last.entries.pop()}<br>${entry}`);
    } else if (tag !== 'p' && last?.tag === tag) last.entries.push(entry);
    else blocks.push({ tag, entries: [entry] });
  }
  return blocks
    .map(({ tag, entries }) =>
      tag === 'p'
        ? `<p>${entries.join('')}</p>`
        : `<${tag}>${entries.map((each) => `<li>${each}</li>`).join('')}</${tag}>`,
    )
    .join('');
}
