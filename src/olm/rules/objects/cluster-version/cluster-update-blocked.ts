import { installedBundle } from '../../../objects/cluster-extension.js';
import { objectsAt, textAt } from '../../../../text/documents/fields.js';
import type { OlmView } from '../../../objects/view.js';
import { metaOf, type JsonObject } from '../../../../text/documents/index.js';
import { parseVersion, readVersion, type Version } from '../../../../text/versions/index.js';
import { defineOlmRule } from '../rule.js';
import { csvLimit, limitIn, limitSource } from './catalog-limit.js';

export const clusterUpdateBlocked = defineOlmRule({
  id: 'ClusterUpdateBlocked',
  subject: 'ClusterVersion',
  family: 'resolution',
  severity: 'warning',
  protects: 'cluster',
  checks:
    'No installed operator declares that it does not work on the OpenShift minor version that a ClusterVersion asks for.',
  withoutNames: 'an installed operator does not work on this version',
  why: 'Operators declare it by olm.maxOpenShiftVersion, and the cluster refuses to go there.',
  otherwise:
    'Upgradeable=False: ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  instead: 'Update or remove these operators first.',
  source: limitSource,
  messages: {
    blocked:
      'the update to {version} is blocked by installed operators that do not work on {release}: {names}',
  },
  example: {
    before: `
      kind: ClusterServiceVersion
      metadata:
        name: cats.v1
        namespace: pets
        annotations:
          olm.properties: '[{"type": "olm.maxOpenShiftVersion", "value": "4.15"}]'
      spec:
        installModes:
          - { type: OwnNamespace, supported: true }
          - { type: SingleNamespace, supported: true }
          - { type: MultiNamespace, supported: true }
          - { type: AllNamespaces, supported: true }
        customresourcedefinitions: { owned: [{ name: cats.example.com, version: v1, kind: Cat }] }`,
    after: `
      kind: ClusterVersion
      metadata: { name: version }
      spec: { desiredUpdate: { version: 4.16.0 } }
      status: { history: [{ state: Completed, version: 4.15.3 }] }`,
    says: 'the update to 4.16.0 is blocked by installed operators that do not work on 4.16: pets/cats.v1 (up to 4.15)',
    accepted: `
      kind: ClusterVersion
      metadata: { name: version }
      spec: { desiredUpdate: { version: 4.15.9 } }
      status: { history: [{ state: Completed, version: 4.15.3 }] }`,
  },
  *judge({ object, oldObject, view }) {
    const desired = readVersion(textAt(object, 'spec', 'desiredUpdate', 'version') ?? '');
    const current = readVersion(currentVersion(object) ?? currentVersion(oldObject ?? {}) ?? '');
    if (desired === undefined || current === undefined || !isLaterMinor(desired, current)) return;
    const before = minorBefore(desired);
    const blocking = [...blockingCsvs(view, before), ...blockingExtensions(view, before)];
    if (blocking.length === 0) return;
    const names = blocking.map(({ name, because }) => `${name} (${because})`).sort();
    yield {
      id: 'blocked',
      data: {
        version: textAt(object, 'spec', 'desiredUpdate', 'version') ?? '',
        release: `${desired.major}.${desired.minor}`,
        // As text and not as a list, which would be shortened: each of them blocks the update.
        names: names.join(', '),
      },
      path: '$.spec.desiredUpdate.version',
    };
  },
});

interface Blocking {
  readonly name: string;
  readonly because: string;
}

function* blockingCsvs(view: OlmView, before: string): Generator<Blocking> {
  const current = parseVersion(before);
  for (const { namespace, name: csv, object } of view.csvs()) {
    const because = csvLimit(object, current);
    if (because !== undefined) yield { name: `${namespace}/${csv}`, because };
  }
}

/** The properties of bundles that OLM v1 has installed are only in their catalog. */
function* blockingExtensions(view: OlmView, before: string): Generator<Blocking> {
  if (view.knownCatalogs === null) return;
  for (const extension of view.clusterExtensions()) {
    const installed = installedBundle(extension);
    const because =
      installed === undefined ? undefined : limitIn(view.knownCatalogs, installed.name, before);
    if (because !== undefined) {
      yield { name: `ClusterExtension ${metaOf(extension).name}`, because };
    }
  }
}

/** The release that was completed last, or without a history the desired one. */
function currentVersion(object: JsonObject): string | undefined {
  const completed = objectsAt(object, 'status', 'history').find(
    (each) => textAt(each, 'state') === 'Completed',
  );
  return textAt(completed, 'version') ?? textAt(object, 'status', 'desired', 'version');
}

function isLaterMinor(a: Version, b: Version): boolean {
  const major = BigInt(a.major) - BigInt(b.major);
  return major > 0n || (major === 0n && BigInt(a.minor) > BigInt(b.minor));
}

/** 4.23 is another name of 5.0, and 4.22 comes before both. */
function minorBefore({ major, minor }: Version): string {
  if (BigInt(major) === 5n && BigInt(minor) === 0n) return '4.22.0';
  return `${major}.${BigInt(minor) > 0n ? BigInt(minor) - 1n : 0n}.0`;
}
