/** annotations.yaml, properties.yaml and dependencies.yaml of a bundle. */
import { isObject, own, stringifyJson, type JsonValue } from '../../../text/documents/index.js';
import { textAt, textMapAt } from '../../objects/fields.js';
import { unreadableLimit } from '../../objects/open-shift-limit.js';
import { unreadableDependency } from '../../resolver/index.js';
import { lintBundle } from './lints.js';
import type { Bundle, MetadataEntry } from './bundle.js';
import { checkDependenciesApart } from './dependencies-met-apart.js';
import { say, spotIn, type BundleFinding } from './finding.js';
import { unreadableOpenShiftLimit } from '../objects/cluster-service-version/unreadable-open-shift-limit.js';
import { pathKeys } from './path-keys.js';
import { bundleRules } from './rules.js';

const prefix = 'operators.operatorframework.io.bundle.';
const required = ['mediatype.v1', 'manifests.v1', 'metadata.v1', 'package.v1'];

/** `isWhole`: a folder is judged as a bundle; of a single file nothing is missing. */
export function* checkMetadata(bundle: Bundle, isWhole: boolean): Generator<BundleFinding> {
  if (isWhole) yield* checkParts(bundle);
  yield* checkAnnotations(bundle);
  yield* checkEntries(bundle);
  yield* checkDependenciesApart(bundle);
}

function* checkParts({ csv, annotations, properties }: Bundle): Generator<BundleFinding> {
  if (csv === undefined) {
    yield say(bundleRules.parts, 'the bundle has no ClusterServiceVersion');
  }
  // A rendered olm.bundle carries its package as a property.
  const isRendered = properties.some(({ value }) => typeOf(value) === 'olm.package');
  if (annotations === undefined && !isRendered) {
    yield say(bundleRules.parts, 'the bundle has no metadata/annotations.yaml');
  }
}

function* checkAnnotations({ annotations }: Bundle): Generator<BundleFinding> {
  if (annotations === undefined) return;
  const values = textMapAt(annotations.value);
  for (const key of required) {
    if ((values.get(prefix + key) ?? '') !== '') continue;
    yield say(bundleRules.parts, `annotation ${prefix}${key} is missing`, annotations);
  }
  const mediaType = values.get(`${prefix}mediatype.v1`) ?? '';
  if (mediaType !== '' && mediaType !== 'registry+v1') {
    const message = `the media type is ${JSON.stringify(mediaType)}; OLM installs registry+v1`;
    yield say(bundleRules.parts, message, annotations, `${prefix}mediatype.v1`);
  }
  const channels = (values.get(`${prefix}channels.v1`) ?? '').split(',').map((name) => name.trim());
  const isDefault = values.get(`${prefix}channel.default.v1`) ?? '';
  if (channels.every((name) => name === '')) {
    yield say(bundleRules.defaultChannel, 'the bundle names no channel', annotations);
  } else if (isDefault !== '' && !channels.includes(isDefault)) {
    const message = `the default channel ${isDefault} is not among the channels of this bundle (${channels.join(', ')}); another bundle must have it`;
    yield say(bundleRules.defaultChannel, message, annotations, `${prefix}channel.default.v1`);
  }
}

function* checkEntries({ properties, dependencies }: Bundle): Generator<BundleFinding> {
  const findings = lintBundle({
    properties: properties.map(({ value }) => value),
    dependencies: dependencies.map(({ value }) => value),
  });
  for (const finding of findings) {
    const [list, index, ...below] = pathKeys(finding.path ?? '$');
    const entry = (list === 'properties' ? properties : dependencies)[Number(index)];
    yield { finding, spot: entry === undefined ? undefined : spotIn(entry, ...below) };
  }
  yield* checkOpenShiftLimit(properties);
  for (const entry of properties) yield* checkEntry(entry, 'property');
  for (const entry of dependencies) yield* checkEntry(entry, 'dependency');
}

/** OLM projects metadata/properties.yaml onto the ClusterServiceVersion, and reads the limit there. */
function* checkOpenShiftLimit(properties: readonly MetadataEntry[]): Generator<BundleFinding> {
  const limits = properties.filter(({ value }) => typeOf(value) === 'olm.maxOpenShiftVersion');
  const [first, second] = limits;
  if (first === undefined) return;
  const problem = unreadableLimit(stringifyJson(limits.map(({ value }) => value)));
  if (problem !== undefined) yield say(unreadableOpenShiftLimit, problem, second ?? first, 'value');
}

function* checkEntry(
  entry: MetadataEntry,
  kind: 'property' | 'dependency',
): Generator<BundleFinding> {
  const { value } = entry;
  if (isObject(value) && isObject(own(value, 'property'))) return;
  const type = typeOf(value);
  if (!isObject(value) || type === undefined) {
    const message = `the ${kind} is no entry with a type and a value`;
    yield say(bundleRules.unreadableDependency, message, entry);
    return;
  }
  const problem = unreadableDependency({ type, value: own(value, 'value') ?? null }, kind);
  if (problem !== undefined) {
    yield say(bundleRules.unreadableDependency, problem, entry, 'value');
  }
}

function typeOf(value: JsonValue): string | undefined {
  return textAt(value, 'type');
}
