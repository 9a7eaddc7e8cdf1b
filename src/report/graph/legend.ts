/** Explains the marks that the picture has. */
import type { GraphNode, PackageGraph } from '../../olm/index.js';
import { characterWidth } from './layout.js';
import { escapeText, number } from './markup.js';
import { nodeMarkup } from './shapes.js';

interface Item {
  readonly words: string;
  /** Drawn around (12, 0). */
  readonly mark: string;
}

const rowHeight = 24;

export function legendMarkup(
  graph: PackageGraph,
  widthOfGraph: number,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const limit = Math.max(widthOfGraph, 560);
  let x = 24;
  let row = 0;
  let width = 0;
  const placed = itemsOf(graph).map(({ words, mark }) => {
    const needed = 34 + [...words].length * characterWidth + 18;
    if (x > 24 && x + needed > limit) {
      x = 24;
      row++;
    }
    const at = `translate(${number(x)} ${row * rowHeight + 12})`;
    x += needed;
    width = Math.max(width, x);
    return `<g class="legend" transform="${at}">${mark}<text class="muted" x="32" y="4">${escapeText(words)}</text></g>`;
  });
  return { markup: placed.join('\n'), width, height: (row + 1) * rowHeight };
}

function itemsOf(graph: PackageGraph): Item[] {
  const states = new Set(graph.nodes.map(({ state }) => state));
  const kinds = new Set(graph.edges.map(({ kind }) => kind));
  const sample = (changes: Partial<GraphNode>): string => {
    const node: GraphNode = {
      channel: '',
      name: '',
      state: 'chain',
      isDeprecated: false,
      isOnPath: false,
      isInstalled: false,
      ...changes,
    };
    // A sample is no part of the graph: assistive technology skips it.
    return nodeMarkup({ node, x: 12, y: 0 })
      .replace(/ role="img" aria-label="[^"]*"/, ' aria-hidden="true"')
      .replace(/<title>.*?<\/title>/, '')
      .replace('class="node ', 'class="sample ');
  };
  const line = (classes: string): string =>
    `<path class="edge ${classes}" d="M0 0H18"/><path class="arrow ${classes}" d="M24 0l-6 -4v8z"/>`;
  return [
    ...(graph.channels.some(({ isDefault }) => isDefault)
      ? [{ words: 'default channel', mark: '<text x="7" y="4">★</text>' }]
      : []),
    ...(states.has('head') ? [{ words: 'head', mark: sample({ state: 'head' }) }] : []),
    ...(graph.nodes.some(({ strandedBefore }) => strandedBefore !== undefined)
      ? [
          {
            words: 'no way into a later channel',
            mark: sample({ state: 'head', strandedBefore: '' }),
          },
        ]
      : []),
    ...(states.has('skipped') ? [{ words: 'skipped', mark: sample({ state: 'skipped' }) }] : []),
    ...(states.has('unreachable')
      ? [{ words: 'stranded', mark: sample({ state: 'unreachable' }) }]
      : []),
    ...(graph.nodes.some(({ isDeprecated }) => isDeprecated)
      ? [{ words: 'deprecated', mark: sample({ isDeprecated: true }) }]
      : []),
    ...(kinds.has('replaces') ? [{ words: 'replaces', mark: line('replaces') }] : []),
    ...(kinds.has('skips') ? [{ words: 'skips', mark: line('skips') }] : []),
    ...(kinds.has('skipRange') ? [{ words: 'skipRange', mark: line('skipRange') }] : []),
    ...(graph.nodes.some(({ isInstalled }) => isInstalled)
      ? [{ words: 'installed', mark: sample({ isInstalled: true, isOnPath: true }) }]
      : []),
    ...(graph.edges.some(({ isOnPath }) => isOnPath)
      ? [{ words: 'the way from there', mark: line('on-path') }]
      : []),
    ...(graph.edges.some(({ breaks }) => breaks !== undefined)
      ? [
          {
            words: 'breaks stored objects',
            mark: `${line('breaks')}<path class="edge breaks" d="M4 -4l8 8m0 -8l-8 8"/>`,
          },
        ]
      : []),
  ];
}
