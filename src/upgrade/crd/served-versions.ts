/** Every one with every later one, as the references have it, unless that is the square of something large. */
import {
  type JsonObject,
  type JsonValue,
  NumberText,
  sameJson,
} from '../../text/documents/index.js';
import { compareKubernetesVersions } from '../../text/versions/index.js';
import type { CustomResourceDefinition, DefinitionVersion } from './custom-resource-definition.js';

export type VersionPair = readonly [lower: DefinitionVersion, higher: DefinitionVersion];

interface ServedPairs {
  /** Lower first, in Kubernetes version order. */
  readonly pairs: readonly VersionPair[];
  /** Pairs that are too many; then only neighbours are compared. */
  readonly leftOut: number;
}

/** Real definitions serve up to ten versions, and all of theirs together weigh half of this. */
const maxPairs = 500;
const maxWeight = 3_000_000;

/**
 * All pairs, or neighbours only. Where neighbours differ in nothing that a reference refuses, no pair
 * does: what it allows between two versions (a field more, a wider bound, one more value) only adds
 * up to more of the same. So the verdict is the reference's own in either case.
 *
 * @param beside versions that are compared in the same pairs
 */
export function servedPairs(
  definition: CustomResourceDefinition,
  beside: readonly DefinitionVersion[] = [],
): ServedPairs {
  const served = servedOf(definition);
  if (served.length < 2) return { pairs: [], leftOut: 0 };
  const count = (served.length * (served.length - 1)) / 2;
  const neighbours = served
    .slice(1)
    .map((higher, index): VersionPair => [served[index] as DefinitionVersion, higher]);
  const weight = weightOf([...served, ...beside]) * (served.length - 1);
  if (count > maxPairs || weight > maxWeight) {
    return { pairs: neighbours, leftOut: count - neighbours.length };
  }
  const pairs = served.flatMap((lower, index) =>
    served.slice(index + 1).map((higher): VersionPair => [lower, higher]),
  );
  return { pairs, leftOut: 0 };
}

/** Pairs with a version that is not as the old definition has it: all, or as many as there is time for. */
export function changedPairs(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
): ServedPairs {
  const served = servedOf(next);
  const isSame = served.map(({ name, schema }) => {
    const before = old.version(name);
    return before?.served === true && sameJson(before.schema, schema);
  });
  const changed = isSame.filter((same) => !same).length;
  const count = (served.length * (served.length - 1)) / 2;
  const unchanged = ((served.length - changed) * (served.length - changed - 1)) / 2;
  const weight = weightOf([...served, ...old.versions]) * changed;
  if (count - unchanged > maxPairs || weight > maxWeight) {
    return { pairs: [], leftOut: count - unchanged };
  }
  const pairs = served.flatMap((lower, index) =>
    served
      .map((higher): VersionPair => [lower, higher])
      .filter((_, at) => at > index && !(isSame[index] === true && isSame[at] === true)),
  );
  return { pairs, leftOut: 0 };
}

export function pairsIn(
  definition: CustomResourceDefinition,
  pairs: readonly VersionPair[],
): VersionPair[] {
  const served = new Map(servedOf(definition).map((version) => [version.name, version]));
  return pairs.flatMap(([lower, higher]): VersionPair[] => {
    const [left, right] = [served.get(lower.name), served.get(higher.name)];
    return left === undefined || right === undefined ? [] : [[left, right]];
  });
}

function servedOf(definition: CustomResourceDefinition): DefinitionVersion[] {
  return definition.versions
    .filter((version) => version.served)
    .sort((left, right) => compareKubernetesVersions(left.name, right.name));
}

function weightOf(versions: readonly DefinitionVersion[]): number {
  return versions.reduce((sum, { schema = {} }) => sum + sizeOf(schema).weight, 0);
}

interface JsonSize {
  /** Values, and characters of text. */
  readonly weight: number;
  /** Lists and objects inside each other. */
  readonly depth: number;
}

/** How much there is in a value, which is what it costs to look at all of it. */
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
        for (const key in container) {
          weight += key.length;
          weigh(container[key]);
        }
      }
    }
  }
  return { weight, depth };
}

type Container = JsonObject | JsonValue[];
