/**
 * Mistakes of an author in the properties and dependencies of a bundle: found for the check that
 * authors run in CI. Rule: "best practices" and "caveats" on OpenShift's page on dependency resolution,
 * and where OLM reads a constraint otherwise than that page says.
 */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  stringifyJson,
} from '../../../text/documents/index.js';
import { defineRule, type Finding, from } from '../../../rule/index.js';
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
import { type Bundle, type MetadataEntry, placeIn } from './bundle.js';

interface BundleMetadata {
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

export const dependenciesMetApart = defineRule({
  id: 'DependenciesMetApart',
  family: 'resolution',
  subject: 'bundle',
  severity: 'info',
  checks: 'whether a bundle depends on a package and on an API, which two operators may then meet.',
  why: 'Dependencies have no AND between them: each may be met by an operator of its own. Where one operator is meant to have that version and to provide that API, OLM may install another that provides the API beside it.',
  instead:
    'Where one operator must meet both, write one olm.constraint with all; otherwise nothing needs to be done.',
  source: from.openShift('Operator Lifecycle Manager dependency resolution'),
  messages: {
    apart:
      'the {packages} and the {apis} may come from two operators: there is no AND between dependencies',
  },
  example: {
    after: `
      dependencies:
        - type: olm.package
          value: { packageName: etcd, version: ">3.1.0" }
        - type: olm.gvk
          value: { group: etcd.database.coreos.com, version: v1beta2, kind: EtcdCluster }
    `,
    says: 'the package etcd and the API EtcdCluster may come from two operators',
    accepted: `
      dependencies:
        - type: olm.package
          value: { packageName: etcd, version: ">3.1.0" }
    `,
  },
});

export function* checkDependenciesApart(bundle: Bundle): Generator<Finding> {
  const entries = [...bundle.properties, ...bundle.dependencies];
  const packages = entries.flatMap((entry) => nameIn(entry, bundle, packageTypes, 'packageName'));
  const apis = entries.flatMap((entry) => nameIn(entry, bundle, apiTypes, 'kind'));
  const [first] = apis;
  if (first === undefined || packages.length === 0) return;
  const named = (what: string, found: readonly { readonly name: string }[]): string =>
    `${what}${found.length === 1 ? '' : 's'} ${[...new Set(found.map(({ name }) => name))].join(', ')}`;
  const data = { packages: named('package', packages), apis: named('API', apis) };
  yield placeIn(dependenciesMetApart.finding({ id: 'apart', data }), first.entry);
}

/** As a property, as an entry of dependencies.yaml, and as a constraint by itself. */
const packageTypes = {
  property: 'olm.package.required',
  dependency: 'olm.package',
  constraint: 'package',
};
const apiTypes = { property: 'olm.gvk.required', dependency: 'olm.gvk', constraint: 'gvk' };

function nameIn(
  entry: MetadataEntry,
  { dependencies }: Bundle,
  types: typeof packageTypes,
  key: string,
): { readonly entry: MetadataEntry; readonly name: string }[] {
  const { value } = entry;
  if (!isObject(value)) return [];
  const type = own(value, 'type');
  const isDependency = dependencies.includes(entry);
  const written: JsonValue | undefined = own(value, 'value');
  const isConstraint = type === 'olm.constraint';
  const isMeant =
    isConstraint || type === types.property || (isDependency && type === types.dependency);
  const given = isConstraint && isObject(written) ? own(written, types.constraint) : written;
  const name = isObject(given) ? own(given, key) : undefined;
  return isMeant && typeof name === 'string' ? [{ entry, name }] : [];
}
