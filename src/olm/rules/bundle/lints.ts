/**
 * What an author can get wrong in the properties and dependencies of a bundle: advice for the check an
 * author runs in CI. Rule: "best practices" and "caveats" on OpenShift's page on dependency resolution,
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
import { lintConstraint } from './constraint-lints.js';
import {
  constraintKeys,
  constraintRemedy,
  unknownVariable,
} from '../../resolver/constraint-remedy.js';
import { lintRules, type Advice } from './lint-rules.js';
import type { Property } from '../../resolver/requirement.js';
import { append } from '../../../text/long-lists.js';

/** The resolver's side of a bundle: metadata/properties.yaml and metadata/dependencies.yaml as values. */
export interface BundleMetadata {
  readonly properties: readonly JsonValue[];
  readonly dependencies: readonly JsonValue[];
}

/** In the order of the metadata. Never throws for a strange shape. */
export function lintBundle(metadata: BundleMetadata): Finding[] {
  const advice: Advice[] = [];
  const properties = metadata.properties.map((item, index) => {
    const path = `$.properties[${index}]`;
    append(advice, lintIndentation(item, path));
    const nested = isObject(item) ? own(item, 'property') : undefined;
    if (!isObject(nested)) return { item, path };
    advice.push({
      rule: lintRules.nestedProperty,
      message: `the property is nested below "property:", where OLM does not read it`,
      path,
      fix: 'write type and value directly into the entry of the list',
    });
    return { item: nested, path: `${path}.property` };
  });
  const dependencies = metadata.dependencies.map((item, index) => {
    const path = `$.dependencies[${index}]`;
    append(advice, lintIndentation(item, path));
    return { item, path };
  });
  const all = [...properties, ...dependencies].flatMap(({ item, path }) => {
    const property = asProperty(item);
    return property === undefined ? [] : [{ property, path }];
  });
  const packages = all.flatMap(({ property }) => packageRange(property) ?? []);
  for (const { property, path } of all) {
    if (property.type === 'olm.constraint') append(advice, lintOlmConstraint(property, path));
    append(advice, lintRange(property, path));
  }
  append(advice, lintApis(all, packages.length > 0));
  return advice.map(findingOf);
}

/** What can be wrong with one `olm.constraint`, by itself. Never throws for a strange shape. */
export function lintConstraintProperty(property: Property, path: string): Finding[] {
  return lintOlmConstraint(property, path).map(findingOf);
}

function findingOf({ rule, message, path, fix }: Advice): Finding {
  return rule.finding({ message, path, ...(fix === undefined ? {} : { fix }) });
}

/** OpenShift's own example of `not` has its constraint beside `value:`, which YAML then leaves empty. */
function lintIndentation(item: JsonValue, path: string): Advice[] {
  if (!isObject(item) || own(item, 'type') !== 'olm.constraint') return [];
  const beside = constraintKeys.filter((key) => own(item, key) !== undefined);
  if (beside.length === 0) return [];
  const keys = beside.join(' and ');
  return [
    {
      rule: lintRules.unreadable,
      message: `${keys} ${beside.length === 1 ? 'stands' : 'stand'} beside value, where OLM does not read ${beside.length === 1 ? 'it' : 'them'}`,
      path,
      fix: `indent ${keys} so that ${beside.length === 1 ? 'it stands' : 'they stand'} below value`,
    },
  ];
}

function asProperty(item: JsonValue): Property | undefined {
  if (!isObject(item)) return undefined;
  const type = own(item, 'type');
  return typeof type === 'string' ? { type, value: own(item, 'value') ?? null } : undefined;
}

function lintOlmConstraint({ value }: Property, path: string): Advice[] {
  const found: Advice[] = [];
  const size = Buffer.byteLength(stringifyJson(value));
  if (size > sizeLimits.documents) {
    const effect =
      size > sizeLimits.olm
        ? `OLM refuses more than ${sizeLimits.olm}`
        : 'OpenShift’s documentation allows 65536, OLM still reads it';
    found.push({
      rule: lintRules.constraintSize,
      message: `the constraint has ${size} bytes; ${effect}`,
      path,
    });
  }
  try {
    parseConstraint(value, 'olm');
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'TypeError') throw error;
    found.push(unreadable(value, path, error.message));
  }
  append(found, lintConstraint(value, path));
  return found;
}

function unreadable(value: JsonValue, path: string, message: string): Advice {
  const variable = unknownVariable(message);
  const fix = constraintRemedy(value, message);
  return {
    rule: variable === undefined ? lintRules.unreadable : lintRules.celVariable,
    message:
      variable === undefined
        ? `OLM cannot read the constraint: ${message}`
        : `the CEL rule names ${variable}, which OLM does not know: ${message.split('\n')[0] ?? ''}`,
    path,
    ...(fix === undefined ? {} : { fix }),
  };
}

/** Package name and range of a dependency on a package, in either spelling. */
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
function lintRange(property: Property, path: string): Advice[] {
  const required = packageRange(property);
  const isOwn = property.type === 'olm.package' && path.startsWith('$.properties');
  if (required === undefined || isOwn) return [];
  const { name, range } = required;
  const narrow = narrowness(range);
  return narrow === undefined
    ? []
    : [
        {
          rule: lintRules.tightMaximum,
          message: `the range ${range} on package ${name} ${narrow}`,
          path,
          fix: 'leave the maximum out, use the next major version, or exclude bad versions with !1.2.1',
        },
      ];
}

/** Why a range is tight: every alternative ends before the next major version after its beginning. */
function narrowness(range: string): string | undefined {
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
  if (exact) return 'allows only exact versions';
  const isTight = alternatives.every((comparisons) => {
    const lower = comparisons.find(({ operator }) => operator === '>' || operator === '>=');
    const upper = comparisons.find(({ operator }) => operator === '<' || operator === '<=');
    if (upper === undefined) return comparisons.some(({ operator }) => operator === '=');
    return lower !== undefined && lower.version.major === upper.version.major;
  });
  return isTight ? 'ends within one major version' : undefined;
}

function lintApis(
  all: readonly { property: Property; path: string }[],
  hasPackage: boolean,
): Advice[] {
  if (hasPackage) return [];
  return all.flatMap(({ property: { type, value }, path }) => {
    const isDependency =
      type === 'olm.gvk.required' || (type === 'olm.gvk' && path.startsWith('$.dependencies'));
    const source = type === 'olm.constraint' && isObject(value) ? own(value, 'gvk') : value;
    if (!(isDependency || type === 'olm.constraint') || !isObject(source)) return [];
    const [kind, version] = [own(source, 'kind'), own(source, 'version')];
    if (typeof kind !== 'string' || typeof version !== 'string') return [];
    return [
      {
        rule: lintRules.apiWithoutVersion,
        message: `the bundle needs the API ${kind} ${version} and no package with a minimum version`,
        path,
        fix: 'if its provider is known, add a dependency on that package with a range such as >=1.0.1',
      },
    ];
  });
}
