/** What an update takes away that somebody may need. */
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import { objectAt } from '../../../text/documents/fields.js';
import { compareKubernetesVersions } from '../../../text/versions/kubernetes-order.js';

const subresources = ['status', 'scale'] as const;
export type Subresource = (typeof subresources)[number];

export interface Losses {
  /** Served before, and no longer. */
  readonly versions: readonly string[];
  /** Gone from a version that is served before and after. */
  readonly subresources: readonly Subresource[];
  /** Whether autoscalers find no scale subresource any more. */
  readonly scaling: boolean;
}

/** By names of versions and subresources alone; no schema is read. */
export function lossesOf(old: CustomResourceDefinition, next: CustomResourceDefinition): Losses {
  const served = old.versions.filter((version) => version.served);
  const isServed = ({ name }: DefinitionVersion): boolean => next.version(name)?.served === true;
  const shared = served.filter(isServed);
  return {
    versions: served.filter((version) => !isServed(version)).map(({ name }) => name),
    subresources: subresources.filter((each) =>
      shared.some(
        (version) =>
          hasSubresource(version, each) && !hasSubresource(next.version(version.name), each),
      ),
    ),
    scaling:
      hasSubresource(preferredVersion(old), 'scale') &&
      !hasSubresource(preferredVersion(next), 'scale'),
  };
}

/** The served version that discovery names first. */
export function preferredVersion({
  versions,
}: CustomResourceDefinition): DefinitionVersion | undefined {
  return versions
    .filter(({ served }) => served)
    .reduce<DefinitionVersion | undefined>(
      (first, each) =>
        first === undefined || compareKubernetesVersions(each.name, first.name) > 0 ? each : first,
      undefined,
    );
}

export function hasSubresource(version: DefinitionVersion | undefined, name: Subresource): boolean {
  return objectAt(version?.document ?? {}, 'subresources', name) !== undefined;
}
