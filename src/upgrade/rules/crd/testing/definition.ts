/** Definitions for tests of this room, written in a few words. */
import { parseJson, type JsonObject, type JsonValue } from '../../../../text/documents/index.js';

interface VersionWords {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  /** `openAPIV3Schema`; leave it out for a version without schema. */
  readonly schema?: JsonValue;
  readonly subresources?: JsonObject;
}

export interface DefinitionWords {
  readonly name?: string;
  readonly scope?: string;
  readonly stored?: readonly string[];
  readonly strategy?: string;
  readonly versions: readonly VersionWords[];
}

/** A CustomResourceDefinition that has what a judgement reads. */
export function definition(words: DefinitionWords): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: words.name ?? 'samples.test.example.com' },
    spec: {
      group: 'test.example.com',
      names: { kind: 'Sample', plural: 'samples' },
      scope: words.scope ?? 'Namespaced',
      ...(words.strategy === undefined ? {} : { conversion: { strategy: words.strategy } }),
      versions: words.versions.map(
        ({ name = 'v1', served = true, storage = true, schema, subresources }) => ({
          name,
          served,
          storage,
          ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
          ...(subresources === undefined ? {} : { subresources }),
        }),
      ),
    },
    status: { storedVersions: [...(words.stored ?? [])] },
  };
}

/** One served version `v1` with this schema. */
export const withSchema = (schema: JsonValue): JsonObject => definition({ versions: [{ schema }] });

/** An object with these properties. */
export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

/** A document as it would be read from text. */
export const json = (text: string): JsonObject => parseJson(text) as JsonObject;
