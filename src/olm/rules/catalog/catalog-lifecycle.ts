import type { Finding } from '../../../rule/index.js';
import type { Catalog } from '../../catalogs/catalog.js';
import {
  dayAfter,
  isDate,
  lifecycleBlobs,
  lifecycleSchema,
  type LifecyclePhase,
  type LifecycleVersion,
  readLifecycle,
} from '../../catalogs/lifecycle.js';
import { defineRule, examplePackage, from, type MessageOf } from '../../../rule/index.js';

const whole = examplePackage({ channels: { stable: '{ name: queue.v1.0.0 }' } });
const lifecycle = (phases: string): string =>
  `${whole}\n---\n{ schema: ${lifecycleSchema}, package: queue, versions: [{ name: '1.0', phases: [${phases}] }] }`;
const full =
  "{ name: Full support, startDate: '2026-01-01', endDate: '2026-06-30' }, { name: Maintenance support, startDate: ";

const messages = {
  unknownPackage: 'the lifecycle is of package "{package}", which the catalog does not have',
  repeated: 'the lifecycle of package "{package}" is there {count} times, so that none counts',
  noVersions: 'the lifecycle of package "{package}" has no versions',
  versionName: 'version "{version}" of package "{package}" is not of the form MAJOR.MINOR',
  versionTwice: 'version {version} of package "{package}" is there twice',
  noPhases: 'version {version} of package "{package}" has no phases',
  noDate: '{field} of phase "{phase}" of {package} {version} is "{date}", not a day as YYYY-MM-DD',
  reversed: 'phase "{phase}" of {package} {version} starts on {start}, after its end on {end}',
  apart:
    'phase "{phase}" of {package} {version} starts on {start}; the phase before it ends on {end}, so it must start on {next}',
} as const;

export const catalogLifecycle = defineRule({
  id: 'CatalogLifecycle',
  family: 'catalogs',
  subject: 'catalog',
  severity: 'warning',
  checks: `A blob of ${lifecycleSchema} is about a package of the catalog, the only one about it, and its phases follow each other day by day.`,
  why: 'OLM and opm ignore the blob, and what reads it shows no support dates for the whole package where it is wrong.',
  instead: 'Correct the dates or the names; write one blob for each package.',
  source: from.issue('openshift/enhancements', 1991),
  messages,
  example: {
    after: lifecycle(`${full}'2026-08-01', endDate: '2026-12-31' }`),
    says: 'so it must start on 2026-07-01',
    accepted: lifecycle(`${full}'2026-07-01', endDate: '2026-12-31' }`),
  },
});

type Problem = MessageOf<typeof messages>;

export function lifecycleFindings(catalog: Catalog): Finding[] {
  const blobs = lifecycleBlobs(catalog);
  const packages = new Set(catalog.packages.map(({ name }) => name));
  const counts = new Map<string, number>();
  for (const blob of blobs) counts.set(blob.package, (counts.get(blob.package) ?? 0) + 1);
  return blobs.flatMap((blob) => {
    const { package: name, place } = blob;
    const count = counts.get(name) ?? 1;
    const { versions } = readLifecycle(blob);
    const problems: Problem[] = [
      ...(packages.has(name) ? [] : [{ id: 'unknownPackage', data: { package: name } } as const]),
      ...(count === 1 ? [] : [{ id: 'repeated', data: { package: name, count } } as const]),
      ...(versions.length > 0 ? [] : [{ id: 'noVersions', data: { package: name } } as const]),
      ...versions.flatMap((version, index) => [
        ...(versions.findIndex((each) => each.name === version.name) === index
          ? []
          : [{ id: 'versionTwice', data: { package: name, version: version.name } } as const]),
        ...versionProblems(name, version),
      ]),
    ];
    return problems.map((problem) => ({ ...catalogLifecycle.finding(problem), place }));
  });
}

function* versionProblems(
  packageName: string,
  { name: version, phases }: LifecycleVersion,
): Generator<Problem> {
  const of = { package: packageName, version };
  if (!/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/.test(version)) yield { id: 'versionName', data: of };
  if (phases.length === 0) yield { id: 'noPhases', data: of };
  let before: LifecyclePhase | undefined;
  for (const phase of phases) {
    const { name, startDate: start, endDate: end } = phase;
    const data = { ...of, phase: name };
    const wrong = (['startDate', 'endDate'] as const).filter((field) => !isDate(phase[field]));
    for (const field of wrong) yield { id: 'noDate', data: { ...data, field, date: phase[field] } };
    if (wrong.length > 0) {
      before = undefined;
      continue;
    }
    if (start > end) yield { id: 'reversed', data: { ...data, start, end } };
    const next = before === undefined ? start : dayAfter(before.endDate);
    if (before !== undefined && next !== start) {
      yield { id: 'apart', data: { ...data, start, end: before.endDate, next } };
    }
    before = phase;
  }
}
