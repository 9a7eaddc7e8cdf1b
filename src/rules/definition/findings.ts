/** Findings of what API servers refuse in a definition, and of how large it is. */
import { knownMinors, type Refusal, type Sizes } from '../../definition/index.js';
import type { Finding, ObjectReference } from '../../finding.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { notStructural } from './not-structural.js';
import { refusalRules } from './table.js';
import { tooLargeToApply } from './too-large-to-apply.js';
import { tooLargeToStore } from './too-large-to-store.js';

/**
 * The refusals in their order, then the sizes.
 *
 * @param deciding minors whose refusal is an error; that of others is a warning
 */
export function definitionFindings(
  definition: JsonObject,
  refusals: readonly Refusal[],
  sizes: Sizes | undefined,
  deciding: readonly string[] = knownMinors,
): Finding[] {
  const object = referenceOf(definition);
  const found = refusals.map((refusal) => {
    const rule = refusalRules.find(({ covers }) => covers(refusal)) ?? notStructural;
    const { field, message, kubernetes } = refusal;
    const decides = kubernetes.some((minor) => deciding.includes(minor));
    return rule.finding({
      ...(decides ? {} : { severity: 'warning' }),
      message: `${field}: ${message} (Kubernetes ${rangesOf(kubernetes)})`,
      path: field,
      object,
      // A server decides by itself, whatever may be proven about objects.
      unprovable: true,
    });
  });
  return [...found, ...(sizes === undefined ? [] : sizeFindings(sizes, object))];
}

function sizeFindings({ limits, descriptions }: Sizes, object: ObjectReference): Finding[] {
  const room = (bytes: number, without: number): string =>
    `${bytes} bytes, of which descriptions are ${descriptions.percent} %; without them ${without}`;
  return limits.flatMap(({ name, limit, bytes, exceeded, withoutDescriptions }) => {
    if (!exceeded || name === 'Helm release') return [];
    const size = room(bytes, withoutDescriptions);
    if (name === 'last-applied annotation') {
      const message = `too large for kubectl apply: its annotations would have ${size}, and at most ${limit} may be; use kubectl apply --server-side or kubectl replace`;
      return [tooLargeToApply.finding({ message, object })];
    }
    const taker = name === 'etcd' ? 'etcd' : 'a request';
    const message = `larger than ${taker} takes: ${size}, and at most ${limit} may be`;
    return [tooLargeToStore.finding({ message, object })];
  });
}

/** `1.29, 1.31 to 1.36` */
function rangesOf(minors: readonly string[]): string {
  const number = (minor: string): number => Number(minor.split('.')[1]);
  const runs: { first: string; last: string }[] = [];
  for (const minor of minors) {
    const run = runs[runs.length - 1];
    if (run !== undefined && number(run.last) + 1 === number(minor)) run.last = minor;
    else runs.push({ first: minor, last: minor });
  }
  return runs.map(({ first, last }) => (first === last ? first : `${first} to ${last}`)).join(', ');
}

function referenceOf(definition: JsonObject): ObjectReference {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const metadata = own(definition, 'metadata');
  return {
    apiVersion: text(own(definition, 'apiVersion')),
    kind: text(own(definition, 'kind')),
    name: text(isObject(metadata) ? own(metadata, 'name') : undefined),
  };
}
