/** The update graph where no picture can be shown: a line for each entry, newest first. */
import type { PackageGraph } from '../../olm/index.js';
import { visible } from '../../text/visible.js';
import { renderTable } from '../table.js';
import { entryWords } from './entry-words.js';
import { headingOf } from './layout.js';
import { notesOf, titleOf } from './svg.js';

export function renderGraphText(graph: PackageGraph): string {
  const words = entryWords(graph);
  const labels = new Map(graph.rows.map(({ name, label }) => [name, label]));
  const rank = new Map(graph.rows.map(({ name }, index) => [name, index]));
  const channels = graph.channels.map((channel) => {
    const nodes = graph.nodes
      .filter((node) => node.channel === channel.name)
      .toSorted((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0));
    const rows = nodes.map((node) => [
      `  ${node.isInstalled ? '>' : node.isOnPath ? '*' : ' '} ${labels.get(node.name) ?? node.name}`,
      words(node),
    ]);
    return `\n${visible(headingOf(channel))}\n${renderTable(['    VERSION', ''], rows)}`;
  });
  const notes = notesOf(graph).map((note) => `${visible(note)}\n`);
  return [`${titleOf(graph)}\n`, ...notes, ...channels].join('');
}
