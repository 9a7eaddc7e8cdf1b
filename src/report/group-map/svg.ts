/** OperatorGroups over namespaces as one SVG: self-contained, and follows the reader's light or dark. */
import type { GroupMap, MapConflict, MappedGroup, MapRow, Mark } from '../../olm/index.js';
import { shortened } from '../../text/shortened.js';
import { escapeText, number } from '../graph/markup.js';
import { graphStyle } from '../graph/theme.js';
import { largest, smallest } from '../../text/long-lists.js';

const style = `${graphStyle}
.olm-graph .own-ring { fill: none; stroke: var(--node); stroke-width: 1.6; }
.olm-graph .through { fill: var(--paper); stroke: var(--node); stroke-width: 1.8; }
.olm-graph .shared { stroke: var(--amber); stroke-width: 1.8; }
.olm-graph .conflict { fill: var(--breaks); stroke: none; }
.olm-graph .cross { fill: none; stroke: var(--paper); stroke-width: 1.8; }
.olm-graph .asked { fill: var(--path); }
`;

const margin = 24;
const lineHeight = 18;
const rowHeight = 24;
const columnWidth = 28;
const characterWidth = 7.4;
/** Longest name or list of names, in characters. */
const longestText = 46;
const longestLabel = 24;
/** Characters of the text under the pointer. */
const longestTitle = 1_000;

const mapTitle = 'OperatorGroups over namespaces';

export function renderGroupMap(map: GroupMap): string {
  const left = map.leftOut.map((text): Line => ({ text, tone: 'amber' }));
  const sections = [
    lines([...summaryOf(map), ...map.conflicts.flatMap(conflictLines), ...left]),
    lines(map.groups.flatMap(groupLines)),
    ...(map.rows.length === 0 ? [] : [matrix(map), legend(map)]),
  ];
  let y = 46;
  const body = sections
    .filter(({ height }) => height > 0)
    .map(({ markup, height }) => {
      const placed = `<g transform="translate(0 ${number(y)})">${markup}</g>`;
      y += height + 16;
      return placed;
    });
  const width = largest(
    sections.map((each) => each.width),
    mapTitle.length * 10.6 + 2 * margin,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" class="olm-graph" viewBox="0 0 ${number(width)} ${number(y)}" width="${number(width)}" height="${number(y)}" role="group" aria-label="${mapTitle}">
<style>${style}</style>
<rect class="paper" width="${number(width)}" height="${number(y)}"/>
<text class="title" x="${margin}" y="30">${mapTitle}</text>
${body.join('\n')}
</svg>
`;
}

interface Section {
  readonly markup: string;
  readonly width: number;
  readonly height: number;
}

interface Line {
  readonly text: string;
  readonly tone?: string;
  readonly indent?: number;
  readonly whole?: string;
}

function lines(all: readonly Line[]): Section {
  const markup = all.map(({ text, tone = '', indent = 0, whole = text }, index) => {
    const title =
      whole === text ? '' : `<title>${escapeText(shortened(whole, longestTitle))}</title>`;
    return `<text class="${tone}" x="${margin + indent}" y="${index * lineHeight + 14}">${escapeText(text)}${title}</text>`;
  });
  const widths = all.map(({ text, indent = 0 }) => widthOf(text) + indent + 2 * margin);
  return {
    markup: markup.join('\n'),
    width: largest(widths, 0),
    height: all.length * lineHeight,
  };
}

function summaryOf({ groups, conflicts }: GroupMap): Line[] {
  if (groups.length === 0) return [{ text: 'There is no OperatorGroup.', tone: 'muted' }];
  const count = conflicts.length;
  return [
    count === 0
      ? { text: 'No conflict.', tone: 'muted' }
      : { text: `✕ ${count} conflict${count === 1 ? '' : 's'}`, tone: 'alert heading' },
  ];
}

function groupLines({ name, isAsked, reach, apis }: MappedGroup, index: number): Line[] {
  const count = reach?.length ?? 0;
  const where =
    reach === null
      ? 'every namespace'
      : count === 0
        ? 'reaches nothing'
        : `${count} namespace${count === 1 ? '' : 's'}`;
  return [
    {
      text: `${index + 1}  ${clipped(name)}${isAsked ? ' ◂ asked' : ''}`,
      tone: `heading ${isAsked ? 'asked' : ''}`,
      whole: `${name}: ${reach === null ? where : namesOf(reach).join(', ')}`,
    },
    {
      text: `${where}, ${apis.length === 0 ? 'provides no API' : listed(apis, longestText - where.length)}`,
      tone: 'muted',
      indent: 22,
      whole: `${where}, ${apis.join(', ')}`,
    },
  ];
}

function conflictLines({ apis, groups, namespaces }: MapConflict): Line[] {
  const who = groups.map((index) => index + 1).join(', ');
  const where = namespaces === null ? ['every namespace'] : namesOf(namespaces);
  return [
    {
      text: `${apis.length === 0 ? 'one OperatorGroup a namespace' : listed(apis)}`,
      tone: 'alert',
      indent: 16,
      whole: apis.join(', '),
    },
    {
      text: clipped(`groups ${who} in ${listed(where)}`),
      tone: 'alert',
      indent: 32,
      whole: `groups ${who} in ${where.join(', ')}`,
    },
  ];
}

/** Namespaces downwards, groups to the right. */
function matrix({ groups, rows }: GroupMap): Section {
  const names = rows.map(({ namespaces }) =>
    namespaces === null ? ['every other namespace'] : namesOf(namespaces),
  );
  const labels = names.map((each) => listed(each, longestLabel));
  const first = margin + largest(labels.map(widthOf)) + 24;
  const xOf = (index: number): number => first + index * columnWidth;
  const width = xOf(groups.length - 1) + margin;
  const head = groups.map(
    (_, index) =>
      `<text class="heading" text-anchor="middle" x="${number(xOf(index))}" y="14">${index + 1}</text>`,
  );
  const drawn = rows.map((row, at) => {
    const y = (at + 1) * rowHeight + 4;
    const stripe =
      at % 2 === 0
        ? `<rect class="stripe" x="16" y="${y - rowHeight / 2}" width="${number(width - 24)}" height="${rowHeight}"/>`
        : '';
    const said = shortened((names[at] ?? []).join(', '), longestTitle);
    const label = `<text class="${row.conflicting.size > 0 ? 'alert' : ''}" x="${margin}" y="${y + 4}">${escapeText(labels[at] ?? '')}<title>${escapeText(said)}</title></text>`;
    return `${stripe}${label}${rowMarkup(row, groups, { label: labels[at] ?? '', y, xOf })}`;
  });
  return {
    markup: [...head, ...drawn].join('\n'),
    width,
    height: (rows.length + 1) * rowHeight,
  };
}

function rowMarkup(
  { marks, conflicting }: MapRow,
  groups: readonly MappedGroup[],
  {
    label,
    y,
    xOf,
  }: { readonly label: string; readonly y: number; readonly xOf: (index: number) => number },
): string {
  const present = marks.flatMap((mark, index) => (mark === 'none' ? [] : [{ mark, index }]));
  const join = (indexes: readonly number[], classes: string): string => {
    const [start, end] = [smallest(indexes), largest(indexes)];
    return indexes.length < 2
      ? ''
      : `<path class="edge ${classes}" d="M${number(xOf(start))} ${y}H${number(xOf(end))}"/>`;
  };
  const cells = present.map(({ mark, index }) => {
    const said = `${groups[index]?.name ?? ''} ${words[mark]}: ${label}${conflicting.has(index) ? ', in conflict' : ''}`;
    return `<g role="img" aria-label="${escapeText(said)}"><title>${escapeText(said)}</title>${markMarkup(xOf(index), y, mark, conflicting.has(index))}</g>`;
  });
  return [
    join(
      present.map(({ index }) => index),
      'shared',
    ),
    join([...conflicting], 'breaks'),
    ...cells,
  ].join('');
}

const words: Readonly<Record<Mark, string>> = {
  none: '',
  reaches: 'reaches',
  own: 'stands in',
  all: 'reaches all, so',
};

function markMarkup(x: number, y: number, mark: Mark, isConflict: boolean): string {
  const [cx, cy] = [number(x), number(y)];
  const ring = mark === 'own' ? `<circle class="own-ring" cx="${cx}" cy="${cy}" r="9.5"/>` : '';
  if (isConflict) {
    return `${ring}<rect class="conflict" x="${number(x - 6.5)}" y="${number(y - 6.5)}" width="13" height="13" rx="2"/><path class="cross" d="M${number(x - 3)} ${number(y - 3)}l6 6m0 -6l-6 6"/>`;
  }
  if (mark === 'all') return `<circle class="through" cx="${cx}" cy="${cy}" r="5"/>`;
  return `${ring}<circle class="shape" cx="${cx}" cy="${cy}" r="6"/>`;
}

function legend({ rows }: GroupMap): Section {
  const present = new Set(rows.flatMap(({ marks }) => marks));
  const isShared = rows.some(({ marks, conflicting }) => {
    const count = marks.filter((mark) => mark !== 'none').length;
    return count > 1 && count > conflicting.size;
  });
  const isConflict = rows.some(({ conflicting }) => conflicting.size > 0);
  const line = '<path class="edge shared" d="M-10 0H10"/>';
  const items: readonly [shown: boolean, mark: string, text: string][] = [
    [present.has('reaches'), markMarkup(0, 0, 'reaches', false), 'a target of the group'],
    [present.has('own'), markMarkup(0, 0, 'own', false), 'the group’s own namespace'],
    [present.has('all'), markMarkup(0, 0, 'all', false), 'the group reaches every namespace'],
    [isShared, line, 'shared, which is allowed for different APIs'],
    [isConflict, markMarkup(0, 0, 'reaches', true), 'conflict: the same API, or a second group'],
  ];
  const shown = items.filter(([isShown]) => isShown);
  const markup = shown.map(
    ([, mark, text], index) =>
      `<g aria-hidden="true" transform="translate(${margin + 10} ${index * 22 + 10})">${mark}</g><text class="muted" x="${margin + 30}" y="${index * 22 + 14}">${text}</text>`,
  );
  const width = largest(shown.map(([, , text]) => widthOf(text))) + 2 * margin + 30;
  return { markup: markup.join('\n'), width, height: shown.length * 22 };
}

function widthOf(text: string): number {
  return [...text].length * characterWidth;
}

function clipped(text: string, longest = longestText): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : text;
}

function namesOf(namespaces: readonly string[]): string[] {
  return namespaces.map((name) => (name === '' ? '""' : name));
}

function listed(names: readonly string[], longest = longestText): string {
  const rest = names.length > 1 ? ' and 99 more'.length : 0;
  let text = clipped(names[0] ?? '', Math.max(longest - rest, 12));
  let shown = 1;
  for (const name of names.slice(1)) {
    if (text.length + name.length + 2 + rest > longest) break;
    text += `, ${name}`;
    shown++;
  }
  const more = names.length - shown;
  return more === 0 ? text : `${text} and ${more} more`;
}
