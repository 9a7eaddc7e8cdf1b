/**
 * Translates a change of a definition to the Go types that it is generated from: controller-gen writes
 * definitions anew from these, and a change of the definition alone would be lost.
 *
 * Source: sigs.k8s.io/controller-tools/pkg/crd/markers.
 */
import type { Operation } from 'fast-json-patch';
import { valueAt } from '../../../text/documents/fields.js';
import { isObject, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { readPointer } from '../../../text/json-pointer.js';

type Write = (value: JsonValue) => readonly string[];

const validation = '+kubebuilder:validation:';

function bound(name: string): Write {
  return (value) => [`${validation}${name}=${literal(value)}`];
}

function flag(marker: string): Write {
  return (value) => (value === true ? [marker] : []);
}

/** By keyword. What has none of its own, such as `allOf`, is not said with a marker. */
const markers: Readonly<Record<string, Write>> = {
  maximum: bound('Maximum'),
  minimum: bound('Minimum'),
  exclusiveMaximum: bound('ExclusiveMaximum'),
  exclusiveMinimum: bound('ExclusiveMinimum'),
  multipleOf: bound('MultipleOf'),
  maxLength: bound('MaxLength'),
  minLength: bound('MinLength'),
  maxItems: bound('MaxItems'),
  minItems: bound('MinItems'),
  uniqueItems: bound('UniqueItems'),
  maxProperties: bound('MaxProperties'),
  minProperties: bound('MinProperties'),
  format: bound('Format'),
  type: bound('Type'),
  pattern: (value) => (typeof value === 'string' ? [`${validation}Pattern=${rawText(value)}`] : []),
  enum: (value) =>
    Array.isArray(value) ? [`${validation}Enum=${value.map(literal).join(';')}`] : [],
  nullable: flag('+nullable'),
  default: (value) => [`+kubebuilder:default=${literal(value)}`],
  'x-kubernetes-preserve-unknown-fields': flag('+kubebuilder:pruning:PreserveUnknownFields'),
  'x-kubernetes-embedded-resource': flag(`${validation}EmbeddedResource`),
  'x-kubernetes-int-or-string': flag(`${validation}XIntOrString`),
  'x-kubernetes-list-type': (value) => [`+listType=${literal(value)}`],
  'x-kubernetes-map-type': (value) => [`+mapType=${literal(value)}`],
  'x-kubernetes-list-map-keys': (value) =>
    Array.isArray(value) ? value.map((key) => `+listMapKey=${literal(key)}`) : [],
  'x-kubernetes-validations': (value) =>
    Array.isArray(value) ? value.filter(isObject).map(ruleMarker) : [],
};

/**
 * `remove` before one that is to go; none for a definition that is not by controller-gen. @param definition before
 */
export function markersFor(definition: JsonObject, patch: readonly Operation[]): readonly string[] {
  const generator = ['metadata', 'annotations', 'controller-gen.kubebuilder.io/version'];
  const isGenerated = valueAt(definition, ...generator) !== undefined;
  return isGenerated ? [...new Set(patch.flatMap((each) => markersOf(definition, each)))] : [];
}

function markersOf(definition: JsonObject, operation: Operation): string[] {
  const keys = readPointer(operation.path);
  // Versions are the only list on the way.
  const before = valueAt(definition, ...keys.map((key, at) => (at === 2 ? Number(key) : key)));
  const after = 'value' in operation ? (operation.value as JsonValue) : undefined;
  if (keys.join('.') === 'spec.scope') {
    return [`+kubebuilder:resource:scope=${literal(after ?? null)}`];
  }
  if (/^spec\.versions\.\d+\.served$/.test(keys.join('.'))) {
    return after === true ? ['remove +kubebuilder:unservedversion'] : [];
  }
  const place = placeOf(keys);
  if (place === undefined) return [];
  if (place.keyword === 'required') return ofRequired(before, after);
  const write = Object.hasOwn(markers, place.keyword) ? markers[place.keyword] : undefined;
  if (write === undefined) return [];
  const said = (value: JsonValue | undefined): string[] =>
    (value === undefined ? [] : write(value)).flatMap((marker) => {
      if (!place.isOfItems) return [marker];
      const mayBeOfItems = marker.startsWith(validation) && !marker.endsWith('EmbeddedResource');
      return mayBeOfItems ? [marker.replace(validation, `${validation}items:`)] : [];
    });
  const [old, fresh] = [said(before), said(after)];
  // Only what may be repeated is not replaced by the new one.
  const isReplaced = fresh.length === 1 && old.length === 1;
  const gone = isReplaced ? [] : old.filter((marker) => !fresh.includes(marker));
  const added = fresh.filter((marker) => !old.includes(marker));
  return [...gone.map((marker) => `remove ${marker}`), ...added];
}

/** Markers of fields that become optional, or required again. */
function ofRequired(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const [old, fresh] = [before, after].map((names) => (Array.isArray(names) ? names : []));
  const isGone = old?.some((name) => fresh?.includes(name) !== true) === true;
  const isNew = fresh?.some((name) => old?.includes(name) !== true) === true;
  return [...(isGone ? ['+optional'] : []), ...(isNew ? ['+required'] : [])];
}

/** Values of maps and lists in lists have their markers on types of their own, which nothing here names. */
function placeOf(keys: readonly string[]): { keyword: string; isOfItems: boolean } | undefined {
  const steps = keys.slice(5);
  let index = 0;
  let items = 0;
  while (index < steps.length - 1) {
    if (steps[index] === 'properties') {
      index += 2;
      items = 0;
    } else if (steps[index] === 'items') {
      index += 1;
      items += 1;
    } else return undefined;
  }
  const keyword = steps[index];
  return keyword === undefined || items > 1 ? undefined : { keyword, isOfItems: items > 0 };
}

function ruleMarker(rule: JsonObject): string {
  const { rule: expression = '', ...others } = rule;
  const fields = Object.entries({ rule: expression, ...others }).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? rawText(value) : literal(value)}`,
  );
  return `${validation}XValidation:${fields.join(',')}`;
}

/** As markers write values: lists in braces, and quotes where a text is no word. */
function literal(value: JsonValue): string {
  if (Array.isArray(value)) return `{${value.map(literal).join(',')}}`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, each]) => `${literal(name)}: ${literal(each)}`,
    );
    return `{${members.join(', ')}}`;
  }
  const isWord = typeof value === 'string' && /^(?!(?:true|false)$)[A-Za-z_][\w-]*$/.test(value);
  return typeof value !== 'string' || isWord ? String(value) : JSON.stringify(value);
}

/** Backslashes as they are, where that can be written. */
function rawText(text: string): string {
  const isPlain = !/["\\]/.test(text);
  return isPlain || text.includes('`') ? JSON.stringify(text) : `\`${text}\``;
}
