import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { numberAt, textAt } from '../../text/documents/fields.js';

/** A CatalogSource (`operators.coreos.com/v1alpha1`); texts are `""` when absent. */
export interface CatalogSource {
  readonly name: string;
  readonly namespace: string;
  readonly sourceType: string;
  readonly image: string;
  readonly address: string;
  readonly configMap: string;
  readonly priority: number;
  /** `olm.catalogImageTemplate`; `""` when absent. */
  readonly imageTemplate: string;
  /** The last gRPC connection state, `""` before the first. */
  readonly connectionState: string;
  /** `status.message` of a source that OLM refuses. */
  readonly statusMessage: string;
}

export function readCatalogSource(object: JsonObject): CatalogSource {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    sourceType: textAt(object, 'spec', 'sourceType') ?? '',
    image: textAt(object, 'spec', 'image') ?? '',
    address: textAt(object, 'spec', 'address') ?? '',
    configMap: textAt(object, 'spec', 'configMap') ?? '',
    priority: numberAt(object, 'spec', 'priority') ?? 0,
    imageTemplate: meta.annotation('olm.catalogImageTemplate') ?? '',
    connectionState: textAt(object, 'status', 'connectionState', 'lastObservedState') ?? '',
    statusMessage: textAt(object, 'status', 'message') ?? '',
  };
}

export function connectionText({ connectionState, statusMessage }: CatalogSource): string {
  const state = connectionState === '' ? 'was never reached' : `is ${connectionState}`;
  return statusMessage === '' ? state : `${state}: ${statusMessage}`;
}

export function isHealthy(catalog: CatalogSource): boolean {
  return catalog.connectionState === 'READY';
}
