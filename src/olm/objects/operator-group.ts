import { type JsonObject, metaOf } from '../../text/documents/index.js';
import type { OperatorGroup } from '../operator-groups/objects.js';
import { flagAt, objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { excludeGlobal } from '../resolver/namespace.js';
import { readLabelSelector } from './label-selectors.js';

export function readOperatorGroup(object: JsonObject): OperatorGroup {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    targetNamespaces: textsAt(object, 'spec', 'targetNamespaces'),
    selector: readLabelSelector(object, 'spec', 'selector'),
    staticProvidedAPIs: flagAt(object, 'spec', 'staticProvidedAPIs'),
    serviceAccountName: textAt(object, 'spec', 'serviceAccountName') ?? '',
    statusNamespaces: textsAt(object, 'status', 'namespaces'),
    serviceAccountSynced: objectAt(object, 'status', 'serviceAccountRef') !== undefined,
    conditionTypes: objectsAt(object, 'status', 'conditions').flatMap(
      (condition) => textAt(condition, 'type') ?? [],
    ),
    providedAPIs: meta.annotation('olm.providedAPIs') ?? null,
    excludesGlobalCatalogs: meta.annotation(excludeGlobal) === 'true',
  };
}
