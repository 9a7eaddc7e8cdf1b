import { capital, type ReportVerdict } from '../verdict.js';
import { escapeText as escape } from '../graph/markup.js';

export function banner({
  word,
  sentence,
  kind,
  below = '',
}: {
  readonly below?: string;
} & Pick<ReportVerdict, 'word' | 'sentence' | 'kind'>): string {
  return `<header class="banner ${kind}">
<p class="word">${escape(word)}</p>
<h1>${escape(capital(sentence))}</h1>
${below === '' ? '' : `<p class="muted">${escape(below)}</p>`}
</header>`;
}

export function listOf(title: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return '';
  const items = sentences.map((sentence) => `<li>${escape(sentence)}</li>`);
  return `<section class="notes"><h2>${title}</h2><ul>${items.join('')}</ul></section>`;
}

export function copyable(id: string, text: string, label: string): string {
  return `<div class="copyable"><pre id="${id}" tabindex="0" aria-label="${escape(label)}">${escape(text)}</pre><button type="button" data-copy="${id}" aria-label="Copy: ${escape(label)}">Copy</button></div>`;
}
