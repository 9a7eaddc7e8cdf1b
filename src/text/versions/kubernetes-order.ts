/** The order of Kubernetes API versions: v1alpha1 < v1beta1 < v1 < v2, and anything else below them all. */
import { compareBytes } from '../go/index.js';
import { compareValues } from '../group.js';
import { readInt64 } from './integer.js';

const stages = ['alpha', 'beta', ''];

/**
 * Rule: `CompareKubeAwareVersionStrings`: names of no `v1beta1` form come below, the alphabetically earlier higher.
 */
export function compareKubernetesVersions(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const left = parse(a);
  const right = parse(b);
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return compareBytes(b, a);
    return left === undefined ? -1 : 1;
  }
  return (
    compareValues(left.stage, right.stage) ||
    compareValues(left.major, right.major) ||
    compareValues(left.minor, right.minor)
  );
}

function parse(text: string): { stage: number; major: bigint; minor: bigint } | undefined {
  const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const major = readInt64(match[1] ?? '');
  const minor = readInt64(match[3] ?? '0');
  if (major === undefined || minor === undefined) return undefined;
  return { stage: stages.indexOf(match[2] ?? ''), major, minor };
}
