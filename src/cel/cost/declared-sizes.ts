/** How large the values of a variable can be, as far as it is declared. */
import type { Range } from './range.js';

export interface DeclaredSizes {
  /** Characters, bytes, items or entries; zero for values without a size. */
  readonly maxElements: bigint;
  /** Of a list's items or a map's values. */
  readonly item?: DeclaredSizes;
  /** Of a map's keys. */
  readonly key?: DeclaredSizes;
  /** Of an object's fields, by the names that expressions have for them. */
  readonly fields?: ReadonlyMap<string, DeclaredSizes>;
}

/** From a variable through field names, `@items`, `@values` and `@keys`; empty where nothing is declared. */
export type Path = readonly string[];

/** The size at a path; undefined where it is not declared. The first name is the variable, whichever it is. */
export function declaredAt(root: DeclaredSizes | undefined, path: Path): Range | undefined {
  if (path.length === 0) return undefined;
  let found = root;
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') found = found?.item;
    else if (name === '@keys') found = found?.key;
    else found = found?.fields?.get(name);
  }
  return found && { min: 0n, max: BigInt.asUintN(64, found.maxElements) };
}
