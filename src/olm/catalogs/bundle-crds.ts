import { isObject, own, parseDocuments, type JsonObject } from '../../text/documents/index.js';
import type { CatalogBundle } from './catalog.js';
import { decodeBase64, field } from '../../text/go/index.js';

/** Undefined for a bundle without objects. @throws InvalidInputError for one that is no manifest */
export function bundleCrds(bundle: CatalogBundle): JsonObject[] | undefined {
  let isCarrier = false;
  const found: JsonObject[] = [];
  for (const { type, value } of bundle.properties) {
    if (type !== 'olm.bundle.object') continue;
    const data = isObject(value) ? field(value, 'data') : undefined;
    if (typeof data !== 'string') continue;
    isCarrier = true;
    const bytes = decodeBase64(data);
    if (!bytes.includes('CustomResourceDefinition')) continue;
    for (const document of parseDocuments(bytes, { file: bundle.place.file ?? bundle.name })) {
      if (isDefinition(document.value)) found.push(document.value);
    }
  }
  return isCarrier ? found : undefined;
}

function isDefinition(value: unknown): value is JsonObject {
  return isObject(value) && own(value, 'kind') === 'CustomResourceDefinition';
}
