/** Which switch-offs count for a request, from the objects that may carry one. Pure. */
import { isObject, own, type JsonObject, type JsonValue } from '../text/documents/index.js';
import type { Family } from '../finding.js';
import type { Bypass } from './decide.js';
import { rukpakAnnotation } from '../olm/rukpak.js';
import type { BypassSource, Policy } from './policy.js';
import {
  disableAnnotation,
  readDisable,
  readRukpak,
  type SwitchReading,
} from './switch-annotation.js';

export interface BypassCandidates {
  /** The object as the cluster has it (`oldObject`). */
  readonly stored?: JsonObject | undefined;
  /** The object as the request brings it; nothing on it counts. */
  readonly requested?: JsonObject | undefined;
  /** ClusterExtensions, Subscriptions and ClusterServiceVersions that own the stored object, as the cluster has them. */
  readonly owners?: readonly JsonObject[];
}

export interface BypassEvaluation {
  readonly bypasses: readonly Bypass[];
  /** Malformed or expired switch-offs: worth a warning on every review. */
  readonly problems: readonly string[];
  /** Switch-offs that only the request brings: worth a warning when it is denied. */
  readonly requestOnly: readonly string[];
}

const sourceOfKind: ReadonlyMap<string, BypassSource> = new Map([
  ['CustomResourceDefinition', 'crd'],
  ['ClusterExtension', 'clusterextension'],
  ['Subscription', 'subscription'],
  ['ClusterServiceVersion', 'csv'],
]);

interface Found {
  readonly by: BypassSource;
  readonly what: string;
  readonly reading: SwitchReading;
}

/** Evaluates every place that may switch checks off, under the policy's `bypass`. */
export function evaluateBypasses(
  { stored, requested, owners = [] }: BypassCandidates,
  policy: Policy,
  now: Date,
): BypassEvaluation {
  const onCluster = stored === undefined ? owners : [stored, ...owners];
  const found = onCluster.flatMap((object) => switchesOn(object, now));
  const bypasses: Bypass[] = [];
  const problems: string[] = [];
  for (const { by, what, reading } of found) {
    if ('problem' in reading) {
      problems.push(`${what} does not count: ${reading.problem}`);
    } else if (!policy.bypass.allowed || !policy.bypass.sources.includes(by)) {
      problems.push(`${what} does not count: the policy does not allow it`);
    } else {
      const { reason } = reading;
      const description = reason === undefined ? what : `${what} (${reason})`;
      bypasses.push({ by, families: reading.families, description, ...pick(reason) });
    }
  }
  const brought = requested === undefined ? [] : switchesOn(requested, now);
  return {
    bypasses,
    problems: [...problems, ...newProblems(brought, found)],
    requestOnly: brought
      .filter(({ by, reading }) => 'families' in reading && !isCovered(by, reading.families, found))
      .map(
        ({ what }) =>
          `${what} does not count: only this request brings it, the stored object has none`,
      ),
  };
}

function switchesOn(object: JsonObject, now: Date): Found[] {
  const kind = own(object, 'kind');
  if (typeof kind !== 'string') return [];
  const by = sourceOfKind.get(kind);
  if (by === undefined) return [];
  const label = `${kind} "${nameOf(object)}"`;
  const found: Found[] = [];
  const add = (source: BypassSource, what: string, reading: SwitchReading | undefined): void => {
    if (reading !== undefined) found.push({ by: source, what: `${what} on ${label}`, reading });
  };
  add(by, `annotation "${disableAnnotation}"`, readDisable(object, now));
  if (by === 'crd') add('rukpak', `annotation "${rukpakAnnotation}"`, readRukpak(object));
  if (by === 'clusterextension') {
    for (const [path, reading] of extensionFields(object)) add(by, `field ${path}`, reading);
  }
  return found;
}

/** The two fields with which OLM v1 switches its own check off, v1alpha1's and v1's. */
function extensionFields(extension: JsonObject): [string, SwitchReading | undefined][] {
  const disabled = 'spec.preflight.crdUpgradeSafety.disabled';
  const enforcement = 'spec.install.preflight.crdUpgradeSafety.enforcement';
  return [
    [disabled, readField(valueAt(extension, disabled), true, [false], disabled)],
    [enforcement, readField(valueAt(extension, enforcement), 'None', ['Strict'], enforcement)],
  ];
}

function readField(
  value: JsonValue | undefined,
  off: JsonValue,
  on: readonly JsonValue[],
  path: string,
): SwitchReading | undefined {
  if (value === undefined || value === null || on.includes(value)) return undefined;
  if (value === off) return { families: ['crd-upgrade-safety'] };
  return { problem: `${path} is neither ${[off, ...on].map(String).join(' nor ')}` };
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path.split('.')) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

/** A value that is malformed already when it is set is worth saying at once. */
function newProblems(brought: readonly Found[], found: readonly Found[]): string[] {
  return brought.flatMap(({ by, what, reading }) => {
    if (!('problem' in reading)) return [];
    const known = found.some(
      (each) =>
        each.by === by && 'problem' in each.reading && each.reading.problem === reading.problem,
    );
    return known ? [] : [`${what} will not count: ${reading.problem}`];
  });
}

function isCovered(
  by: BypassSource,
  families: readonly Family[] | 'all',
  found: readonly Found[],
): boolean {
  return found.some((each) => {
    if (each.by !== by || !('families' in each.reading)) return false;
    const stored = each.reading.families;
    return stored === 'all' || (families !== 'all' && families.every((f) => stored.includes(f)));
  });
}

function nameOf(object: JsonObject): string {
  const metadata = own(object, 'metadata');
  const name = isObject(metadata) ? own(metadata, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}

function pick(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
