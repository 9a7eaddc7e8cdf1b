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
  const isNested = objectAt(object, 'spec', 'source') !== undefined;
  const at = isNested ? ['spec', 'source', 'catalog'] : ['spec'];
  const pathOf = (field: string): string => `$.${at.join('.')}.${field}`;
  const text = (field: string): string => textAt(object, ...at, field) ?? '';
  const policy = text('upgradeConstraintPolicy');
  // One version of v1alpha1 has a single `channel` beside them.
  const channels = isNested ? textsAt(object, ...at, 'channels') : [];
  return {
    name: metaOf(object).name,
    packageName: text('packageName'),
    packagePath: pathOf('packageName'),
    version: text('version'),
    versionPath: pathOf('version'),
    channels: text('channel') === '' ? channels : [text('channel'), ...channels],
    channelsPath: pathOf(isNested ? 'channels' : 'channel'),
    selector: readLabelSelector(object, ...at, isNested ? 'selector' : 'catalogSelector'),
    isSelfCertified: policy === 'SelfCertified' || (!isNested && policy === 'Ignore'),
    policyPath: pathOf('upgradeConstraintPolicy'),
    installed: installedBundle(object) ?? installedBundle(stored ?? undefined),
    namespace:
      textAt(object, 'spec', 'namespace') ?? textAt(object, 'spec', 'installNamespace') ?? '',
    config: valueAt(object, 'spec', 'config', 'inline'),
  };
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
