/** Those who rely on a definition, among objects of files and of a cluster. */
import { consumerName, consumerOf, neededDefinition } from '../../olm/index.js';
import type { Consumer, FoundCrd } from '../../upgrade/index.js';
import { InvalidInputError, type JsonObject, type Place } from '../../text/documents/index.js';

/** An object that may rely on one of the definitions. */
export interface PossibleConsumer {
  readonly object: JsonObject;
  /** Of what comes from a file. */
  readonly place?: Place;
}

export interface FoundConsumers {
  readonly consumers: readonly Consumer[];
  /** What could not be read, a sentence each. */
  readonly unchecked: readonly string[];
}

/** Without the files of the definition itself, before and after. */
export function consumersOf(
  possible: readonly PossibleConsumer[],
  sides: readonly FoundCrd[],
): FoundConsumers {
  const consumers: Consumer[] = [];
  const unchecked: string[] = [];
  const files = new Set(sides.map(({ document }) => document.file));
  const [definition] = sides.map(({ crd }) => neededDefinition(crd));
  if (definition === undefined) return { consumers, unchecked };
  for (const { object, place } of possible) {
    if (place?.file !== undefined && files.has(place.file)) continue;
    const called = consumerName(object);
    const name =
      place === undefined ? called : `${called} (${place.file ?? ''}:${place.line ?? 1})`;
    try {
      const consumer = consumerOf(object, definition);
      if (consumer !== undefined) consumers.push({ ...consumer, name });
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      unchecked.push(`what ${name} needs cannot be read: ${error.describe()}`);
    }
  }
  return { consumers, unchecked };
}
