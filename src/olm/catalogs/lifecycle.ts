/** Blobs of `io.openshift.operators.lifecycles.v1alpha1` (openshift/enhancements#1991), which OLM does not read. */
import { listAt, textAt } from '../../text/documents/fields.js';
import type { Catalog, OtherObject } from './catalog.js';

export const lifecycleSchema = 'io.openshift.operators.lifecycles.v1alpha1';

export interface LifecyclePhase {
  readonly name: string;
  /** `YYYY-MM-DD`; both days belong to the phase. */
  readonly startDate: string;
  readonly endDate: string;
}

export interface LifecycleVersion {
  /** `MAJOR.MINOR` */
  readonly name: string;
  readonly phases: readonly LifecyclePhase[];
}

export interface Lifecycle {
  readonly versions: readonly LifecycleVersion[];
}

export function lifecycleBlobs({ others }: Catalog): readonly OtherObject[] {
  return others.filter(({ schema }) => schema === lifecycleSchema);
}

/** Malformed fields read as absent; `catalog validate` names them. */
export function readLifecycle({ value }: OtherObject): Lifecycle {
  return {
    versions: listAt(value, 'versions').map((version) => ({
      name: textAt(version, 'name') ?? '',
      phases: listAt(version, 'phases').map((phase) => ({
        name: textAt(phase, 'name') ?? '',
        startDate: textAt(phase, 'startDate') ?? '',
        endDate: textAt(phase, 'endDate') ?? '',
      })),
    })),
  };
}

export type Support =
  | { readonly kind: 'supported'; readonly phase: LifecyclePhase; readonly until: string }
  | { readonly kind: 'ended'; readonly since: string }
  | { readonly kind: 'coming'; readonly from: string }
  /** The package has a lifecycle without that version, or one that cannot be read. */
  | { readonly kind: 'unknown' };

/** @param today `YYYY-MM-DD` @returns undefined where the catalog says nothing of the package's lifecycle */
export function supportOf(
  catalog: Catalog,
  packageName: string,
  version: string,
  today: string,
): Support | undefined {
  const blobs = lifecycleBlobs(catalog).filter((blob) => blob.package === packageName);
  const [blob, second] = blobs;
  if (blob === undefined) return undefined;
  const minor = /^\d+\.\d+/.exec(version)?.[0];
  const versions = second === undefined ? readLifecycle(blob).versions : [];
  const phases = versions.find(({ name }) => name === minor)?.phases ?? [];
  const [first, last] = [phases[0], phases.at(-1)];
  const isReadable = phases.every(
    ({ startDate, endDate }) => isDate(startDate) && isDate(endDate) && startDate <= endDate,
  );
  if (first === undefined || last === undefined || !isReadable) return { kind: 'unknown' };
  if (today > last.endDate) return { kind: 'ended', since: last.endDate };
  if (today < first.startDate) return { kind: 'coming', from: first.startDate };
  const phase = phases.find(({ startDate, endDate }) => startDate <= today && today <= endDate);
  return phase === undefined
    ? { kind: 'unknown' }
    : { kind: 'supported', phase, until: last.endDate };
}

/** `queue 1.0 is out of support since 2025-06-30` */
export function supportText(packageName: string, version: string, support: Support): string {
  const what = `${packageName} ${/^\d+\.\d+/.exec(version)?.[0] ?? version}`;
  switch (support.kind) {
    case 'ended':
      return `${what} is out of support since ${support.since}`;
    case 'coming':
      return `${what} is supported from ${support.from} on`;
    case 'supported': {
      const { phase, until } = support;
      const later = until === phase.endDate ? '' : `, out of support after ${until}`;
      return `${what} is in ${phase.name} until ${phase.endDate}${later}`;
    }
    case 'unknown':
      return `the catalog has a lifecycle of ${packageName} that does not tell until when ${what} is supported`;
  }
}

/** Whether a text is a day that there is, as `YYYY-MM-DD`. */
export function isDate(date: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return false;
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

export function dayAfter(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
