/** The update graph as one page that loads nothing: arrow keys walk it, and it says what is under the cursor. */
import type { PackageGraph } from '../../olm/index.js';
import { pageHead } from '../page-head.js';
import { pageScript } from './html-script.js';
import { layOut } from './layout.js';
import { legendItems } from './legend.js';
import { escapeText, number } from './markup.js';
import { nodeWords } from './shapes.js';
import {
  bodyMarkup,
  headingsHeight,
  headingsMarkup,
  notesOf,
  titleOf,
  entryLabels,
} from './svg.js';
import { graphStyle } from './theme.js';

const pageStyle = `
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: grid; grid-template: auto minmax(0, 1fr) / fit-content(75vw) minmax(18rem, 1fr);
  background: var(--paper); color: var(--ink); font: 14px system-ui, sans-serif; }
header { grid-column: 1 / -1; padding: .8rem 1.5rem .4rem; border-bottom: 1px solid var(--rule); }
h1 { font-size: 1.15rem; margin: 0 0 .4rem; }
header p { margin: .2rem 0; } .note { color: var(--amber); }
.tools { display: flex; gap: .8rem; align-items: center; flex-wrap: wrap; margin: .3rem 0; }
.tools .keys { color: var(--muted); }
input, button { font: inherit; color: inherit; background: var(--stripe); border: 1px solid var(--line); border-radius: 4px; padding: .15rem .5rem; }
:is(input, button):focus-visible { outline: 2.5px solid var(--path); outline-offset: 1px; }
main { overflow: auto; position: relative; }
header summary { cursor: pointer; color: var(--muted); } .marks p { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; }
.marks span { display: inline-flex; align-items: center; gap: .35rem; color: var(--muted); } .marks svg { overflow: visible; }
main svg { display: block; } .headings { position: sticky; top: 0; z-index: 1; background: var(--paper); }
aside { overflow: auto; padding: 1rem 1.25rem; border-left: 1px solid var(--rule); overflow-wrap: anywhere; }
aside h2 { font-size: 1rem; margin: 0 0 .4rem; } aside h3 { break-after: avoid; font-size: .9rem; margin: 1rem 0 .3rem; }
aside ol { margin: 0; padding-left: 1.6rem; color: var(--muted); } aside ul { list-style: none; margin: 0; padding: 0; } aside li { margin: .3rem 0; color: var(--muted); }
aside li.broken { color: var(--breaks); } aside button { color: var(--ink); }
@media (max-width: 700px) {
  body { grid-template: auto minmax(0, 1fr) 35vh / minmax(0, 1fr); }
  header { padding: .5rem .8rem .2rem; overflow-wrap: anywhere; } .tools .keys { display: none; }
  aside { border-left: 0; border-top: 1px solid var(--rule); }
  .drawn { width: var(--narrow); overflow: clip; } .beside { display: none; }
}
`;

export function renderHtml(graph: PackageGraph): string {
  const layout = layOut(graph);
  const width = layout.width + entryLabels(graph).width;
  const data = {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, words: nodeWords(node) })),
  };
  const svg = (width: number, height: number, markup: string, attributes: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" ${attributes}>${markup}</svg>`;
  return `${pageHead(titleOf(graph), graphStyle + pageStyle)}
<body class="olm-graph">
<header>
<h1>${escapeText(titleOf(graph))}</h1>
${notesOf(graph)
  .map((note) => `<p class="note">${escapeText(note)}</p>`)
  .join('\n')}
<div class="tools">
<label>Find <input id="find" type="search" placeholder="1.2.3" aria-describedby="found"></label> <span id="found" role="status"></span>
<button id="theme" type="button">Light or dark</button>
<span class="keys">Tab to the graph, arrow keys to walk, / to find</span>
</div>
<details class="marks" open><summary>What the marks mean</summary><p>${legendItems(graph)}</p></details>
</header>
<main aria-label="Update graph">
<div class="drawn" style="--narrow: ${number(layout.width)}px">
<div class="headings">${svg(width, headingsHeight, headingsMarkup(layout, width), 'role="img" aria-label="Channels"')}</div>
${svg(width, layout.height + 12, bodyMarkup(graph, layout, width), 'role="group" aria-label="Versions by channel"')}
</div>
</main>
<aside id="details" aria-live="polite" aria-label="Details"><p>Choose a version in the graph to see where it can be updated to.</p></aside>
<script type="application/json" id="graph">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${pageScript}</script>
</body>
</html>
`;
}
