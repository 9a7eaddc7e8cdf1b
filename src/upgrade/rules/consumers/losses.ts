import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import { flagAt, objectAt, objectsAt, textAt } from '../../../text/documents/fields.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { compareKubernetesVersions } from '../../../text/versions/kubernetes-order.js';

const subresources = ['status', 'scale'] as const;
export type Subresource = (typeof subresources)[number];

export interface Losses {
  readonly versions: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly scaling: boolean;
}

type Version = Pick<DefinitionVersion, 'name' | 'served' | 'document'>;

/** By names of versions and subresources alone, of definitions as they came; no schema is read. */
export function lossesOf(oldDocument: JsonObject, nextDocument: JsonObject): Losses {
  const [old, next] = [versionsOf(oldDocument), versionsOf(nextDocument)];
  const served = old.filter((version) => version.served);
  const byName = new Map(next.map((version) => [version.name, version]));
  const nextOf = ({ name }: Version): Version | undefined => byName.get(name);
  const isServed = (version: Version): boolean => nextOf(version)?.served === true;
  const shared = served.filter(isServed);
  return {
    versions: served.filter((version) => !isServed(version)).map(({ name }) => name),
    subresources: subresources.filter((each) =>
      shared.some(
        (version) => hasSubresource(version, each) && !hasSubresource(nextOf(version), each),
      ),
    ),
    scaling:
      hasSubresource(preferredVersion(old), 'scale') &&
      !hasSubresource(preferredVersion(next), 'scale'),
  };
}

function versionsOf(definition: JsonObject): Version[] {
  return objectsAt(definition, 'spec', 'versions').map((document) => ({
    name: textAt(document, 'name') ?? '',
    served: flagAt(document, 'served'),
    document,
  }));
}

/** The served version that discovery names first. */
export function preferredVersion<V extends Version>(versions: readonly V[]): V | undefined {
  return versions
    .filter(({ served }) => served)
    .reduce<V | undefined>(
      (first, each) =>
        first === undefined || compareKubernetesVersions(each.name, first.name) > 0 ? each : first,
      undefined,
    );
}

export function hasSubresource(
  version: Pick<Version, 'document'> | undefined,
  name: Subresource,
): boolean {
  return objectAt(version?.document ?? {}, 'subresources', name) !== undefined;
}
