/** The update graph for Mermaid, as Markdown pages of code hosts draw it. */
import { type GraphEdge, type GraphNode, type PackageGraph } from '../../olm/index.js';
import { visible } from '../../text/visible.js';
import { headingOf } from './layout.js';
import { titleOf } from './svg.js';
import { groupBy } from '../../text/group.js';

/** Mermaid refuses more than 500, and a page cannot raise that. */
const maxEdges = 480;
const arrows = { replaces: '-->', skips: '-. skips .->', skipRange: '-. range .->' } as const;

export function renderMermaid(graph: PackageGraph): string {
  const labels = new Map(graph.rows.map(({ name, label }) => [name, label]));
  const ids = new Map(
    graph.nodes.map((node, index) => [keyOf(node.channel, node.name), `n${index}`]),
  );
  const shown = chooseEdges(graph.edges.filter(({ from, to }) => from !== to));
  const leftOut = graph.edges.length - shown.length;
  const lines = [
    '---',
    `title: ${JSON.stringify(escaped(titleOf(graph)))}`,
    '---',
    'flowchart BT',
    ...(graph.leftOut ?? []).map((sentence) => `  %% ${escaped(sentence)}`),
    ...(leftOut === 0
      ? []
      : [`  %% ${leftOut} edges of skips and skipRange are left out: Mermaid draws at most 500`]),
  ];
  const nodesOf = groupBy(graph.nodes, ({ channel }) => channel);
  for (const [index, channel] of graph.channels.entries()) {
    lines.push(`  subgraph c${index}["${escaped(headingOf(channel))}"]`, '    direction BT');
    for (const node of nodesOf.get(channel.name) ?? []) {
      const name = ids.get(keyOf(node.channel, node.name)) ?? '';
      lines.push(
        `    ${name}${shaped(node, labels.get(node.name) ?? node.name)}${classesOf(node)}`,
      );
    }
    lines.push('  end');
  }
  const id = (channel: string, name: string): string => ids.get(keyOf(channel, name)) ?? '';
  for (const edge of shown) {
    const arrow = edge.breaks === undefined ? arrows[edge.kind] : '-- breaks -->';
    const from = id(edge.fromChannel ?? edge.channel, edge.from);
    lines.push(`  ${from} ${arrow} ${id(edge.channel, edge.to)}`);
  }
  return [...lines, ...styles(shown)].join('\n').concat('\n');
}

/** Keeps the edges that matter most, in the order of the graph. */
function chooseEdges(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  if (edges.length <= maxEdges) return edges;
  const weight = ({ kind, isOnPath, breaks }: GraphEdge): number =>
    isOnPath || breaks !== undefined ? 0 : kind === 'replaces' ? 1 : kind === 'skips' ? 2 : 3;
  const kept = new Set(edges.toSorted((a, b) => weight(a) - weight(b)).slice(0, maxEdges));
  return edges.filter((edge) => kept.has(edge));
}

function shaped({ state }: GraphNode, label: string): string {
  const text = `"${escaped(label)}"`;
  if (state === 'head') return `(((${text})))`;
  if (state === 'unreachable') return `{{${text}}}`;
  return state === 'chain' ? `([${text}])` : `[${text}]`;
}

function classesOf({ state, isDeprecated, isOnPath }: GraphNode): string {
  if (isOnPath) return ':::onPath';
  if (state === 'unreachable') return ':::stranded';
  if (isDeprecated) return ':::deprecated';
  return state === 'skipped' || state === 'gone' ? ':::skipped' : '';
}

function styles(edges: readonly GraphEdge[]): string[] {
  const indexes = (wanted: (edge: GraphEdge) => boolean): string =>
    edges.flatMap((edge, index) => (wanted(edge) ? [index] : [])).join(',');
  const path = indexes(({ isOnPath, breaks }) => isOnPath && breaks === undefined);
  const broken = indexes(({ breaks }) => breaks !== undefined);
  return [
    '  classDef onPath stroke:#0b62d6,stroke-width:3px',
    '  classDef stranded stroke:#c4161c,stroke-width:2px',
    '  classDef deprecated stroke:#b36b00,stroke-dasharray:2 2',
    '  classDef skipped stroke-dasharray:5 3',
    ...(path === '' ? [] : [`  linkStyle ${path} stroke:#0b62d6,stroke-width:3px`]),
    ...(broken === '' ? [] : [`  linkStyle ${broken} stroke:#c4161c,stroke-width:3px`]),
  ];
}

function keyOf(channel: string, name: string): string {
  return JSON.stringify([channel, name]);
}

const entities: Readonly<Record<string, string>> = {
  '#': '#35;',
  '&': '#amp;',
  '"': '#quot;',
  '`': '#96;',
  '<': ' ',
  '>': ' ',
};

/** No directive either: `%%{` is one wherever it is, also in a label. */
function escaped(text: string): string {
  return visible(text)
    .replaceAll(/[#&"`<>]/g, (character) => entities[character] ?? character)
    .replaceAll('%{', '#37;{');
}
