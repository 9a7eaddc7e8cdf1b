/** The scale subresource reads replicas from paths of the object, and refuses what is no number there. */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  NumberText,
  own,
} from '../../../text/documents/index.js';
import type { ScalePaths, VersionDefinition } from '../../../kubernetes/index.js';
import { scaleChange } from './change.js';
import { pinValue, type Pin } from '../pin.js';
import type { Walk } from './pair.js';

export function compareScale(
  walk: Walk,
  before: VersionDefinition,
  after: VersionDefinition,
): void {
  const [old, now] = [before.scale, after.scale];
  if (JSON.stringify(old) === JSON.stringify(now)) return;
  if (now === undefined) {
    walk.add({ place: undefined, proof: 'safe', reason: 'the scale subresource is gone' });
    return;
  }
  walk.add({
    place: undefined,
    proof: 'open',
    reason:
      old === undefined
        ? 'the scale subresource is new, and refuses what is no number of replicas'
        : 'the scale subresource is read from other paths',
    change: scaleChange,
    harmOf: (witness) => (hasOnlyOddNumbers(now, witness) ? 'AbsurdValue' : undefined),
    candidates: () =>
      values.flatMap((value) => pathsOf(now).map((path) => pinPath(path, pinValue(value)))),
  });
}

/** Numbers come last: a schema that only takes them has no other object to show. */
const values = ['text', {}, true, null, -1, new NumberText('1.0'), 2 ** 31];

function namesOf(path: string): string[] {
  return path.split('.').filter((name) => name !== '');
}

function valueOf(object: JsonValue | undefined, path: string): JsonValue | undefined {
  return namesOf(path).reduce<JsonValue | undefined>(
    (value, name) => (isObject(value ?? null) ? own(value as JsonObject, name) : undefined),
    object,
  );
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || value instanceof NumberText;
}

/** Whether nothing but a number of replicas can be the reason: a selector that is no text is an everyday object. */
function hasOnlyOddNumbers(
  { specReplicas, statusReplicas, labelSelector }: ScalePaths,
  witness: JsonValue | undefined,
): boolean {
  const selector = labelSelector === undefined ? undefined : valueOf(witness, labelSelector);
  return (
    (selector === undefined || typeof selector === 'string') &&
    [specReplicas, statusReplicas].every((path) => {
      const value = valueOf(witness, path);
      return value === undefined || isNumber(value);
    })
  );
}

function pathsOf({ specReplicas, statusReplicas, labelSelector }: ScalePaths): string[] {
  return [specReplicas, statusReplicas, ...(labelSelector === undefined ? [] : [labelSelector])];
}

function pinPath(path: string, pin: Pin): Pin {
  return namesOf(path).reduceRight<Pin>(
    (inner, name) => ({ kind: 'object', fields: new Map([[name, inner]]) }),
    pin,
  );
}
