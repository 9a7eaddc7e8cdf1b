/** The update graph as one SVG: self-contained, and follows the reader's light or dark. */
import { plural } from '../../text/plural.js';
import type { PackageGraph } from '../../olm/index.js';
import { entryWords } from './entry-words.js';
import { characterWidth, headingOf, layOut, type Layout } from './layout.js';
import { legendMarkup } from './legend.js';
import { escapeText, number } from './markup.js';
import { busMarkup, linkMarkup, nodeMarkup } from './shapes.js';
import { graphStyle } from './theme.js';
import { largest } from '../../text/long-lists.js';

const top = 16;
const titleHeight = 34;
const headingHeight = 34;

export function renderSvg(graph: PackageGraph): string {
  const layout = layOut(graph);
  const beside = entryLabels(graph);
  const drawn = layout.width + beside.width;
  const legend = legendMarkup(graph, drawn);
  const notes = notesOf(graph);
  const head = top + titleHeight + notes.length * 18 + legend.height + 8;
  const width = Math.max(drawn, legend.width, widest([titleOf(graph)], 10.6), widest(notes, 7.4));
  const height = head + headingHeight + layout.height + 16;
  const body = [
    `<rect class="paper" width="${number(width)}" height="${number(height)}"/>`,
    `<text class="title" x="24" y="${top + 18}">${escapeText(titleOf(graph))}</text>`,
    ...notes.map(
      (note, index) =>
        `<text class="amber" x="24" y="${top + titleHeight + 10 + index * 18}">${escapeText(note)}</text>`,
    ),
    `<g transform="translate(0 ${top + titleHeight + notes.length * 18})">${legend.markup}</g>`,
    `<g transform="translate(0 ${head})">${headingsMarkup(layout, width)}</g>`,
    `<g transform="translate(0 ${head + headingHeight})">${bodyMarkup(graph, layout, width)}</g>`,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="olm-graph" viewBox="0 0 ${number(width)} ${number(height)}" width="${number(width)}" height="${number(height)}" role="img" aria-label="${escapeText(titleOf(graph))}">
<style>${graphStyle}</style>
${body.join('\n')}
</svg>
`;
}

/** E.g. `Updates of op: 12 versions in 2 channels`. */
export function titleOf(graph: PackageGraph): string {
  const { rows, channels } = graph;
  return `Updates of ${graph.package}: ${plural(rows.length, 'version')} in ${plural(channels.length, 'channel')}`;
}

export function notesOf(graph: PackageGraph): string[] {
  return [
    ...(graph.deprecation === undefined
      ? []
      : [`The package is deprecated: ${oneLine(graph.deprecation)}`]),
    ...graph.channels.flatMap(({ name, deprecation, problem }) => [
      ...(deprecation === undefined
        ? []
        : [`Channel ${name} is deprecated: ${oneLine(deprecation)}`]),
      ...(problem === undefined ? [] : [`Channel ${name} is unusable to OLM classic: ${problem}`]),
    ]),
    ...(graph.leftOut ?? []).map(
      (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1),
    ),
  ].map((note) => (note.length > 140 ? `${note.slice(0, 139)}…` : note));
}

function headingsMarkup(layout: Layout, width: number): string {
  const headings = layout.columns.map(({ channel, left }) => {
    const tone =
      channel.problem !== undefined ? 'alert' : channel.deprecation !== undefined ? 'amber' : '';
    return `<text class="heading ${tone}" x="${number(left + 20)}" y="20">${escapeText(headingOf(channel))}</text>`;
  });
  return [
    `<text class="muted" x="24" y="20">version</text>`,
    ...headings,
    `<path class="rule" d="M16 ${headingHeight - 2}H${number(width - 8)}"/>`,
  ].join('\n');
}

const longestWords = 76;

/** One channel leaves room for what each entry says of itself; the width is that of the longest, in pixels. */
function entryLabels(graph: PackageGraph): {
  readonly words: ReadonlyMap<string, string>;
  readonly width: number;
} {
  if (graph.channels.length !== 1) return { words: new Map(), width: 0 };
  const wordsOf = entryWords(graph);
  const words = new Map(
    graph.nodes.map((node): [string, string] => {
      const text = [...oneLine(wordsOf(node))];
      const isLong = text.length > longestWords;
      return [node.name, isLong ? `${text.slice(0, longestWords - 1).join('')}…` : text.join('')];
    }),
  );
  return { words, width: widest([...words.values()], characterWidth) };
}

function bodyMarkup(graph: PackageGraph, layout: Layout, width: number): string {
  const deprecated = new Set(
    graph.rows.filter(({ deprecation }) => deprecation !== undefined).map(({ name }) => name),
  );
  const stripes = layout.rows
    .filter((_, index) => index % 2 === 1)
    .map(
      ({ y }) =>
        `<rect class="stripe" x="16" width="${number(width - 24)}" y="${number(y - layout.rowHeight / 2)}" height="${layout.rowHeight}"/>`,
    );
  const labels = layout.rows.map(({ name, label, y }) => {
    const tone = name === graph.installed ? 'heading' : deprecated.has(name) ? 'amber' : '';
    const mark = deprecated.has(name) ? ' ⊘' : '';
    return `<text class="label ${tone}" x="24" y="${number(y + 4)}">${escapeText(label)}${mark}</text>`;
  });
  const { words } = entryLabels(graph);
  const said = layout.rows.flatMap(({ name, y }) => {
    const text = words.get(name) ?? '';
    if (text === '') return [];
    return `<text class="muted" x="${number(layout.width)}" y="${number(y + 4)}">${escapeText(text)}</text>`;
  });
  return [
    ...stripes,
    ...labels,
    ...said,
    ...layout.buses.toSorted((a, b) => b.laneX - a.laneX).map(busMarkup),
    ...layout.links.map(linkMarkup),
    ...layout.nodes.map(nodeMarkup),
  ].join('\n');
}

function widest(texts: readonly string[], characterWidth: number): number {
  return (
    largest(
      texts.map((text) => [...text].length * characterWidth),
      0,
    ) + 48
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
