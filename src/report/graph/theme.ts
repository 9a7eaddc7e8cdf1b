/** Colours and strokes of graphs, in light and dark. Shapes show the state too, never colour alone. */

const light = `
  --paper: #ffffff; --ink: #1c2430; --muted: #5b6675; --line: #8a95a3; --stripe: #f3f5f8; --rule: #dfe4ea;
  --node: #2f6f4f; --skips: #6b4fa0; --range: #a05a00; --path: #0b62d6; --breaks: #c4161c; --amber: #8a5200;`;
const dark = `
  --paper: #12161c; --ink: #e8ecf1; --muted: #a3aebb; --line: #6f7c8b; --stripe: #191f27; --rule: #2b333d;
  --node: #6cc59a; --skips: #b79df0; --range: #f0a84b; --path: #6cb0ff; --breaks: #ff6b6b; --amber: #ffc04d;`;

export const graphStyle = `
.olm-graph { ${light} }
@media (prefers-color-scheme: dark) { .olm-graph { ${dark} } }
.olm-graph text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); }
.olm-graph .title { font-size: 17px; font-weight: 700; }
.olm-graph .muted { fill: var(--muted); }
.olm-graph .heading { font-weight: 700; }
.olm-graph .alert { fill: var(--breaks); }
.olm-graph .amber { fill: var(--amber); }
.olm-graph .paper { fill: var(--paper); }
.olm-graph .stripe { fill: var(--stripe); }
.olm-graph .rule { stroke: var(--rule); stroke-width: 1; }
.olm-graph .edge { fill: none; stroke: var(--line); stroke-width: 1.6; }
.olm-graph .skips { stroke: var(--skips); stroke-dasharray: 5 3; }
.olm-graph .skipRange { stroke: var(--range); stroke-dasharray: 1.5 3; }
.olm-graph .on-path { stroke: var(--path); stroke-width: 3.2; stroke-dasharray: none; }
.olm-graph .breaks { stroke: var(--breaks); stroke-width: 2.6; stroke-dasharray: none; }
.olm-graph .arrow { fill: var(--line); stroke: none; }
.olm-graph .arrow.skips { fill: var(--skips); } .olm-graph .arrow.skipRange { fill: var(--range); }
.olm-graph .arrow.on-path { fill: var(--path); } .olm-graph .arrow.breaks { fill: var(--breaks); }
.olm-graph .shape { fill: var(--node); stroke: var(--paper); stroke-width: 1.5; }
.olm-graph .skipped .shape, .olm-graph .gone .shape { fill: var(--paper); stroke: var(--muted); stroke-width: 1.8; }
.olm-graph .unreachable .shape { fill: var(--paper); stroke: var(--breaks); stroke-width: 2; }
.olm-graph .deprecated .shape { stroke: var(--amber); stroke-width: 2; }
.olm-graph .slash { stroke: var(--amber); stroke-width: 2.2; }
.olm-graph .bar { stroke: var(--breaks); stroke-width: 2.6; }
.olm-graph .head-ring { fill: none; stroke: var(--node); stroke-width: 1.6; }
.olm-graph .way .shape { fill: var(--path); }
.olm-graph .way .head-ring { stroke: var(--path); }
.olm-graph .path-ring { fill: none; stroke: var(--path); stroke-width: 2.4; }
`;
