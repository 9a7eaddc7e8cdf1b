import type { Verdict } from '../rule/index.js';
import type { Explanation, Outcome, ResolutionPicture } from '../olm/index.js';
import { escapeText as escape } from './graph/markup.js';
import { pageHead, banner, pageStyle } from './page/elements.js';
import { resolutionSections, type ResolutionSection } from './resolution.js';
import { renderResolutionPicture } from './resolution-picture/svg.js';

export function renderResolutionPage(
  verdict: Verdict,
  output: Outcome & { readonly explanation: Explanation },
  picture: ResolutionPicture,
): string {
  const [first = { heading: '' }, ...sections] = resolutionSections(
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
  return `${pageHead(`olm-guard: ${first.heading}`, pageStyle)}
<body>
<main>
${banner({ word, sentence: first.heading, kind })}
${renderContent(first)}
${sections.map((section) => `<section class="result"><h2>${escape(section.heading)}</h2>${renderContent(section)}</section>`).join('\n')}
<div class="picture" tabindex="0" role="region" aria-label="Diagram">${renderResolutionPicture(picture)}</div>
</main>
</body>
</html>
`;
}

function renderContent({ lines = [], list }: ResolutionSection): string {
  const paragraphs = lines.map((line) => `<p>${escape(line)}</p>`).join('');
  if (list === undefined) return paragraphs;
  const items = list.items.map((item) => `<li>${item.map(escape).join('<br>')}</li>`);
  return `${paragraphs}<${list.tag}>${items.join('')}</${list.tag}>`;
}
