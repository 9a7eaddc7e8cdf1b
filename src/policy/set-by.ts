/**
 * How an annotation came to an object, by the record that the API server keeps of who set which
 * field. A tool that deploys an object sets its spec too; `kubectl annotate` sets nothing else.
 *
 * Source: Kubernetes' documentation, "Server-Side Apply", section "Managers" and "Field management".
 */
import { isObject, type JsonObject, metaOf, own } from '../text/documents/index.js';

/** `together`: who set the annotation set other fields too. `untracked`: the object has no record. */
export type SetBy =
  | { readonly way: 'alone' | 'untracked' }
  | {
      readonly way: 'together';
      /** For each annotation that was set together with other fields, the field managers that set it. */
      readonly setters: readonly (readonly string[])[];
    };

/** How all of these annotations were set; one that came with other fields is enough for `together`. */
export function setBy(object: JsonObject, annotations: readonly string[]): SetBy {
  const entries = recordOf(object);
  if (entries.length === 0) return { way: 'untracked' };
  const setters = annotations
    .map((name) => entries.filter(({ sets }) => sets.has(`f:${name}`)))
    .filter((each) => !each.some(({ isAlone }) => isAlone))
    .map((each) => each.map(({ manager }) => manager));
  return setters.length === 0 ? { way: 'alone' } : { way: 'together', setters };
}

interface Entry {
  readonly manager: string;
  /** Keys of annotations, as the record writes them. */
  readonly sets: ReadonlySet<string>;
  /** Whether it has set annotations and nothing else, ever. */
  readonly isAlone: boolean;
}

function recordOf(object: JsonObject): Entry[] {
  return metaOf(object).managedFields.flatMap((entry) => {
    const fields = own(entry, 'fieldsV1');
    // A write of a custom resource's status is recorded with metadata that the API server did not take.
    if (!isObject(fields) || own(entry, 'subresource') !== undefined) return [];
    const inMetadata = own(fields, 'f:metadata');
    const annotations = isObject(inMetadata) ? own(inMetadata, 'f:annotations') : undefined;
    const manager = own(entry, 'manager');
    return [
      {
        manager: typeof manager === 'string' ? manager : '',
        sets: new Set(isObject(annotations) ? Object.keys(annotations) : []),
        isAlone:
          Object.keys(fields).every((key) => key === 'f:metadata') &&
          isObject(inMetadata) &&
          Object.keys(inMetadata).every((key) => key === 'f:annotations'),
      },
    ];
  });
}
