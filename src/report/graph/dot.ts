/** The update graph for Graphviz. */
import { type GraphEdge, type GraphNode, type PackageGraph } from '../../olm/index.js';
import { visibleLines } from '../../text/visible.js';
import { edgeWords, nodeWords } from './shapes.js';
import { headingOf } from './layout.js';
import { titleOf } from './svg.js';
import { groupBy } from '../../text/group.js';

const lines = { replaces: 'solid', skips: 'dashed', skipRange: 'dotted' } as const;

export function renderDot(graph: PackageGraph): string {
  const labels = new Map(graph.rows.map(({ name, label }) => [name, label]));
  const nodesOf = groupBy(graph.nodes, ({ channel }) => channel);
  const clusters = graph.channels.map((channel, index) => {
    const nodes = (nodesOf.get(channel.name) ?? []).map(
      (node) => `    ${id(node.channel, node.name)} [${nodeAttributes(node, labels)}];\n`,
    );
    return `  subgraph cluster_${index} {\n    label=${quoted(headingOf(channel))}; color="#8a95a3";\n${nodes.join('')}  }\n`;
  });
  const edges = graph.edges
    .filter(({ from, to }) => from !== to)
    .map(
      (edge) =>
        `  ${id(edge.fromChannel ?? edge.channel, edge.from)} -> ${id(edge.channel, edge.to)} [${edgeAttributes(edge)}];\n`,
    );
  return `digraph ${quoted(graph.package)} {
  label=${quoted([titleOf(graph), ...(graph.leftOut ?? [])].join('\n'))}; labelloc=t; rankdir=BT; fontname="sans-serif";
  node [shape=ellipse, fontname="sans-serif", fontsize=11];
${clusters.join('')}${edges.join('')}}
`;
}

function nodeAttributes(node: GraphNode, labels: ReadonlyMap<string, string>): string {
  const style = [
    ...(node.state === 'skipped' || node.state === 'gone' ? ['dashed'] : []),
    ...(node.isDeprecated ? ['dotted'] : []),
  ];
  return [
    `label=${quoted(labels.get(node.name) ?? node.name)}`,
    `tooltip=${quoted(nodeWords(node))}`,
    ...(node.state === 'head' ? ['peripheries=2'] : []),
    ...(node.state === 'unreachable' ? ['shape=diamond', 'color="#c4161c"'] : []),
    ...(style.length === 0 ? [] : [`style="${style.join(',')}"`]),
    ...(node.isOnPath ? ['penwidth=3', 'color="#0b62d6"'] : []),
  ].join(', ');
}

function edgeAttributes(edge: GraphEdge): string {
  const color = edge.breaks !== undefined ? '#c4161c' : edge.isOnPath ? '#0b62d6' : '#8a95a3';
  return [
    `style=${lines[edge.kind]}`,
    `color="${color}"`,
    `tooltip=${quoted(edgeWords(edge))}`,
    ...(edge.isOnPath ? ['penwidth=3'] : []),
    ...(edge.breaks === undefined ? [] : ['label="breaks"', `fontcolor="${color}"`]),
    // Only `replaces` says which is above which.
    ...(edge.kind === 'replaces' && edge.fromChannel === undefined ? [] : ['constraint=false']),
  ].join(', ');
}

function id(channel: string, name: string): string {
  return quoted(`${channel}/${name}`);
}

function quoted(text: string): string {
  return `"${visibleLines(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
