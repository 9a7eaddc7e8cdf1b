/** Where an object may carry switch-offs, and what each of them says. Pure. */
import { type JsonObject, type JsonValue, metaOf, own } from '../text/documents/index.js';
import { valueAt } from '../text/documents/fields.js';
import { rukpakAnnotation } from '../olm/index.js';
import type { BypassSource } from './policy.js';
import { setBy, type SetBy } from './set-by.js';
import {
  disableAnnotation,
  disableUntilAnnotation,
  parseDisable,
  readMisspelt,
  readRukpak,
  type SwitchReading,
} from './switch-annotation.js';

export interface SwitchOff {
  readonly by: BypassSource;
  /** `annotation "…" on CustomResourceDefinition "…"` */
  readonly what: string;
  /** `annotation "…"`, without the object that has it. */
  readonly where: string;
  readonly reading: SwitchReading;
  /** The annotations it is made of, and how they came to the object; a field of the spec has none. */
  readonly annotations: readonly string[];
  readonly setBy?: SetBy;
}

/** Which source of switch-offs an object of each kind is. */
export const sourceOfKind: ReadonlyMap<string, BypassSource> = new Map([
  ['CustomResourceDefinition', 'crd'],
  ['ClusterExtension', 'clusterextension'],
  ['OperatorGroup', 'operatorgroup'],
  ['Subscription', 'subscription'],
  ['ClusterServiceVersion', 'csv'],
]);

export function switchOffsOn(object: JsonObject, now: Date): SwitchOff[] {
  const kind = own(object, 'kind');
  if (typeof kind !== 'string') return [];
  const by = sourceOfKind.get(kind);
  if (by === undefined) return [];
  const label = `${kind} "${metaOf(object).name}"`;
  const found: SwitchOff[] = [];
  const add = (
    source: BypassSource,
    where: string,
    reading: SwitchReading | undefined,
    annotations: readonly string[] = [],
  ): void => {
    if (reading === undefined) return;
    found.push({
      by: source,
      what: `${where} on ${label}`,
      where,
      reading,
      annotations,
      ...(annotations.length === 0 ? {} : { setBy: setBy(object, annotations) }),
    });
  };
  const reading = parseDisable(object, now);
  const hasEnd = reading !== undefined && 'families' in reading && reading.until !== undefined;
  const ends = hasEnd ? [disableUntilAnnotation] : [];
  // A user who may write the spec of a ClusterExtension may write the field: that the annotation for the
  // same family came with the spec, as Argo CD and Flux bring it, says no less about who wants it.
  const hasField = by === 'clusterextension' && reading !== undefined && isOfField(reading);
  const written = hasField ? [] : [disableAnnotation, ...ends];
  add(by, `annotation "${disableAnnotation}"`, reading, written);
  for (const { name, problem } of readMisspelt(object)) {
    add(by, `annotation "${name}"`, { problem });
  }
  if (by === 'crd') {
    add('rukpak', `annotation "${rukpakAnnotation}"`, readRukpak(object), [rukpakAnnotation]);
  }
  if (by === 'clusterextension') {
    for (const [path, field] of extensionFields(object)) add(by, `field ${path}`, field);
  }
  return found;
}

/** Whether a field of a ClusterExtension switches off as much. */
function isOfField(reading: SwitchReading): boolean {
  return (
    'families' in reading &&
    reading.families !== 'all' &&
    reading.families.every((family) => family === ofField)
  );
}

const ofField = 'crd-upgrade-safety';

/** The two fields with which OLM v1 switches its own check off, v1alpha1's and v1's. */
function extensionFields(extension: JsonObject): [string, SwitchReading | undefined][] {
  const disabled = 'spec.preflight.crdUpgradeSafety.disabled';
  const enforcement = 'spec.install.preflight.crdUpgradeSafety.enforcement';
  return [
    [disabled, readField(valueAt(extension, ...disabled.split('.')), true, [false], disabled)],
    [
      enforcement,
      readField(valueAt(extension, ...enforcement.split('.')), 'None', ['Strict'], enforcement),
    ],
  ];
}

function readField(
  value: JsonValue | undefined,
  off: JsonValue,
  on: readonly JsonValue[],
  path: string,
): SwitchReading | undefined {
  if (value === undefined || value === null || on.includes(value)) return undefined;
  if (value === off) return { families: [ofField] };
  return { problem: `${path} is neither ${[off, ...on].map(String).join(' nor ')}` };
}
