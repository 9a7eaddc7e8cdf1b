/** The annotations that switch check families off, read from one object. */
import { families, type Family } from '../rule/index.js';
import { type JsonObject, metaOf } from '../text/documents/index.js';
import { didYouMean, isSlipOf } from '../text/nearest.js';
import { rukpakAnnotation } from '../olm/index.js';
import { parseTime } from './rfc3339.js';

export const disableAnnotation = 'olm-guard.io/disable';
export const disableUntilAnnotation = 'olm-guard.io/disable-until';
const disableReasonAnnotation = 'olm-guard.io/disable-reason';
/** Switches nothing off: `olm-guard doctor` sets it in a dry run, to see how the gate answers. */
export const doctorAnnotation = 'olm-guard.io/doctor';
/** At most this many misspelt annotations are reported. */
const fewMisspelt = 3;
const ours: readonly string[] = [
  disableAnnotation,
  disableUntilAnnotation,
  disableReasonAnnotation,
  doctorAnnotation,
];

/** The meaning of an annotation: the families it switches off, or why it does not count. */
export type SwitchReading =
  | {
      readonly families: readonly Family[] | 'all';
      readonly reason?: string;
      /** When it ends, in milliseconds since 1970. */
      readonly until?: number;
    }
  | { readonly problem: string };

export function parseDisable(object: JsonObject, now: Date): SwitchReading | undefined {
  const value = annotation(object, disableAnnotation);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return { problem: `"${disableAnnotation}" is not a string` };
  const until = parseDisableUntil(object, now);
  if (typeof until === 'object') return until;
  const names = value.split(',').map((name) => name.trim());
  const known: Family[] = [];
  let all = false;
  for (const name of names) {
    const family = families.find((each) => each === name);
    if (name === 'all') all = true;
    else if (family !== undefined) known.push(family);
    else return { problem: `"${disableAnnotation}: ${shown(value)}" ${unknownFamily(name)}` };
  }
  const reason = annotation(object, disableReasonAnnotation);
  return {
    families: all ? 'all' : known,
    until,
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
  };
}

/** Annotations with names that resemble ours and have no effect, each with the reason. */
export function readMisspelt(
  object: JsonObject,
): { readonly name: string; readonly problem: string }[] {
  return [...metaOf(object).annotations.keys()]
    .filter((name) => !ours.includes(name) && isNearlyOurs(name.split('/', 1)[0] ?? ''))
    .slice(0, fewMisspelt)
    .map((name) => ({
      name: shown(name),
      problem: `there is none of that name${didYouMean(name, ours)}`,
    }));
}

function isNearlyOurs(domain: string): boolean {
  return /^olm[-_]?guard(?:\.|$)/i.test(domain) || isSlipOf(domain, 'olm-guard.io');
}

/** `olm-guard.io/disable-until` in milliseconds since 1970, or why no switch-off counts beside it. */
export function parseDisableUntil(
  object: JsonObject,
  now: Date,
): number | { readonly problem: string } | undefined {
  const value = annotation(object, disableUntilAnnotation);
  if (value === undefined) return undefined;
  const time = typeof value === 'string' ? parseTime(value.trim()) : undefined;
  const text = `"${disableUntilAnnotation}: ${shown(value)}"`;
  if (time === undefined)
    return { problem: `${text} is not an RFC 3339 time, such as 2030-01-01T00:00:00Z` };
  if (time <= now.getTime())
    return { problem: `${text} has passed; set a later time, or take the annotations away` };
  return time;
}

/** Its webhook judged stored versions and stored objects, and `"false"` switched off both. */
export function readRukpak(object: JsonObject): SwitchReading | undefined {
  const value = annotation(object, rukpakAnnotation);
  if (value === undefined || value === 'true') return undefined;
  if (value === 'false') return { families: ['crd-upgrade-safety', 'stored-objects'] };
  return { problem: `"${rukpakAnnotation}: ${shown(value)}" is neither "true" nor "false"` };
}

/** The annotation's value, undefined when it is not there. */
export function annotation(object: JsonObject, name: string): unknown {
  return metaOf(object).writtenAnnotation(name);
}

function unknownFamily(name: string): string {
  if (name === '') return 'names no check family';
  const near = didYouMean(name, [...families, 'all']);
  return `names "${shown(name)}", which is not a check family${near}; single rules are exempted in the policy`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : 'not a string';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
