/** A ClusterExtension of OLM v1, in the shapes that its versions have had. */
import { type JsonObject, type JsonValue, metaOf } from '../../text/documents/index.js';
import type { LabelSelector } from '../operator-groups/label-selector.js';
import type { InstalledBundle } from '../catalogs/upgrades/upgrade-path.js';
import { objectAt, textAt, textsAt, valueAt } from '../../text/documents/fields.js';
import { readLabelSelector } from './classic-objects.js';

export interface ClusterExtension {
  readonly name: string;
  readonly packageName: string;
  /** A range in Masterminds' dialect; `""` when there is none. */
  readonly version: string;
  readonly versionPath: string;
  readonly packagePath: string;
  readonly channels: readonly string[];
  readonly channelsPath: string;
  readonly selector: LabelSelector | null;
  /** Update edges of the catalog do not count: `SelfCertified`, or `Ignore` in v1alpha1. */
  readonly isSelfCertified: boolean;
  readonly policyPath: string;
  readonly installed: InstalledBundle | undefined;
  readonly namespace: string;
  readonly config: JsonValue | undefined;
}

/** v1, v1alpha1 since OpenShift 4.18, and v1alpha1's flat fields. @param stored whose status counts otherwise */
export function readClusterExtension(
  object: JsonObject,
  stored: JsonObject | null = null,
): ClusterExtension {
  const name = metaOf(object).name;
  const installed = installedBundle(object) ?? installedBundle(stored ?? undefined);
  const namespace =
    textAt(object, 'spec', 'namespace') ?? textAt(object, 'spec', 'installNamespace') ?? '';
  const config = valueAt(object, 'spec', 'config', 'inline');
  if (objectAt(object, 'spec', 'source') !== undefined) {
    const at = ['spec', 'source', 'catalog'] as const;
    return {
      name,
      packageName: textAt(object, ...at, 'packageName') ?? '',
      packagePath: '$.spec.source.catalog.packageName',
      version: textAt(object, ...at, 'version') ?? '',
      versionPath: '$.spec.source.catalog.version',
      // One version of v1alpha1 has a single `channel` here.
      channels: named(textAt(object, ...at, 'channel'), textsAt(object, ...at, 'channels')),
      channelsPath: '$.spec.source.catalog.channels',
      selector: readLabelSelector(object, ...at, 'selector'),
      isSelfCertified: textAt(object, ...at, 'upgradeConstraintPolicy') === 'SelfCertified',
      policyPath: '$.spec.source.catalog.upgradeConstraintPolicy',
      installed,
      namespace,
      config,
    };
  }
  const policy = textAt(object, 'spec', 'upgradeConstraintPolicy');
  return {
    name,
    packageName: textAt(object, 'spec', 'packageName') ?? '',
    packagePath: '$.spec.packageName',
    version: textAt(object, 'spec', 'version') ?? '',
    versionPath: '$.spec.version',
    channels: named(textAt(object, 'spec', 'channel'), []),
    channelsPath: '$.spec.channel',
    selector: readLabelSelector(object, 'spec', 'catalogSelector'),
    isSelfCertified: policy === 'SelfCertified' || policy === 'Ignore',
    policyPath: '$.spec.upgradeConstraintPolicy',
    installed,
    namespace,
    config,
  };
}

function named(one: string | undefined, several: readonly string[]): readonly string[] {
  return one === undefined || one === '' ? several : [one, ...several];
}

export function installedBundle(object: JsonObject | undefined): InstalledBundle | undefined {
  const bundle =
    objectAt(object, 'status', 'install', 'bundle') ??
    objectAt(object, 'status', 'installedBundle');
  const name = textAt(bundle, 'name') ?? '';
  const version = textAt(bundle, 'version') ?? '';
  if (name === '' || version === '') return undefined;
  const release = textAt(bundle, 'release');
  return { name, version, release };
}

/** The annotation with which the webhook of rukpak, an earlier part of OLM v1, was switched off for one definition. */
export const rukpakAnnotation = 'core.rukpak.io/safe-crd-upgrade-validation';
