import { valueAt, textsAt } from '../../../text/documents/fields.js';
import { rangePredicate } from '../../catalogs/validate.js';
import type { Csv } from '../../objects/classic-objects.js';
import { compareVersions, readVersion } from '../../../text/versions/index.js';
import type { Bundle, Part } from './bundle.js';
import type { Finding } from '../../../rule/index.js';
import { locate } from './finding.js';
import { bundleRules } from './rules.js';

const skipRangeAnnotation = 'olm.skipRange';

export function* checkReplacement(bundle: Bundle, old: Bundle): Generator<Finding> {
  const [csv, before] = [bundle.csv, old.csv?.value];
  if (csv === undefined || before === undefined) return;
  yield* checkGraph(csv, before);
  for (const { name } of before.ownedCrds) {
    if (csv.value.ownedCrds.some((owned) => owned.name === name)) continue;
    const dropped = bundleRules.crdDropped.finding({
      id: 'dropped',
      data: { old: before.name, definition: name, csv: csv.value.name },
    });
    yield locate(dropped, csv, 'spec', 'customresourcedefinitions');
  }
  const now = new Set(supported(csv.value));
  const dropped = supported(before).filter((mode) => !now.has(mode));
  for (const mode of new Set(dropped)) {
    const data = { old: before.name, mode, csv: csv.value.name };
    const finding = bundleRules.installModeDropped.finding({ id: 'dropped', data });
    yield locate(finding, csv, 'spec', 'installModes');
  }
}

function* checkGraph(csv: Part<Csv>, before: Csv): Generator<Finding> {
  const { name, version, replaces, object, annotations } = csv.value;
  if (name === before.name) {
    const same = bundleRules.notReplaced.finding({ id: 'sameName', data: { csv: name } });
    yield locate(same, csv, 'metadata', 'name');
    return;
  }
  const [next, last] = [readVersion(version), readVersion(before.version)];
  if (next !== undefined && last !== undefined && compareVersions(next, last) <= 0) {
    const data = { version, oldVersion: before.version, old: before.name };
    yield locate(bundleRules.notNewer.finding({ id: 'lower', data }), csv, 'spec', 'version');
  }
  const range = annotations.get(skipRangeAnnotation) ?? '';
  if (replaces === before.name || textsAt(object, 'spec', 'skips').includes(before.name)) return;
  if (last !== undefined && range !== '' && rangePredicate(range)?.(last) === true) return;
  const said = [
    replaces === '' ? '' : `it replaces ${replaces}`,
    range === '' ? '' : `its skipRange is ${range}`,
  ].filter((part) => part !== '');
  const instead = said.length === 0 ? 'it names no predecessor' : said.join(' and ');
  const data = { csv: name, old: before.name, instead };
  const at = valueAt(object, 'spec', 'replaces') === undefined ? ['spec'] : ['spec', 'replaces'];
  yield locate(bundleRules.notReplaced.finding({ id: 'unrelated', data }), csv, ...at);
}

function supported({ installModes }: Csv): string[] {
  return installModes.filter((mode) => mode.supported).map(({ type }) => type);
}
