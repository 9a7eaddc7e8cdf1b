import { capital, type ReportVerdict } from '../verdict.js';
import { escapeText as escape } from '../graph/markup.js';

/** Colours and layout of the pages. What is said by colour is said by a word or a sign as well. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2430; --muted: #55606f; --rule: #d6dce3; --stripe: #f4f6f8;
  --accent: #0b57c0; --bad: #b3141a; --badpaper: #fdeeee; --good: #1f6b43; --goodpaper: #ecf7f0; --amber: #7d4a00; --amberpaper: #fff6e5; --mark: #ffe3a3; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --ink: #e8ecf1; --muted: #a9b4c0; --rule: #333c46; --stripe: #1a2028;
  --accent: #78b6ff; --bad: #ff8a8a; --badpaper: #321a1c; --good: #7ed3a8; --goodpaper: #15291f; --amber: #ffc04d; --amberpaper: #2d2413; --mark: #5c4510; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.45rem; line-height: 1.3; margin: .1rem 0 .35rem; } h2 { font-size: 1.15rem; margin: 0 0 .6rem; } h3 { font-size: 1.02rem; font-weight: 600; line-height: 1.4; margin: 0; } h4 { font-size: .85rem; color: var(--muted); font-weight: 600; margin: .7rem 0 .15rem; }
p { margin: .25rem 0; } ul, ol { margin: .3rem 0; padding-left: 1.3rem; }
code, pre, kbd { font: 13.5px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
h3 code { font-size: .95em; font-weight: 700; }
pre { margin: .3rem 0; padding: .5rem .7rem; background: var(--stripe); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; }
kbd { border: 1px solid var(--rule); border-radius: 4px; padding: 0 .3rem; }
mark { background: var(--mark); color: inherit; border-radius: 2px; box-shadow: 0 0 0 2px var(--mark); }
a { color: var(--accent); }
.muted { color: var(--muted); }
.banner { margin: 1.4rem 0 1rem; padding: .9rem 1.1rem; border-radius: 10px; border-left: 6px solid; }
.banner.denied { border-color: var(--bad); background: var(--badpaper); } .banner.warned { border-color: var(--amber); background: var(--amberpaper); } .banner.allowed { border-color: var(--good); background: var(--goodpaper); }
.banner .word { font-weight: 700; margin: 0; } .denied .word { color: var(--bad); } .warned .word { color: var(--amber); } .allowed .word { color: var(--good); } .banner .muted { color: inherit; opacity: .85; font-size: .92rem; }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: center; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--rule); font-size: .92rem; }
.keys { display: none; } @media (hover: hover) and (pointer: fine) and (min-width: 641px) { .keys { display: inline; } }
input, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 6px; padding: .2rem .55rem; min-height: 2rem; max-width: 100%; }
button { cursor: pointer; }
:is(input, select, button, summary, a, pre, .finding):focus-visible, .finding:target { outline: 2.5px solid var(--accent); outline-offset: 2px; }
section.result { margin: 1.8rem 0; } section.notes { margin: 1rem 0; } section.notes h2 { font-size: 1rem; margin: 0; }
.verdict { font-weight: 700; font-size: .95rem; margin-left: .35rem; } .verdict.denied { color: var(--bad); } .verdict.allowed { color: var(--good); } .verdict.warned { color: var(--amber); }
.finding { border: 1px solid var(--rule); border-left: 5px solid var(--muted); border-radius: 8px; padding: .75rem 1rem; margin: .8rem 0; }
.finding.error { border-left-color: var(--bad); } .finding.warning { border-left-color: var(--amber); }
.finding .message { white-space: pre-wrap; }
.label { font-size: .82rem; font-weight: 700; border-radius: 99px; padding: .1rem .6rem; background: var(--stripe); white-space: nowrap; } .error .label { color: var(--bad); background: var(--badpaper); } .warning .label { color: var(--amber); background: var(--amberpaper); }
.anchor { color: var(--muted); padding: 0 .3rem; }
.origin { font-size: .85rem; margin-top: .7rem; } .origin code { font-size: .95em; }
.reference, .elsewhere { margin-top: .4rem; font-size: .92rem; }
.diff { padding-left: .2rem; padding-right: .2rem; } .diff span { display: inline-block; min-width: 100%; padding: 0 .5rem; border-radius: 2px; } .diff .old { background: var(--badpaper); color: var(--bad); } .diff .new { background: var(--goodpaper); color: var(--good); }
.copyable { position: relative; } .copyable pre { padding-right: 5rem; } .copyable button { position: absolute; top: .35rem; right: .4rem; font-size: .85rem; min-height: 1.7rem; padding: 0 .5rem; }
summary { cursor: pointer; padding: .25rem .2rem; }
.fold, .passed { margin: .7rem 0; } .fold > summary, .passed > summary { font-weight: 600; color: var(--muted); }
.tree details { margin-left: 1rem; } .tree > details { margin-left: 0; } .tree .muted { font-size: .9rem; }
.state { font-size: .85rem; } .added > summary .state { color: var(--good); } .removed > summary .state { color: var(--bad); }
[hidden] { display: none !important; }
@media (max-width: 640px) { body { padding: 0 .75rem 3rem; } h1 { font-size: 1.2rem; } .finding { padding: .6rem .7rem; } .tree details { margin-left: .5rem; } .tools { position: static; } .tools label { display: grid; } }
@media print { .tools, button, .anchor { display: none; } body { max-width: none; font-size: 11px; } .finding { break-inside: avoid; } .banner { border: 1px solid; border-left-width: 6px; } details::details-content { content-visibility: visible; } }
`;

export function banner({
  word,
  sentence,
  kind,
  below = '',
}: { readonly below?: string } & Pick<ReportVerdict, 'word' | 'sentence' | 'kind'>): string {
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

/** How every page begins that is a file of its own: it loads nothing from anywhere. */
export function pageHead(title: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}</style>
</head>`;
}
