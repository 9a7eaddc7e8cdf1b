/** What the API server would say to a manifest of a custom resource, and what it would drop of it. */
import {
  type FieldError,
  type ObjectValidator,
  type SchemaNode,
  sortErrors,
  type ValidatorCache,
} from '../../../kubernetes/index.js';
import { type Finding, formatReference, referenceTo } from '../../../rule/index.js';
import {
  isObject,
  metaOf,
  own,
  type JsonObject,
  type Path,
} from '../../../text/documents/index.js';
import { didYouMean } from '../../../text/nearest.js';
import { servedVersions, versionsOf } from '../../crd/named-versions.js';
import { valueAt } from '../../../text/documents/fields.js';
import { errorTypeWords, lostBetween, setNamespaceByScope } from '../../crd/stored/judge.js';
import { objectRefused } from './object-refused.js';
import { unknownField } from './unknown-field.js';
import { versionDeprecated } from './version-deprecated.js';
import { versionNotServed } from './version-not-served.js';

export interface JudgedManifest {
  readonly findings: readonly ManifestFinding[];
  /** Rules that could not be evaluated, a sentence each. */
  readonly unchecked: readonly string[];
}

export interface ManifestFinding {
  readonly finding: Finding;
  /** In the object. */
  readonly keys: Path;
}

export interface Definitions {
  readonly crd: JsonObject;
  /** The one before it, where the manifest is judged as part of an upgrade. */
  readonly old?: JsonObject | undefined;
}

/**
 * @param object of the kind of the definition, as a create of it
 * @throws InvalidInputError for a definition that cannot be read
 */
export function judgeManifest(
  object: JsonObject,
  { crd, old }: Definitions,
  validators: ValidatorCache,
): JudgedManifest {
  const version = versionOf(object);
  const served = servedVersions(crd);
  const entry = served.get(version);
  const about = { object: referenceTo(object), version };
  if (entry === undefined) {
    const isOld = old !== undefined && !servedVersions(old).has(version);
    const finding = versionNotServed.finding({
      ...about,
      ...(isOld ? { severity: 'warning' } : {}),
      id: isOld ? 'notServedBefore' : 'notServed',
      data: { version, served: served.size === 0 ? 'none' : [...served.keys()] },
    });
    return { findings: [{ finding, keys: ['apiVersion'] }], unchecked: [] };
  }
  const validator = validators.get(crd, version);
  const before =
    old !== undefined && versionsOf(old).has(version) ? validators.get(old, version) : undefined;
  const seen = setNamespaceByScope(withGeneratedName(object), validator.definition.namespaced);
  const { result, prepared } = validator.create(seen);
  const findings: ManifestFinding[] = deprecationOf(entry, about);
  const lost =
    prepared === undefined || validator.definition.preserveUnknownFields
      ? []
      : lostBetween(seen, prepared.pruned, validator.definition.schema);
  // What is fine now needs no second judgement.
  const earlier = result.errors.length + lost.length > 0 ? before?.create(seen) : undefined;
  const known = earlier?.result.errors ?? [];
  for (const error of sortErrors(result.errors)) findings.push(refusal(error, known, about));
  for (const [index, path] of lost.entries()) {
    const guessed = { ...about, isGuessed: index < mostGuessed };
    findings.push(dropped(path, earlier?.prepared?.pruned, validator, guessed));
  }
  const unchecked = (result.notEvaluated ?? []).map(
    ({ field, reason }) => `${formatReference(about.object)} ${field}: not evaluated: ${reason}`,
  );
  return { findings, unchecked };
}

/** As an API server names what comes with `generateName` alone, but for the five random characters. */
function withGeneratedName(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (!isObject(metadata) || metaOf(object).name !== '') return object;
  const prefix = own(metadata, 'generateName');
  if (typeof prefix !== 'string' || prefix === '') return object;
  return { ...object, metadata: { ...metadata, name: `${prefix.slice(0, 58)}xxxxx` } };
}

/** Each guess compares a name with every field beside it, and whoever has more unknown ones mistyped none. */
const mostGuessed = 20;

type About = Pick<Finding, 'object' | 'version'> & { readonly version: string };

function refusal(error: FieldError, known: readonly FieldError[], about: About): ManifestFinding {
  const { field, type, detail } = error;
  const path = field === '<nil>' || field === '' ? 'the object' : field;
  const reason = [errorTypeWords[type], detail].filter((part) => part !== '').join(': ');
  const isOld = known.some((each) => each.field === field && each.type === type);
  const finding = objectRefused.finding({
    ...about,
    path: field,
    ...(isOld ? { severity: 'warning' } : {}),
    id: isOld ? 'refusedBefore' : 'refused',
    data: { field: path, reason },
  });
  return { finding, keys: keysOf(field) };
}

/** @param kept what the old definition keeps of the object; undefined without one */
function dropped(
  path: string,
  kept: JsonObject | undefined,
  { definition: { schema } }: ObjectValidator,
  { isGuessed, ...about }: About & { readonly isGuessed: boolean },
): ManifestFinding {
  const keys = keysOf(path);
  const name = String(keys.at(-1));
  const meant = isGuessed ? didYouMean(name, fieldsAt(schema, keys.slice(0, -1))) : '';
  const isLost = kept !== undefined && valueAt(kept, ...keys) !== undefined;
  const finding = unknownField.finding({
    ...about,
    path,
    ...(isLost ? { severity: 'error', effect: 'data-loss' } : {}),
    id: isLost ? 'lost' : 'unknown',
    data: { field: path, meant },
  });
  return { finding, keys };
}

function deprecationOf(entry: JsonObject, about: About): ManifestFinding[] {
  if (own(entry, 'deprecated') !== true) return [];
  const said = own(entry, 'deprecationWarning');
  const warning = typeof said === 'string' ? said : 'its definition says so';
  const data = { version: about.version, warning };
  return [
    {
      finding: versionDeprecated.finding({ ...about, id: 'deprecated', data }),
      keys: ['apiVersion'],
    },
  ];
}

/** `spec.list[0].name` is spec, list, 0, name; a key of a map stands in brackets as an index does. */
function keysOf(field: string): Path {
  return (field.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []).map((part) => {
    const inner = part.startsWith('[') ? part.slice(1, -1) : part;
    return part.startsWith('[') && /^\d+$/.test(inner) ? Number(inner) : inner;
  });
}

function fieldsAt(schema: SchemaNode, keys: Path): readonly string[] {
  let node: SchemaNode | undefined = schema;
  for (const key of keys) {
    node =
      typeof key === 'number'
        ? node?.items
        : (node?.properties?.get(key) ?? node?.additionalProperties?.schema);
  }
  return [...(node?.properties?.keys() ?? [])];
}

function versionOf(object: JsonObject): string {
  const apiVersion = own(object, 'apiVersion');
  return typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : '';
}
