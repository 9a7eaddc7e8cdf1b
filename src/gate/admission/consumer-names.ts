/** How answers name those who rely on a definition. */
import { consumerName } from '../../olm/index.js';
import { metaOf, type JsonObject } from '../../text/documents/index.js';
import type { ResourceName } from '../../cluster/index.js';
import type { AssessContext } from './reviewer.js';

/** An answer names no more of one kind that need the same. */
export const maxNamed = 100;
/** In so many namespaces a requester without the right in all of them is asked about. */
const maxAsked = 20;

/** Whether an answer may name who relies on the definition, among the objects of a resource. */
export async function mayName(
  { standing, mayRead }: AssessContext,
  resource: ResourceName,
  namespace?: string,
): Promise<boolean> {
  const { namesWithheld, isProven } = await standing();
  if (namesWithheld !== undefined) return false;
  const { may } = await mayRead(resource, namespace);
  return may === 'unknown' ? isProven : may;
}

/** Each consumer once. How many there are is shown only to who may list them all. */
export async function nameConsumers(
  objects: readonly JsonObject[],
  kind: string,
  resource: ResourceName,
  context: AssessContext,
  most: number = maxNamed,
): Promise<string[]> {
  if (objects.length === 0) return [];
  const isEachNamed = await mayName(context, resource);
  const asked = new Map<string, Promise<boolean>>();
  const mayNameIn = (namespace: string): Promise<boolean> => {
    if (isEachNamed) return Promise.resolve(true);
    if (namespace === '') return Promise.resolve(false);
    const known = asked.get(namespace);
    if (known !== undefined) return known;
    if (asked.size >= maxAsked) return Promise.resolve(false);
    const asking = mayName(context, resource, namespace);
    asked.set(namespace, asking);
    return asking;
  };
  const unnamed = `a ${kind} that you may not list`;
  const names = new Set<string>();
  for (const object of objects.slice(0, most)) {
    names.add((await mayNameIn(metaOf(object).namespace)) ? consumerName(object) : unnamed);
  }
  const more = objects.length - most;
  if (more > 0) names.add(isEachNamed ? `each of ${more} more ${kind}s` : unnamed);
  return [...names];
}
