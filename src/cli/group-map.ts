/** The map of OperatorGroups that `scan` and `check operatorgroup` draw. */
import type { OlmState } from '../cluster/index.js';
import { mapGroups, readCsv, readOperatorGroup, settled, withStatus } from '../olm/index.js';
import { metaOf, type JsonObject } from '../text/documents/index.js';
import { type CheckReport, formatCounts, renderGroupMap, render } from '../report/index.js';
import { printError } from './output.js';

/** Renders the report with the map in it where the format has pictures; `svg` is the map alone. */
export async function renderWithMap(
  report: CheckReport,
  format: string,
  state: OlmState,
  asked: readonly JsonObject[] = [],
): Promise<string> {
  if (format !== 'svg' && format !== 'html') return render(report, format);
  const picture = drawGroups(state, asked);
  if (format === 'html') return render({ ...report, picture }, format);
  printError(`olm-guard: ${formatCounts(report.counts)}; -o text or html tells what was found`);
  return picture;
}

/** @param asked groups that are about to be; none: the map is about all there are */
export function drawGroups(state: OlmState, asked: readonly JsonObject[]): string {
  const namespaces = [...state.objects('Namespace')].map((each) => {
    const { name, labels } = metaOf(each);
    return { name, labels };
  });
  const given = asked.map((object) => settled(readOperatorGroup(object), namespaces));
  const nameOf = ({
    namespace,
    name,
  }: {
    readonly namespace: string;
    readonly name: string;
  }): string => `${namespace}/${name}`;
  const names = new Set(given.map(nameOf));
  const stored = [...state.objects('OperatorGroup')]
    .map(readOperatorGroup)
    .filter((group) => !names.has(nameOf(group)))
    // Manifests that no cluster has seen yet have no status.
    .map((group) => withStatus(group, namespaces));
  const csvs = [...state.objects('ClusterServiceVersion')].map(readCsv);
  const map = mapGroups({ groups: [...given, ...stored], csvs, asked: names });
  const unknown = ['Namespace', 'OperatorGroup', 'ClusterServiceVersion'].flatMap((kind) => {
    const reason = state.unknown(kind);
    return reason === undefined ? [] : [`${kind}s are not known: ${reason}`];
  });
  return renderGroupMap({ ...map, leftOut: [...unknown, ...map.leftOut] });
}
