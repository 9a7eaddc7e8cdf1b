/** A resolution as one SVG: self-contained, and follows the reader's light or dark. */
import type { PictureBox, PictureLine, ResolutionPicture } from '../../olm/index.js';
import { escapeText, number } from '../graph/markup.js';
import { graphStyle } from '../graph/theme.js';
import {
  characterWidth,
  layOutPicture,
  titleText,
  type PlacedBox,
  type PlacedLine,
} from './layout.js';

const style = `${graphStyle}
.olm-graph .box { fill: var(--paper); stroke: var(--line); stroke-width: 1.6; }
.olm-graph .box.stripe { fill: var(--stripe); }
.olm-graph .subscription { stroke: var(--path); }
.olm-graph .install, .olm-graph .upgrade { stroke: var(--node); stroke-width: 2.4; }
.olm-graph .keep { stroke: var(--muted); stroke-width: 2.4; }
.olm-graph .need { stroke: var(--rule); }
.olm-graph .rule-box, .olm-graph .nothing, .olm-graph .blocked { stroke: var(--breaks); stroke-dasharray: 5 3; }
.olm-graph .out { stroke: var(--breaks); stroke-dasharray: 5 3; }
.olm-graph .arrow.out { fill: var(--breaks); }
`;

const words: Readonly<Record<PictureBox['kind'], string>> = {
  subscription: 'subscription',
  install: 'is installed',
  upgrade: 'is upgraded to',
  keep: 'stays',
  blocked: 'passed over',
  candidate: 'candidate',
  need: 'needs',
  rule: 'forbids',
  nothing: 'missing',
};

const top = 58;
const legendHeight = 34;

export function renderResolutionPicture(picture: ResolutionPicture): string {
  const layout = layOutPicture(picture);
  const legend = legendOf(picture);
  const width = Math.max(layout.width, legend.width, [...picture.title].length * 10.6 + 48);
  const head = top + legendHeight;
  const height = head + layout.height + 24;
  const body = [
    `<rect class="paper" width="${number(width)}" height="${number(height)}"/>`,
    `<text class="title" x="24" y="34">${escapeText(picture.title)}</text>`,
    `<g transform="translate(0 ${top})">${legend.markup}</g>`,
    `<g transform="translate(0 ${head})">`,
    ...layout.lines.map(lineMarkup),
    ...layout.boxes.map(boxMarkup),
    '</g>',
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="olm-graph" viewBox="0 0 ${number(width)} ${number(height)}" width="${number(width)}" height="${number(height)}" role="img" aria-label="${escapeText(picture.title)}">
<style>${style}</style>
${body.join('\n')}
</svg>
`;
}

function boxMarkup({ box, x, y, width, height }: PlacedBox): string {
  const { title, note, kind } = box;
  const said = [words[kind], title, note].filter((part) => part !== '').join(', ');
  const round = kind === 'need' ? height / 2 : kind === 'subscription' ? 2 : 7;
  return [
    `<g role="img" aria-label="${escapeText(said)}"><title>${escapeText(said)}</title>`,
    `<rect class="box ${classOf(kind)}" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${height}" rx="${round}"/>`,
    `<text class="${kind === 'need' ? '' : 'heading'}" x="${number(x + 12)}" y="${number(y + 18.5)}">${escapeText(titleText(title, kind))}</text>`,
    note === ''
      ? ''
      : `<text class="muted" x="${number(x + 12)}" y="${number(y + 35)}">${escapeText(note)}</text>`,
    '</g>',
  ].join('');
}

/** `rule` is a line of the update graphs' style, and `stripe` their second paper. */
function classOf(kind: PictureBox['kind']): string {
  if (kind === 'rule') return 'rule-box';
  return kind === 'subscription' || kind === 'need' ? `stripe ${kind}` : kind;
}

/** From the right side of one box to the left side of the next; down to one below it; back below both where a circle closes. */
function lineMarkup({ line, from, to }: PlacedLine): string {
  const [startY, endY] = [from.y + from.height / 2, to.y + to.height / 2];
  const startX = from.x + from.width;
  if (to.x > from.x) {
    const half = Math.max(24, (to.x - startX) / 2);
    const path = `M${number(startX)} ${number(startY)}C${number(startX + half)} ${number(startY)} ${number(to.x - half)} ${number(endY)} ${number(to.x - 7)} ${number(endY)}`;
    return stroke(line, path, `M${number(to.x - 1)} ${number(endY)}l-8 -4v8z`);
  }
  if (to.x === from.x && to.y > from.y) {
    const x = from.x + 24;
    const path = `M${number(x)} ${number(from.y + from.height)}V${number(to.y - 7)}`;
    return stroke(line, path, `M${number(x)} ${number(to.y - 1)}l-4 -8h8z`);
  }
  const below = Math.max(from.y + from.height, to.y + to.height);
  const [outX, inX] = [from.x + from.width / 2, to.x + to.width / 2];
  const depth = below + 22;
  const path = `M${number(outX)} ${number(from.y + from.height)}C${number(outX)} ${number(depth)} ${number(inX)} ${number(depth)} ${number(inX)} ${number(to.y + to.height + 7)}`;
  return stroke(line, path, `M${number(inX)} ${number(to.y + to.height + 1)}l-4 8h8z`);
}

function stroke({ kind }: PictureLine, path: string, arrow: string): string {
  return `<path class="edge ${kind}" d="${path}"/><path class="arrow ${kind}" d="${arrow}"/>`;
}

function legendOf({ boxes }: ResolutionPicture): {
  readonly markup: string;
  readonly width: number;
} {
  const kinds = [...new Set(boxes.map(({ kind }) => kind))];
  let x = 24;
  const items = kinds.map((kind) => {
    const text = titleText(words[kind], kind);
    const item = `<rect class="box ${classOf(kind)}" x="${number(x)}" y="0" width="18" height="14" rx="${kind === 'need' ? 7 : 3}"/><text class="muted" x="${number(x + 26)}" y="11">${escapeText(text)}</text>`;
    x += 26 + [...text].length * characterWidth + 24;
    return item;
  });
  return { markup: items.join(''), width: x };
}
