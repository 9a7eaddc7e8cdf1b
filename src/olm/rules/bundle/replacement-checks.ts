/** Whether a bundle is a fit successor of another: the update graph, versions, what it stops doing. */
import { valueAt, textsAt } from '../../objects/fields.js';
import type { Csv } from '../../objects/cluster-service-version.js';
import { compareVersions, parseBlangRange, readVersion } from '../../../text/versions/index.js';
import type { Bundle, Part } from './bundle.js';
import { say, type BundleFinding } from './finding.js';
import { bundleRules } from './rules.js';

const skipRangeAnnotation = 'olm.skipRange';

export function* checkReplacement(bundle: Bundle, old: Bundle): Generator<BundleFinding> {
  const [csv, before] = [bundle.csv, old.csv?.value];
  if (csv === undefined || before === undefined) return;
  yield* checkGraph(csv, before);
  for (const { name } of before.ownedCrds) {
    if (csv.value.ownedCrds.some((owned) => owned.name === name)) continue;
    const message = `${before.name} owned CustomResourceDefinition ${name} and ${csv.value.name} does not: it stays on the cluster with its objects, and no operator looks after them`;
    yield say(bundleRules.crdDropped, message, csv, 'spec', 'customresourcedefinitions');
  }
  const now = new Set(supported(csv.value));
  const dropped = supported(before).filter((mode) => !now.has(mode));
  for (const mode of new Set(dropped)) {
    const message = `${before.name} supported ${mode} and ${csv.value.name} does not: in OperatorGroups that need it the upgrade ends in UnsupportedOperatorGroup`;
    yield say(bundleRules.installModeDropped, message, csv, 'spec', 'installModes');
  }
}

function* checkGraph(csv: Part<Csv>, before: Csv): Generator<BundleFinding> {
  const { name, version, replaces, object, annotations } = csv.value;
  if (name === before.name) {
    const message = `both bundles are called ${name}; OLM upgrades only to another ClusterServiceVersion`;
    yield say(bundleRules.notReplaced, message, csv, 'metadata', 'name');
    return;
  }
  const [next, last] = [readVersion(version), readVersion(before.version)];
  if (next !== undefined && last !== undefined && compareVersions(next, last) <= 0) {
    const message = `version ${version} is not higher than ${before.version} of ${before.name}`;
    yield say(bundleRules.notNewer, message, csv, 'spec', 'version');
  }
  const range = annotations.get(skipRangeAnnotation) ?? '';
  if (replaces === before.name || textsAt(object, 'spec', 'skips').includes(before.name)) return;
  if (last !== undefined && range !== '' && covers(range, last)) return;
  const said = [
    replaces === '' ? '' : `it replaces ${replaces}`,
    range === '' ? '' : `its skipRange is ${range}`,
  ].filter((part) => part !== '');
  const shown = said.length === 0 ? 'it names no predecessor' : said.join(' and ');
  const message = `${name} does not replace or skip ${before.name} (${shown}); unless a channel of the catalog does, nobody is upgraded`;
  const at = valueAt(object, 'spec', 'replaces') === undefined ? ['spec'] : ['spec', 'replaces'];
  yield say(bundleRules.notReplaced, message, csv, ...at);
}

function covers(
  range: string,
  version: Parameters<ReturnType<typeof parseBlangRange>>[0],
): boolean {
  try {
    return parseBlangRange(range)(version);
  } catch {
    return false;
  }
}

function supported({ installModes }: Csv): string[] {
  return installModes.filter((mode) => mode.supported).map(({ type }) => type);
}
