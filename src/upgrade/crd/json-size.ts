/** How much there is in a value, which is what it costs to look at all of it. */
import { NumberText, type JsonObject, type JsonValue } from '../../text/documents/index.js';

export interface JsonSize {
  /** Values, and characters of text. */
  readonly weight: number;
  /** Lists and objects inside each other. */
  readonly depth: number;
}

export function sizeOf(root: JsonValue): JsonSize {
  let weight = 0;
  let depth = 0;
  let below: Container[] = [];
  const weigh = (value: JsonValue | undefined): void => {
    weight++;
    if (typeof value === 'string') weight += value.length;
    else if (value instanceof NumberText) weight += value.text.length;
    else if (typeof value === 'object' && value !== null) below.push(value);
  };
  weigh(root);
  for (; below.length > 0; depth++) {
    const level = below;
    below = [];
    for (const container of level) {
      if (Array.isArray(container)) for (const item of container) weigh(item);
      else {
        for (const key of Object.keys(container)) {
          weight += key.length;
          weigh(container[key]);
        }
      }
    }
  }
  return { weight, depth };
}

type Container = JsonObject | JsonValue[];
