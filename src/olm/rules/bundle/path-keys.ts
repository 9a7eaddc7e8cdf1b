import type { Path } from '../../../text/documents/index.js';

/** The keys of a JSON path such as `$.spec.versions[0]["a.b"]`, as findings print it. */
export function pathKeys(path: string): Path {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, key, index, quoted]) =>
      key ?? (quoted === undefined ? Number(index) : (JSON.parse(quoted) as string)),
  );
}
