/** Where an object may carry switch-offs, and what each of them says. Pure. */
import { isObject, type JsonObject, metaOf, own, type JsonValue } from '../text/documents/index.js';
import { valueAt } from '../text/documents/fields.js';
import { rukpakAnnotation } from '../olm/index.js';
import type { BypassSource } from './policy.js';
import {
  disableAnnotation,
  disableUntilAnnotation,
  parseDisable,
  readMisspelt,
  readRukpak,
  type SwitchReading,
} from './switch-annotation.js';

// How an annotation came to an object, by the record that the API server keeps of who set which
// field. A tool that deploys an object sets its spec too; `kubectl annotate` sets nothing else.
//
// Source: Kubernetes' documentation, "Server-Side Apply", section "Managers" and "Field management".

/** `together`: who set the annotation set other fields too. `untracked`: the object has no record. */
type SetBy =
  | { readonly way: 'alone' | 'untracked' }
  | {
      readonly way: 'together';
      /** For each annotation that was set together with other fields, the field managers that set it. */
      readonly setters: readonly (readonly string[])[];
    };

/** How all of these annotations were set; one that came with other fields is enough for `together`. */
export function setBy(object: JsonObject, annotations: readonly string[]): SetBy {
  const entries = recordOf(object);
  if (entries.length === 0) return { way: 'untracked' };
  const setters = annotations
    .map((name) => entries.filter(({ sets }) => sets.has(`f:${name}`)))
    .filter((each) => !each.some(({ isAlone }) => isAlone))
    .map((each) => each.map(({ manager }) => manager));
  return setters.length === 0 ? { way: 'alone' } : { way: 'together', setters };
}

interface Entry {
  readonly manager: string;
  /** Keys of annotations, as the record writes them. */
  readonly sets: ReadonlySet<string>;
  /** Whether it has set annotations and nothing else, ever. */
  readonly isAlone: boolean;
}

function recordOf(object: JsonObject): Entry[] {
  return metaOf(object).managedFields.flatMap((entry) => {
    const fields = own(entry, 'fieldsV1');
    // A write of a custom resource's status is recorded with metadata that the API server did not take.
    if (!isObject(fields) || own(entry, 'subresource') !== undefined) return [];
    const inMetadata = own(fields, 'f:metadata');
    const annotations = isObject(inMetadata) ? own(inMetadata, 'f:annotations') : undefined;
    const manager = own(entry, 'manager');
    return [
      {
        manager: typeof manager === 'string' ? manager : '',
        sets: new Set(isObject(annotations) ? Object.keys(annotations) : []),
        isAlone:
          Object.keys(fields).every((key) => key === 'f:metadata') &&
          isObject(inMetadata) &&
          Object.keys(inMetadata).every((key) => key === 'f:annotations'),
      },
    ];
  });
}

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
