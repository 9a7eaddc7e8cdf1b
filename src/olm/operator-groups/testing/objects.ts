import type { ClusterServiceVersion, OperatorGroup } from '../objects.js';

/** A group of namespace `ns` that targets `x` by name, changed as the test says. */
export function makeGroup(changes: Partial<OperatorGroup> = {}): OperatorGroup {
  return {
    name: 'g',
    namespace: 'ns',
    targetNamespaces: ['x'],
    selector: null,
    staticProvidedAPIs: false,
    serviceAccountName: '',
    serviceAccountSynced: false,
    conditionTypes: [],
    providedAPIs: 'Cat.v1.pets',
    statusNamespaces: changes.targetNamespaces ?? ['x'],
    ...changes,
  };
}

/** A member of {@link makeGroup} with all install modes that owns Cat.v1.pets. */
export function aCsv(changes: Partial<ClusterServiceVersion> = {}): ClusterServiceVersion {
  return {
    name: 'cats.v1',
    namespace: 'ns',
    annotations: new Map(),
    labels: new Map(),
    isBeingDeleted: false,
    installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
      (type) => ({ type, supported: true }),
    ),
    ownedCrds: [{ name: 'cats.pets', version: 'v1', kind: 'Cat' }],
    ownedApiServices: [],
    phase: 'Succeeded',
    reason: 'InstallSucceeded',
    ...changes,
  };
}
