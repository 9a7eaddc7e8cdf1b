import { Registry } from 'prom-client';
import { compareBytes, formatFloat } from '../../../text/go/index.js';

/**
 * Renders a registry as Go's Prometheus client does: families by name, series by label values, labels
 * by name with `quantile` last, numbers in Go's shortest form, families without series left out.
 * prom-client's own text says the same in another order. Source: client_golang Gather, common expfmt.
 */
export async function goExposition(registry: Registry): Promise<string> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics
    .filter((metric) => metric.values.length > 0)
    .sort((a, b) => compareBytes(a.name, b.name))
    .map(({ name, help, type, values }) => {
      const series = (values as readonly Sample[]).map((sample) => render(name, sample));
      const lines = series.sort((a, b) => compareKeys(a.key, b.key)).map(({ line }) => line);
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${String(type)}\n${lines.join('')}`;
    })
    .join('');
}

interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
  readonly value: number;
}

function render(family: string, sample: Sample): { key: (string | number)[]; line: string } {
  const { quantile, ...labels } = sample.labels;
  const names = Object.keys(labels).sort(compareBytes);
  const pairs = names.map((name) => {
    const value = escapeHelp(String(labels[name])).replaceAll('"', '\\"');
    return `${name}="${value}"`;
  });
  if (quantile !== undefined) pairs.push(`quantile="${formatFloat(Number(quantile))}"`);
  const name = sample.metricName ?? family;
  const braces = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  const values = names.map((label) => String(labels[label]));
  return {
    key: [...values, rankInSeries(name, family), Number(quantile ?? 0)],
    line: `${name}${braces} ${formatFloat(sample.value)}\n`,
  };
}

/** Quantiles come before `_sum`, and that before `_count`. */
function rankInSeries(name: string, family: string): number {
  return [family, `${family}_sum`, `${family}_count`].indexOf(name);
}

function compareKeys(
  left: readonly (string | number)[],
  right: readonly (string | number)[],
): number {
  for (const [index, value] of left.entries()) {
    const other = right[index];
    if (typeof value === 'number' && typeof other === 'number') {
      if (value !== other) return value - other;
    } else {
      const order = compareBytes(String(value), String(other));
      if (order !== 0) return order;
    }
  }
  return 0;
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** OLM's metrics are kept current in the other replicas too, so that counters go on when another one takes over. */
export class ExportingRegistry extends Registry {
  readonly olm = new Registry();
  /** Whether this replica is the one. */
  exportsOlm: () => boolean = () => false;

  override async metrics(): Promise<string> {
    const own = await super.metrics();
    return this.exportsOlm() ? `${own.trimEnd()}\n${await goExposition(this.olm)}` : own;
  }
}
