/** One page of a Kubernetes list: its objects, and where the next page begins. */
import { InvalidInputError } from './error.js';
import { isObject, own, type JsonObject, type JsonValue } from './value.js';

/** How much a page holds and what comes after it. */
export interface PlaceInList {
  readonly count: number;
  /** Where the next page begins; empty on the last one. */
  readonly next: string;
  /** Objects on later pages, as far as the cluster says. */
  readonly remaining?: number;
}

export interface ObjectList extends PlaceInList {
  readonly objects: readonly JsonObject[];
}

/** @throws InvalidInputError `E_INPUT` for what is not an object */
export function readList(list: JsonValue): ObjectList {
  if (!isObject(list)) throw new InvalidInputError('E_INPUT', 'a list must be an object');
  const items = own(list, 'items');
  const objects = Array.isArray(items) ? items.filter(isObject) : [];
  const metadata = own(list, 'metadata');
  const said = (key: string) => (isObject(metadata) ? own(metadata, key) : undefined);
  const [next, remaining] = [said('continue'), said('remainingItemCount')];
  return {
    objects,
    count: objects.length,
    next: typeof next === 'string' ? next : '',
    ...(typeof remaining === 'number' ? { remaining } : {}),
  };
}
