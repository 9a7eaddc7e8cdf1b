/** The marks of a graph: nodes by state, lines by kind of edge. */
import type { GraphEdge, GraphNode } from '../../olm/index.js';
import type { Bus, Link, PlacedNode } from './layout.js';
import { escapeText, number } from './markup.js';
import { largest, smallest } from '../../text/long-lists.js';

const radius = 5.5;

/** A dot; a ring around the head, hollow when skipped, a diamond when stranded, a slash when deprecated. */
export function nodeMarkup({ node, x, y }: PlacedNode): string {
  const classes = [
    'node',
    node.state,
    ...(node.isDeprecated ? ['deprecated'] : []),
    ...(node.isOnPath ? ['way'] : []),
  ];
  const at = `transform="translate(${number(x)} ${number(y)})"`;
  return [
    `<g class="${classes.join(' ')}" ${at} role="img" aria-label="${escapeText(nodeWords(node))}">`,
    `<title>${escapeText(nodeWords(node))}</title>`,
    node.isInstalled ? `<circle class="path-ring" r="10"/>` : '',
    shape(node),
    node.isDeprecated ? `<path class="slash" d="M-7 7L7 -7"/>` : '',
    node.strandedBefore === undefined ? '' : `<path class="bar" d="M-10 -11.5H10"/>`,
    '</g>',
  ].join('');
}

function shape({ state }: GraphNode): string {
  if (state === 'unreachable') return `<path class="shape" d="M0 -7.5L7.5 0L0 7.5L-7.5 0Z"/>`;
  if (state === 'head') {
    return `<circle class="head-ring" r="8.6"/><circle class="shape" r="${radius}"/>`;
  }
  return `<circle class="shape" r="${radius - (state === 'chain' ? 0.5 : 1)}"/>`;
}

const states = {
  head: 'head of the channel',
  chain: 'on the chain of the channel',
  skipped: 'skipped: never installed by OLM classic',
  unreachable: 'stranded: no chain from the head leads to it',
  gone: 'installed, and no entry of this channel any more',
} as const;

function nodeWords({ name, channel, state, ...node }: GraphNode): string {
  return [
    `${name} in ${channel}: ${states[state]}`,
    ...(node.isDeprecated ? ['deprecated'] : []),
    ...(node.isInstalled ? ['installed'] : node.isOnPath ? ['on the path'] : []),
    ...(node.skipRange === undefined ? [] : [`skipRange ${node.skipRange}`]),
    ...(node.replacesAbsent === undefined
      ? []
      : [`replaces ${node.replacesAbsent}, which is not in this channel`]),
    ...(node.strandedBefore === undefined
      ? []
      : [`no later channel takes over from it, the next of which is ${node.strandedBefore}`]),
  ].join(', ');
}

function edgeWords({ from, to, kind, breaks, channel, fromChannel }: GraphEdge): string {
  const broken = breaks === undefined ? '' : `: ${breaks}`;
  const crossing = fromChannel === undefined ? '' : `, from channel ${fromChannel} into ${channel}`;
  return `${from} → ${to} (${kind}${crossing})${broken}`;
}

function marks(edges: readonly GraphEdge[]): string {
  return [
    ...(edges.some(({ breaks }) => breaks !== undefined) ? ['breaks'] : []),
    ...(edges.some(({ isOnPath }) => isOnPath) ? ['on-path'] : []),
  ].join(' ');
}

export function linkMarkup({ edge, x, from, to }: Link): string {
  const up = from > to ? 1 : -1;
  const tip = to + up * 10;
  const kind = `${edge.kind} ${marks([edge])}`.trim();
  const middle = (from + to) / 2;
  return [
    `<g><title>${escapeText(edgeWords(edge))}</title>`,
    `<path class="edge ${kind}" d="M${number(x)} ${number(from - up * 6)}V${number(tip)}"/>`,
    `<path class="arrow ${kind}" d="M${number(x)} ${number(tip - up * 3)}l-4 ${number(up * 6)}h8z"/>`,
    edge.breaks === undefined ? '' : cross(x + 12, middle),
    '</g>',
  ].join('');
}

/** Red lines have a cross as well: colour alone says nothing to some. */
function cross(x: number, y: number): string {
  return `<path class="edge breaks" d="M${number(x - 4)} ${number(y - 4)}l8 8m0 -8l-8 8"/>`;
}

export function busMarkup({ to, kind, x, laneX, y, ticks, isStub }: Bus): string {
  const side = laneX < x ? -1 : 1;
  const title = `<title>${escapeText(busWords(to, kind, ticks))}</title>`;
  const arrow = (mark: string): string =>
    `<path class="arrow ${kind} ${mark}" d="M${number(x + side * 9)} ${number(y)}l${side * 6} -4v8z"/>`;
  if (isStub) {
    const line = `<path class="edge ${kind}" d="M${number(x + 14)} ${number(y)}h6"/>`;
    return `<g>${title}${line}${arrow('')}</g>`;
  }
  const all = ticks.map(({ edge }) => edge);
  const plain = line(ticks, { x, laneX, y }, `${kind}`);
  const marked = ['on-path', 'breaks'].map((mark) => {
    const chosen = ticks.filter(({ edge }) =>
      mark === 'breaks' ? edge.breaks !== undefined : edge.isOnPath,
    );
    if (chosen.length === 0) return '';
    const crosses = mark === 'breaks' ? chosen.map((tick) => cross(laneX, tick.y)).join('') : '';
    return line(chosen, { x, laneX, y }, `${kind} ${mark}`) + crosses;
  });
  return `<g>${title}${plain}${marked.join('')}${arrow(marks(all))}</g>`;
}

function line(
  begins: Bus['ticks'],
  { x, laneX, y }: { readonly x: number; readonly laneX: number; readonly y: number },
  classes: string,
): string {
  const ends = [...begins.map((begin) => begin.y), y];
  const side = laneX < x ? -1 : 1;
  const spine = `M${number(x + side * 14)} ${number(y)}H${number(laneX)}M${number(laneX)} ${number(smallest(ends))}V${number(largest(ends))}`;
  // A range covers many: a short tick in their row says enough, and lines do not pile up.
  const isShort = classes === 'skipRange';
  const ticks = begins
    .map(({ y: from, x: far }) => {
      const near = isShort ? laneX - 4 : x + side * 8;
      return `M${number(laneX)} ${number(from)}H${number(far === undefined ? near : far - side * 10)}`;
    })
    .join('');
  return `<path class="edge ${classes}" d="${spine}${ticks}"/>`;
}

function busWords(to: string, kind: string, ticks: Bus['ticks']): string {
  const elsewhere = new Set(ticks.flatMap(({ edge }) => edge.fromChannel ?? []));
  const where = elsewhere.size === 0 ? '' : `, of channel ${[...elsewhere].join(', ')}`;
  const broken = ticks.flatMap(({ edge }) => (edge.breaks === undefined ? [] : [edgeWords(edge)]));
  const names = ticks.map(({ edge }) => edge.from).join(', ');
  return [`${to} takes over from ${names}${where} (${kind})`, ...broken].join('\n');
}
