/** The scale subresource reads replicas from paths of the object, and refuses what is no number there. */
import { NumberText } from '../../../text/documents/index.js';
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
    candidates: () =>
      pathsOf(now).flatMap((path) => values.map((value) => pinPath(path, pinValue(value)))),
  });
}

const values = [-1, new NumberText('1.0'), 'text', 2 ** 31, null, {}, true];

function pathsOf({ specReplicas, statusReplicas, labelSelector }: ScalePaths): string[] {
  return [specReplicas, statusReplicas, ...(labelSelector === undefined ? [] : [labelSelector])];
}

function pinPath(path: string, pin: Pin): Pin {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduceRight<Pin>((inner, name) => ({ kind: 'object', fields: new Map([[name, inner]]) }), pin);
}
