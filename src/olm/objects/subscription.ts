import type { ObjectReference } from '../../rule/index.js';
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { textAt } from '../../text/documents/fields.js';

/** A Subscription (`operators.coreos.com/v1alpha1`); texts are `""` when absent. */
export interface Subscription {
  readonly name: string;
  readonly namespace: string;
  readonly package: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly isManual: boolean;
}

export function readSubscription(object: JsonObject): Subscription {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    package: textAt(object, 'spec', 'name') ?? '',
    channel: textAt(object, 'spec', 'channel') ?? '',
    catalog: textAt(object, 'spec', 'source') ?? '',
    catalogNamespace: textAt(object, 'spec', 'sourceNamespace') ?? '',
    isManual: textAt(object, 'spec', 'installPlanApproval') === 'Manual',
  };
}

export function subscriptionReference(
  { namespace }: { readonly namespace: string },
  name: string,
): ObjectReference {
  return { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription', namespace, name };
}
