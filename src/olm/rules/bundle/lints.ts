/**
 * Mistakes of an author in the properties and dependencies of a bundle: found for the check that
 * authors run in CI. Rule: "best practices" and "caveats" on OpenShift's page on dependency resolution,
 * and where OLM reads a constraint otherwise than that page says.
 */
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import { readBlangRange } from '../../../text/versions/index.js';
import { parseConstraint, sizeLimits } from '../../resolver/constraint.js';
import {
  constraintKeys,
  constraintRemedy,
  unknownVariable,
} from '../../resolver/constraint-remedy.js';
import { lintRules } from './lint-rules.js';
import type { Property } from '../../resolver/requirement.js';
import { append } from '../../../text/long-lists.js';

export interface BundleMetadata {
  readonly properties: readonly JsonValue[];
  readonly dependencies: readonly JsonValue[];
}

/** In the order of the metadata. Never throws for a strange shape. */
export function lintBundle(metadata: BundleMetadata): Finding[] {
  const found: Finding[] = [];
  const properties = metadata.properties.map((item, index) => {
    const path = `$.properties[${index}]`;
    append(found, lintIndentation(item, path));
    const nested = isObject(item) ? own(item, 'property') : undefined;
    if (!isObject(nested)) return { item, path };
    const fix = 'write type and value directly into the entry of the list';
    found.push(lintRules.nestedProperty.finding({ id: 'nested', path, fix }));
    return { item: nested, path: `${path}.property` };
  });
  const dependencies = metadata.dependencies.map((item, index) => {
    const path = `$.dependencies[${index}]`;
    append(found, lintIndentation(item, path));
    return { item, path };
  });
  const all = [...properties, ...dependencies].flatMap(({ item, path }) => {
    const property = asProperty(item);
    return property === undefined ? [] : [{ property, path }];
  });
  const packages = all.flatMap(({ property }) => packageRange(property) ?? []);
  for (const { property, path } of all) {
    if (property.type === 'olm.constraint') append(found, lintConstraint(property.value, path));
    append(found, lintRange(property, path));
  }
  append(found, lintApis(all, packages.length > 0));
  return found;
}

/** OpenShift's own example of `not` has its constraint beside `value:`, which YAML then leaves empty. */
function lintIndentation(item: JsonValue, path: string): Finding[] {
  if (!isObject(item) || own(item, 'type') !== 'olm.constraint') return [];
  const beside = constraintKeys.filter((key) => own(item, key) !== undefined);
  if (beside.length === 0) return [];
  const keys = beside.join(' and ');
  const isOne = beside.length === 1;
  return [
    lintRules.unreadable.finding({
      id: isOne ? 'oneBeside' : 'severalBeside',
      data: { keys },
      path,
      fix: `indent ${keys} so that ${isOne ? 'it stands' : 'they stand'} below value`,
    }),
  ];
}

function asProperty(item: JsonValue): Property | undefined {
  if (!isObject(item)) return undefined;
  const type = own(item, 'type');
  return typeof type === 'string' ? { type, value: own(item, 'value') ?? null } : undefined;
}

/** @param value of a property olm.constraint */
export function lintConstraint(value: JsonValue, path = '$'): Finding[] {
  const found: Finding[] = [];
  const size = Buffer.byteLength(stringifyJson(value));
  if (size > sizeLimits.documents) {
    const id = size > sizeLimits.olm ? 'refused' : 'undocumented';
    const data = { size, limit: sizeLimits.olm };
    found.push(lintRules.constraintSize.finding({ id, data, path }));
  }
  try {
    parseConstraint(value, 'olm');
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'TypeError') throw error;
    found.push(unreadable(value, path, error.message));
  }
  append(found, walk(value, `${path}.value`, undefined));
  return found;
}

function unreadable(value: JsonValue, path: string, message: string): Finding {
  const variable = unknownVariable(message);
  const remedy = constraintRemedy(value, message);
  const fix = { fix: remedy };
  if (variable === undefined) {
    const data = { problem: message };
    return lintRules.unreadable.finding({ id: 'unreadable', data, path, ...fix });
  }
  const data = { variable, problem: message.split('\n')[0] ?? '' };
  return lintRules.celVariable.finding({ id: 'unknown', data, path, ...fix });
}

function packageRange({ type, value }: Property): { name: string; range: string } | undefined {
  if (!isObject(value)) return undefined;
  const isLegacy = type === 'olm.package' && own(value, 'version') !== undefined;
  const source =
    type === 'olm.constraint' && isObject(own(value, 'package'))
      ? (own(value, 'package') as JsonObject)
      : value;
  if (!isLegacy && !['olm.package.required', 'olm.constraint'].includes(type)) return undefined;
  const name = own(source, 'packageName');
  const range = own(source, isLegacy ? 'version' : 'versionRange');
  return typeof name === 'string' && typeof range === 'string' ? { name, range } : undefined;
}

/** The property olm.package says what the bundle is; only as a dependency is it a range. */
function lintRange(property: Property, path: string): Finding[] {
  const required = packageRange(property);
  const isOwn = property.type === 'olm.package' && path.startsWith('$.properties');
  if (required === undefined || isOwn) return [];
  const { name, range } = required;
  const id = narrowness(range);
  if (id === undefined) return [];
  const data = { range, package: name };
  const fix =
    'leave the maximum out, use the next major version, or exclude bad versions with !1.2.1';
  return [lintRules.tightMaximum.finding({ id, data, path, fix })];
}

/** Why a range is tight: every alternative ends before the next major version after its beginning. */
function narrowness(range: string): 'exact' | 'tight' | undefined {
  let alternatives;
  try {
    ({ alternatives } = readBlangRange(range));
  } catch {
    return undefined;
  }
  if (alternatives.length === 0) return undefined;
  const exact = alternatives.every((comparisons) =>
    comparisons.some(({ operator }) => operator === '='),
  );
  if (exact) return 'exact';
  const isTight = alternatives.every((comparisons) => {
    const lower = comparisons.find(({ operator }) => operator === '>' || operator === '>=');
    const upper = comparisons.find(({ operator }) => operator === '<' || operator === '<=');
    if (upper === undefined) return comparisons.some(({ operator }) => operator === '=');
    return lower !== undefined && lower.version.major === upper.version.major;
  });
  return isTight ? 'tight' : undefined;
}

function lintApis(
  all: readonly { property: Property; path: string }[],
  hasPackage: boolean,
): Finding[] {
  if (hasPackage) return [];
  return all.flatMap(({ property: { type, value }, path }) => {
    const isDependency =
      type === 'olm.gvk.required' || (type === 'olm.gvk' && path.startsWith('$.dependencies'));
    const source = type === 'olm.constraint' && isObject(value) ? own(value, 'gvk') : value;
    if (!(isDependency || type === 'olm.constraint') || !isObject(source)) return [];
    const [kind, version] = [own(source, 'kind'), own(source, 'version')];
    if (typeof kind !== 'string' || typeof version !== 'string') return [];
    return [
      lintRules.apiWithoutVersion.finding({
        id: 'unbounded',
        data: { kind, version },
        path,
        fix: 'if its provider is known, add a dependency on that package with a range such as >=1.0.1',
      }),
    ];
  });
}

function walk(
  value: JsonValue,
  path: string,
  parent: 'all' | 'any' | 'not' | undefined,
): Finding[] {
  if (!isObject(value)) return [];
  const found: Finding[] = [];
  for (const kind of ['all', 'any', 'not'] as const) {
    const compound = own(value, kind);
    const parts = isObject(compound) ? own(compound, 'constraints') : undefined;
    if (!Array.isArray(parts)) continue;
    if (kind === 'not') found.push(negation(`${path}.not`, parent));
    if (kind === 'all' && namesSeveral(parts)) {
      found.push(
        lintRules.oneBundle.finding({
          id: 'several',
          path: `${path}.all`,
          fix: 'make each part a dependency of its own unless one operator must meet them all',
        }),
      );
    }
    for (const [index, part] of parts.entries()) {
      append(found, walk(part, `${path}.${kind}.constraints[${index}]`, kind));
    }
  }
  return found;
}

function negation(path: string, parent: 'all' | 'any' | 'not' | undefined): Finding {
  return parent === 'all' || parent === 'any'
    ? lintRules.negation.finding({ id: 'narrows', data: { parent }, path })
    : lintRules.negation.finding({ id: 'forbidsNothing', path });
}

/** A package beside an API, or two packages: what two operators would usually provide. */
function namesSeveral(parts: readonly JsonValue[]): boolean {
  const kinds = parts.flatMap((part) => {
    if (!isObject(part)) return [];
    return ['package', 'gvk'].filter((kind) => own(part, kind) !== undefined);
  });
  const packages = new Set(
    parts.flatMap((part) => {
      const required = isObject(part) ? own(part, 'package') : undefined;
      const name = isObject(required)
        ? (own(required, 'packageName') ?? own(required, 'name'))
        : undefined;
      return typeof name === 'string' ? [name] : [];
    }),
  );
  return packages.size > 1 || (packages.size === 1 && kinds.includes('gvk'));
}
