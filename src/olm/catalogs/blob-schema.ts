/** Not enforced by opm. Source: "File-based catalogs", CUE schemas `_Meta`, `#Property`, `#RelatedImage`. */
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { field, quote, type Shape } from '../../text/go/index.js';
import { didYouMean } from '../../text/nearest.js';
import { shortened } from '../../text/shortened.js';
import type { Meta } from './meta.js';
import { bundleShape, channelShape, deprecationShape, packageShape } from './shapes.js';

/** A blob may hold thousands; a person mends them by looking at the first. */
const maxProblems = 20;
const longestPlace = 120;

/** One clause for each; none that opm itself complains about. */
export function blobProblems({ schema, object }: Meta): string[] {
  const isBundle = schema === 'olm.bundle';
  const isNamedByOpm = ['olm.channel', 'olm.bundle', 'olm.deprecations'].includes(schema);
  const shape = shapes.get(schema);
  return [
    ...(shape === undefined ? [] : misspeltKeys(object, shape).map(tellMisspelt)),
    ...(field(object, 'package') === '' && !isNamedByOpm ? ['package is empty'] : []),
    ...propertyProblems(object, isBundle),
    ...(isBundle ? imageProblems(field(object, 'relatedImages')) : []),
    ...(schema === 'olm.deprecations' && field(object, 'name') !== undefined
      ? ['a deprecation has no name: it belongs to its package']
      : []),
  ].slice(0, maxProblems);
}

/** Fields that opm reads of each schema, but for properties, in which every key that is not read is reported. */
const shapes = new Map([
  ['olm.package', packageShape],
  ['olm.channel', channelShape],
  ['olm.bundle', bundleShape],
  ['olm.deprecations', deprecationShape],
]);

interface Misspelt {
  /** `.entries[3].replace`, from where it was looked for. */
  readonly place: string;
  readonly meant: string;
}

function tellMisspelt({ place, meant }: Misspelt): string {
  return `${shortened(place.slice(1), longestPlace)} is read by nobody${meant}`;
}

function misspeltKeys(value: JsonValue, shape: Shape): Misspelt[] {
  const found: Misspelt[] = [];
  if (Array.isArray(value) && shape.kind === 'list') {
    for (const [index, item] of value.entries()) {
      for (const { place, meant } of misspeltKeys(item, shape.of)) {
        found.push({ place: `[${index}]${place}`, meant });
      }
    }
  }
  if (!isObject(value) || !('fields' in shape)) return found;
  for (const key of Object.keys(value)) {
    const known = shape.fields.get(key);
    if (known === undefined) {
      if (shape.folded.has(key.toUpperCase())) continue;
      const meant = didYouMean(key, shape.fields.keys());
      if (meant !== '') found.push({ place: `.${key}`, meant });
    } else if (key !== 'properties' && (known.kind === 'list' || 'fields' in known)) {
      for (const { place, meant } of misspeltKeys(own(value, key) ?? null, known)) {
        found.push({ place: `.${key}${place}`, meant });
      }
    }
  }
  return found;
}

function propertyProblems(object: JsonObject, isBundle: boolean): string[] {
  const properties = field(object, 'properties');
  if (properties === undefined) return [];
  if (!Array.isArray(properties)) return ['properties is no list'];
  return properties.flatMap((property, index) => {
    const place = `properties[${index}]`;
    if (!isObject(property)) return [`${place} has no type and no value`];
    const type = field(property, 'type');
    const problems: string[] = [];
    if (typeof type !== 'string') problems.push(`${place} has no type`);
    else if (type === '') problems.push(`${place}.type is empty`);
    const value = valueOf(property);
    if (value === null) problems.push(`${place}.value is null`);
    // opm parses the properties of bundles and says it itself.
    else if (value === undefined && !isBundle) problems.push(`${place} has no value`);
    // Most often something that is indented too little.
    const others = Object.keys(property).filter(
      (key) => key !== 'type' && key !== 'value' && !/^(type|value)$/i.test(key),
    );
    if (others.length > 0) {
      const stand = others.length === 1 ? 'stands' : 'stand';
      problems.push(
        `${place}: ${others.join(' and ')} ${stand} beside value, where nothing is read; indent to stand below value`,
      );
    }
    return problems;
  });
}

/** The last key if several differ in case only, as in Go. Null differs from absent. */
export function valueOf(property: JsonObject): JsonValue | undefined {
  if (Object.hasOwn(property, 'value') && Object.keys(property).at(-1) === 'value')
    return property['value'];
  const key = Object.keys(property).findLast((name) => name.toLowerCase() === 'value');
  return key === undefined ? undefined : own(property, key);
}

function imageProblems(related: JsonValue | undefined): string[] {
  if (!Array.isArray(related)) return [];
  return related.flatMap((item, index) => {
    const image = isObject(item) ? field(item, 'image') : undefined;
    if (typeof image === 'string' && image !== '') return [];
    const name = isObject(item) ? field(item, 'name') : undefined;
    const called = typeof name === 'string' && name !== '' ? ` ${quote(name)}` : '';
    return [`relatedImages[${index}]${called} has no image`];
  });
}
