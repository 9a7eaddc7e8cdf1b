/** The dashboard of manifests/components/dashboard as a page: its panels where its JSON has them, with what Prometheus answers. */
import { escapeText as escape } from '../../src/report/graph/markup.js';
import type { Series } from '../prometheus/prometheus.js';

export interface Panel {
  readonly title: string;
  readonly type: 'stat' | 'timeseries' | 'table' | 'row' | 'logs';
  readonly description?: string;
  readonly gridPos: {
    readonly h: number;
    readonly w: number;
    readonly x: number;
    readonly y: number;
  };
  readonly fieldConfig: {
    readonly defaults: {
      readonly unit: string;
      readonly decimals?: number;
      readonly thresholds?: {
        readonly steps: readonly { readonly color: string; readonly value: number | null }[];
      };
      readonly mappings?: readonly {
        readonly options: Readonly<Record<string, { readonly text: string }>>;
      }[];
    };
    readonly overrides: readonly {
      readonly matcher: { readonly id: string; readonly options: string };
      readonly properties: readonly { readonly value: { readonly fixedColor: string } }[];
    }[];
  };
  readonly targets: readonly { readonly expr: string; readonly legendFormat?: string }[];
  readonly transformations?: readonly {
    readonly options: { readonly excludeByName?: Readonly<Record<string, boolean>> };
  }[];
  /** Of a row that is folded. */
  readonly panels?: readonly Panel[];
}

/** The variables of the dashboard at their first value: all clusters and namespaces. */
export function withVariables(expr: string, range: string): string {
  return expr
    .replaceAll(/\$(?:cluster|namespace)\b/g, '.*')
    .replaceAll('$__rate_interval', '5s')
    .replaceAll('$__range', range);
}

export type Theme = 'dark' | 'light';

/** The series of each target of a panel. */
export interface AnsweredPanel extends Panel {
  readonly answers: readonly (readonly Series[])[];
}

/** Columns of Grafana's grid are 24; a row of it is 30 pixels. */
const [column, row] = [50, 30];
const named: Readonly<Record<string, string>> = {
  green: '#73bf69',
  yellow: '#f2cc0c',
  blue: '#5794f2',
  orange: '#ff9830',
  red: '#f2495c',
  purple: '#b877d9',
};
/** Of series that nothing names: red is for what was denied. */
const colors = ['#73bf69', '#f2cc0c', '#5794f2', '#ff9830', '#b877d9', '#8ab8ff', '#fade2a'];
const themes = {
  dark: { page: '#111217', panel: '#181b1f', line: '#2c2f36', text: '#ccccdc', quiet: '#9fa7b3' },
  light: { page: '#f4f5f5', panel: '#ffffff', line: '#e2e3e4', text: '#24292e', quiet: '#5b6167' },
} as const;

/** The color of a series that an override names, or of a value by its threshold. */
function colorOf({ fieldConfig }: Panel, name: string, otherwise: string): string {
  const found = fieldConfig.overrides.find(({ matcher: { id, options } }) =>
    id === 'byRegexp' ? new RegExp(`^${options}$`).test(name) : options === name,
  );
  return named[found?.properties[0]?.value.fixedColor ?? ''] ?? otherwise;
}

function colorAt({ fieldConfig }: Panel, value: number): string {
  const { steps = [] } = fieldConfig.defaults.thresholds ?? {};
  const step = steps.findLast((each) => each.value === null || each.value <= value);
  return named[step?.color ?? ''] ?? colors[0] ?? '';
}

export function dashboardPage(
  title: string,
  panels: readonly AnsweredPanel[],
  theme: Theme,
): string {
  const { page, panel, line, text, quiet } = themes[theme];
  const height = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h)) * row;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title><style>
body { margin: 0; padding: 12px; background: ${page}; color: ${text}; font: 13px/1.3 sans-serif; width: ${24 * column}px; }
h1 { font-size: 18px; margin: 0 0 10px; } main { position: relative; height: ${height}px; }
section { position: absolute; box-sizing: border-box; padding: 8px 10px; background: ${panel}; border: 1px solid ${line}; border-radius: 3px; overflow: hidden; }
section.row { background: none; border: 0; padding: 2px 0; font-size: 15px; }
h2 { font-size: 13px; font-weight: 600; margin: 0 0 4px; } .stat { font-size: 28px; font-weight: 600; text-align: center; line-height: 90px; }
.legend { font-size: 11px; display: flex; flex-wrap: wrap; gap: 2px 12px; max-height: 50px; overflow: hidden; } .legend i { display: inline-block; width: 12px; height: 3px; margin-right: 4px; vertical-align: middle; }
svg line { stroke: ${line}; } svg text { fill: ${quiet}; font-size: 10px; } table { border-collapse: collapse; width: 100%; font-size: 12px; } th, td { text-align: left; padding: 3px 6px; border-bottom: 1px solid ${line}; }
</style></head><body><h1>${escape(title)}</h1><main>${panels.map(panelMarkup).join('\n')}</main></body></html>`;
}

function panelMarkup(panel: AnsweredPanel): string {
  const { title, type, gridPos } = panel;
  if (type === 'row') {
    const mark = panel.panels?.length ? '▸' : '▾';
    return `<section class="row" style="left:0;top:${gridPos.y * row}px">${mark} ${escape(title)}</section>`;
  }
  const style = `left:${gridPos.x * column}px;top:${gridPos.y * row}px;width:${gridPos.w * column - 8}px;height:${gridPos.h * row - 8}px`;
  const body = type === 'stat' ? stat(panel) : type === 'table' ? table(panel) : chart(panel);
  return `<section style="${style}"><h2>${escape(title)}</h2>${body}</section>`;
}

function stat(panel: AnsweredPanel): string {
  const { unit, decimals, mappings = [] } = panel.fieldConfig.defaults;
  const value = panel.answers[0]?.[0]?.points.at(-1)?.[1];
  if (value === undefined) return '<div class="stat">No data</div>';
  const text =
    mappings[0]?.options[String(value)]?.text ??
    inUnit(decimals === 0 ? Math.round(value) : value, unit);
  return `<div class="stat" style="color:${colorAt(panel, value)}">${escape(text)}</div>`;
}

function table({ answers, transformations = [] }: AnsweredPanel): string {
  const isCounted = transformations[0]?.options.excludeByName?.['Value'] !== true;
  const counted = (text: string): string[] => (isCounted ? [text] : []);
  // A table shows what is so now, and most of it first.
  const last = ({ points }: Series): number => points.at(-1)?.[1] ?? 0;
  const series = answers.flat().sort((one, other) => last(other) - last(one));
  const names = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))];
  const cells = (tag: string, texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${escape(text)}</${tag}>`).join('')}</tr>`;
  const rows = series.map((each) =>
    cells('td', [
      ...names.map((name) => each.labels[name] ?? ''),
      ...counted(String(Math.round(last(each)))),
    ]),
  );
  return `<table>${cells('th', [...names, ...counted('times')])}${rows.join('')}</table>`;
}

function chart(panel: AnsweredPanel): string {
  const { answers, targets, gridPos } = panel;
  const { defaults } = panel.fieldConfig;
  const lines = answers.flatMap((series, index) =>
    series.map(({ labels, points }) => ({
      name: (targets[index]?.legendFormat ?? '').replace(
        /\{\{(\w+)\}\}/g,
        (_, name: string) => labels[name] ?? '',
      ),
      points: points.filter(([, value]) => Number.isFinite(value)),
    })),
  );
  const [width, height, left, bottom] = [gridPos.w * column - 30, gridPos.h * row - 98, 68, 16];
  const all = lines.flatMap(({ points }) => points);
  const times = all.map(([at]) => at);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const top = Math.max(...all.map(([, value]) => value), 0) * 1.1 || 1;
  const x = (at: number): number => left + ((at - from) / Math.max(to - from, 1)) * (width - left);
  const y = (value: number): number => (height - bottom) * (1 - value / top) + 8;
  const grid = [0, 0.5, 1].map((share) => {
    const at = y(top * share);
    return `<line x1="${left}" x2="${width}" y1="${at}" y2="${at}"/><text x="${left - 6}" y="${at + 3}" text-anchor="end">${escape(inUnit(top * share, defaults.unit))}</text>`;
  });
  const seconds = [from, (from + to) / 2, to].map(
    (at, index) =>
      `<text x="${x(at)}" y="${height + 6}" text-anchor="${['start', 'middle', 'end'][index]}">${new Date(at * 1000).toISOString().slice(11, 19)}</text>`,
  );
  const paints = lines.map(({ name }, index) =>
    colorOf(panel, name, colors[index % colors.length] ?? ''),
  );
  const paths = lines.map(({ points }, index) => {
    const d = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${d}" fill="none" stroke="${paints[index]}" stroke-width="1.5"/>`;
  });
  const legend = lines.map(
    ({ name }, index) => `<span><i style="background:${paints[index]}"></i>${escape(name)}</span>`,
  );
  const drawn =
    all.length === 0
      ? '<text x="60" y="60">No data</text>'
      : [...grid, ...seconds, ...paths].join('');
  return `<svg width="${width}" height="${height + 8}">${drawn}</svg><div class="legend">${legend.join('')}</div>`;
}

/** As Grafana abbreviates its units, the few that the dashboard has. */
function inUnit(value: number, unit: string): string {
  const short = (number: number): string => String(Number(number.toPrecision(3)));
  if (unit === 'bytes') return `${short(value / 2 ** 20)} MiB`;
  if (unit === 'reqps') return `${short(value)} req/s`;
  if (unit !== 's') return short(value);
  if (Math.abs(value) < 1) return `${short(value * 1000)} ms`;
  if (value < 120) return `${short(value)} s`;
  return value < 172_800 ? `${short(value / 3600)} hours` : `${short(value / 604_800)} weeks`;
}
