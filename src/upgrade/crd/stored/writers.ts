/** Lists who wrote stored objects in a version that is removed: field managers and counts, never values. */
import { isObject, own, type JsonValue } from '../../../text/documents/index.js';

/** The writes of one field manager in one version. */
export interface Writer {
  readonly manager: string;
  /** `v1beta1` */
  readonly version: string;
  /** By server-side apply, or by any other write. */
  readonly isApply: boolean;
  readonly objects: number;
  /** `2026-11-03`; empty where no entry says when. */
  readonly last: string;
}

const maxWriters = 100;

/** The counts with one more object, `apiVersions` being those that are asked about. */
export function withWriters(
  known: readonly Writer[],
  object: JsonValue,
  apiVersions: Pick<ReadonlySet<string>, 'has'>,
): readonly Writer[] {
  const metadata = isObject(object) ? own(object, 'metadata') : undefined;
  const entries = isObject(metadata) ? own(metadata, 'managedFields') : undefined;
  if (!Array.isArray(entries)) return known;
  let found: readonly Writer[] = [];
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    const [apiVersion, manager, time] = ['apiVersion', 'manager', 'time'].map((key) =>
      own(entry, key),
    );
    if (typeof apiVersion !== 'string' || !apiVersions.has(apiVersion)) continue;
    const writer: Writer = {
      manager: typeof manager === 'string' ? manager : '',
      version: apiVersion.slice(apiVersion.indexOf('/') + 1),
      isApply: own(entry, 'operation') === 'Apply',
      objects: 1,
      last: typeof time === 'string' ? time.slice(0, dateLength) : '',
    };
    // Several entries of one manager are one object.
    found = merged(found, [writer], Math.max);
  }
  return found.length === 0 ? known : addWriters(known, found);
}

const dateLength = '2026-11-03'.length;

export function addWriters(left: readonly Writer[], right: readonly Writer[]): readonly Writer[] {
  return merged(left, right, (one, other) => one + other);
}

function merged(
  left: readonly Writer[],
  right: readonly Writer[],
  count: (one: number, other: number) => number,
): readonly Writer[] {
  if (right.length === 0) return left;
  const keyOf = ({ manager, version, isApply }: Writer): string =>
    JSON.stringify([manager, version, isApply]);
  const all = new Map(left.map((each) => [keyOf(each), each]));
  for (const each of right) {
    const known = all.get(keyOf(each));
    if (known === undefined && all.size >= maxWriters) continue;
    all.set(keyOf(each), {
      ...each,
      objects: known === undefined ? each.objects : count(known.objects, each.objects),
      last: known !== undefined && known.last > each.last ? known.last : each.last,
    });
  }
  return [...all.values()];
}
