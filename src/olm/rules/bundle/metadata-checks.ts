import { isObject, own, parsePath, stringifyJson } from '../../../text/documents/index.js';
import { textAt, textMapAt } from '../../../text/documents/fields.js';
import { limitProblem } from '../../objects/open-shift-limit.js';
import { unreadableDependency } from '../../resolver/requirement.js';
import { checkDependenciesApart, lintBundle } from './lints.js';
import { type Bundle, locate, type MetadataEntry, placeIn } from './bundle.js';
import type { Finding } from '../../../rule/index.js';
import { unreadableOpenShiftLimit } from '../objects/cluster-service-version/csv-contents.js';
import { bundleRules } from './rules.js';

const prefix = 'operators.operatorframework.io.bundle.';
const required = ['mediatype.v1', 'manifests.v1', 'metadata.v1', 'package.v1'];

export function* checkMetadata(bundle: Bundle, isWhole: boolean): Generator<Finding> {
  if (isWhole) yield* checkParts(bundle);
  yield* checkAnnotations(bundle);
  yield* checkEntries(bundle);
  yield* checkDependenciesApart(bundle);
}

function* checkParts({ csv, annotations, properties }: Bundle): Generator<Finding> {
  if (csv === undefined) {
    yield locate(bundleRules.parts.finding({ id: 'csv' }));
  }
  // A rendered olm.bundle has its package as a property.
  const isRendered = properties.some(({ value }) => textAt(value, 'type') === 'olm.package');
  if (annotations === undefined && !isRendered) {
    yield locate(bundleRules.parts.finding({ id: 'annotations' }));
  }
}

function* checkAnnotations({ annotations }: Bundle): Generator<Finding> {
  if (annotations === undefined) return;
  const values = textMapAt(annotations.value);
  for (const key of required) {
    if ((values.get(prefix + key) ?? '') !== '') continue;
    const data = { annotation: prefix + key };
    yield locate(bundleRules.parts.finding({ id: 'annotation', data }), annotations);
  }
  const mediaType = values.get(`${prefix}mediatype.v1`) ?? '';
  if (mediaType !== '' && mediaType !== 'registry+v1') {
    const other = bundleRules.parts.finding({ id: 'mediaType', data: { mediaType } });
    yield locate(other, annotations, `${prefix}mediatype.v1`);
  }
  const channels = (values.get(`${prefix}channels.v1`) ?? '').split(',').map((name) => name.trim());
  const isDefault = values.get(`${prefix}channel.default.v1`) ?? '';
  if (channels.every((name) => name === '')) {
    yield locate(bundleRules.defaultChannel.finding({ id: 'none' }), annotations);
  } else if (isDefault !== '' && !channels.includes(isDefault)) {
    const data = { channel: isDefault, channels: channels.join(', ') };
    const elsewhere = bundleRules.defaultChannel.finding({ id: 'defaultElsewhere', data });
    yield locate(elsewhere, annotations, `${prefix}channel.default.v1`);
  }
}

function* checkEntries({ properties, dependencies }: Bundle): Generator<Finding> {
  const findings = lintBundle({
    properties: properties.map(({ value }) => value),
    dependencies: dependencies.map(({ value }) => value),
  });
  for (const finding of findings) {
    const [list, index, ...below] = parsePath(finding.path ?? '$');
    const entry = (list === 'properties' ? properties : dependencies)[Number(index)];
    yield entry === undefined ? finding : placeIn(finding, entry, ...below);
  }
  yield* checkOpenShiftLimit(properties);
  for (const entry of properties) yield* checkEntry(entry, 'property');
  for (const entry of dependencies) yield* checkEntry(entry, 'dependency');
}

/** OLM projects metadata/properties.yaml onto the ClusterServiceVersion, and reads the limit there. */
function* checkOpenShiftLimit(properties: readonly MetadataEntry[]): Generator<Finding> {
  const limits = properties.filter(
    ({ value }) => textAt(value, 'type') === 'olm.maxOpenShiftVersion',
  );
  const [first, second] = limits;
  if (first === undefined) return;
  const problem = limitProblem(stringifyJson(limits.map(({ value }) => value)));
  if (problem === undefined) return;
  yield locate(unreadableOpenShiftLimit.finding({ message: problem }), second ?? first, 'value');
}

function* checkEntry(entry: MetadataEntry, kind: 'property' | 'dependency'): Generator<Finding> {
  const { value } = entry;
  if (isObject(value) && isObject(own(value, 'property'))) return;
  const type = textAt(value, 'type');
  if (!isObject(value) || type === undefined) {
    yield locate(
      bundleRules.unreadableDependency.finding({ id: 'untyped', data: { kind } }),
      entry,
    );
    return;
  }
  const problem = unreadableDependency({ type, value: own(value, 'value') ?? null }, kind);
  if (problem === undefined) return;
  const unreadable = bundleRules.unreadableDependency.finding({
    id: 'unreadable',
    data: { problem },
  });
  yield locate(unreadable, entry, 'value');
}
