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
${lines(first)}
${sections.map(([title = '', ...below]) => `<section class="result"><h2>${escape(title.trim())}</h2>${lines(below)}</section>`).join('\n')}
<div class="picture" tabindex="0" role="region" aria-label="Diagram">${renderResolutionPicture(picture)}</div>
</main>
</body>
</html>
`;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `<p>${escape(line.trim())}</p>`).join('');
}
