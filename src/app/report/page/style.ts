/** Colours and layout of the page. What is said by colour is said by a word or a sign as well. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2430; --muted: #55606f; --rule: #d6dce3; --stripe: #f3f5f8;
  --accent: #0b57c0; --bad: #b3141a; --badpaper: #fdeeee; --good: #1f6b43; --goodpaper: #ecf7f0; --amber: #7d4a00; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161c; --ink: #e8ecf1; --muted: #a9b4c0; --rule: #333c46; --stripe: #1a2028;
  --accent: #78b6ff; --bad: #ff8080; --badpaper: #321a1c; --good: #7ed3a8; --goodpaper: #15291f; --amber: #ffc04d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 1.4rem 0 .2rem; } h2 { font-size: 1.15rem; margin: 0; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
code, pre { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { margin: .3rem 0; padding: .5rem .7rem; background: var(--stripe); border-radius: 4px; overflow-x: auto; white-space: pre-wrap; }
a { color: var(--accent); }
.muted { color: var(--muted); }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: .8rem 0; list-style: none; }
.counts li { border: 1px solid var(--rule); border-radius: 6px; padding: .3rem .8rem; }
.counts b { font-size: 1.25rem; margin-right: .35rem; }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--rule); }
input, select, button { font: inherit; color: inherit; background: var(--stripe); border: 1px solid var(--muted); border-radius: 4px; padding: .2rem .55rem; min-height: 2rem; max-width: 100%; }
button { cursor: pointer; }
:is(input, select, button, summary, a, pre, .finding, .picture):focus-visible { outline: 2.5px solid var(--accent); outline-offset: 2px; }
section.result { margin: 1.6rem 0; border: 1px solid var(--rule); border-radius: 8px; padding: .9rem 1.1rem; }
section.result > header { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; }
.verdict { font-weight: 700; } .verdict.denied { color: var(--bad); } .verdict.allowed { color: var(--good); } .verdict.warned { color: var(--amber); }
.finding { border-left: 4px solid var(--muted); padding: .1rem 0 .2rem .8rem; margin: .8rem 0; }
.finding.error { border-color: var(--bad); } .finding.warning { border-color: var(--amber); }
.finding p { margin: .2rem 0; } .finding .message { white-space: pre-wrap; }
.severity { font-weight: 700; } .error .severity { color: var(--bad); } .warning .severity { color: var(--amber); }
.tag { border: 1px solid var(--rule); border-radius: 99px; padding: 0 .5rem; font-size: .85rem; color: var(--muted); white-space: nowrap; }
.tree details { margin-left: 1rem; } .tree > details { margin-left: 0; }
summary { cursor: pointer; padding: .1rem .2rem; } summary code { font-weight: 600; }
.state { font-size: .85rem; } .added > summary .state { color: var(--good); } .removed > summary .state { color: var(--bad); }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; margin-left: 1rem; }
.sides > div > span { font-size: .8rem; color: var(--muted); }
.sides pre.old { background: var(--badpaper); } .sides pre.next { background: var(--goodpaper); }
.same { margin: .1rem 0 .3rem 1rem; color: var(--muted); font-size: .9rem; }
.picture { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--rule); border-radius: 8px; } .picture svg { display: block; }
[hidden] { display: none !important; }
@media (max-width: 640px) { body { padding: 0 .75rem 3rem; } .sides { grid-template-columns: 1fr; } .tree details, .sides { margin-left: .4rem; } .tools { position: static; } section.result { padding: .7rem; } }
@media print { .tools, button { display: none; } body { max-width: none; font-size: 11px; } section.result { border: 0; border-top: 1px solid var(--rule); } .finding { break-inside: avoid; } details::details-content { content-visibility: visible; } }
`;
