/**
 * Predicts how OLM classic treats a CRD that exists already when an InstallPlan brings a new one: it
 * validates the objects that exist against the new schemas, then refuses to lose a stored version.
 *
 * Source: validateV1CRDCompatibility, validateExistingCRs and SafeStorageVersionUpgrade of
 * operator-lifecycle-manager v0.46.0 (pkg/controller/operators/catalog, pkg/lib/crd). Objects are
 * judged as they are listed: nothing is pruned or defaulted, CEL, list types and metadata do not
 * count. One object is named: the first that is refused.
 */
import {
  isObject,
  type JsonObject,
  type JsonValue,
  metaOf,
  own,
} from '../../../text/documents/index.js';
import {
  compileSchema,
  errorBody,
  readSchema,
  type SchemaError,
  schemaOf,
} from '../../../kubernetes/index.js';
import { flagAt, textAt, textsAt } from '../../../text/documents/fields.js';
import { quote } from '../../../text/go/index.js';
import { versionEntries } from '../named-versions.js';

export interface ClassicUpgrade {
  readonly currentCRD: JsonObject;
  readonly newCRD: JsonObject;
  readonly crsByVersion: JsonObject | null;
  /** Versions that cannot be listed, with the API server's text. */
  readonly listErrors?: JsonObject | null;
}

export interface ClassicVerdict {
  readonly allowed: boolean;
  /** The InstallPlan's failure, null when allowed. */
  readonly error: string | null;
  /** The text of the event that OLM sends instead of failing, when a conversion webhook may help. */
  readonly warningEvent: string | null;
}

/** The release of the libraries that OLM validates with. */
const kubernetes = '1.36';

export function judgeClassicUpgrade(upgrade: ClassicUpgrade): ClassicVerdict {
  const name = metaOf(upgrade.newCRD).name;
  const problem = validateExisting(upgrade);
  let warningEvent: string | null = null;
  if (problem !== undefined) {
    const converts = textAt(upgrade.newCRD, 'spec', 'conversion', 'strategy') === 'Webhook';
    if (!problem.isRefusal || !converts) {
      const error = `error validating existing CRs against new CRD's schema for ${quote(name)}: ${problem.text}`;
      return { allowed: false, error, warningEvent };
    }
    warningEvent =
      "Validation of existing CRs against the new CRD's schema failed, but a webhook conversion strategy was specified in the new CRD.\n" +
      'The new webhook will only start after the bundle is upgraded, so we must assume that it will successfully convert existing CRs to a format that would have passed validation.\n\n' +
      `CRD: ${quote(name)}\nValidation Error: ${problem.text}\n`;
  }
  const lost = lostStoredVersion(upgrade);
  if (lost === undefined) return { allowed: true, error: null, warningEvent };
  return {
    allowed: false,
    error: `risk of data loss updating ${quote(name)}: new CRD removes version ${lost} that is listed as a stored version on the existing CRD`,
    warningEvent,
  };
}

interface Problem {
  readonly text: string;
  readonly isRefusal: boolean;
}

/** In the new definition's order; of versions with one name the last counts. */
function validateExisting(upgrade: ClassicUpgrade): Problem | undefined {
  const served = (crd: JsonObject): JsonObject[] =>
    versionEntries(crd).filter((version) => flagAt(version, 'served'));
  const before = new Set(served(upgrade.currentCRD).map(nameOf));
  const after = served(upgrade.newCRD).filter((version) => before.has(nameOf(version)));
  const bare = after.find((version) => !isObject(own(version, 'schema')));
  if (bare !== undefined)
    return { text: `version ${nameOf(bare)} has no schema`, isRefusal: false };
  for (const [name, version] of new Map(after.map((kept) => [nameOf(kept), kept]))) {
    const problem = validateVersion(name, version, upgrade);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameOf(version: JsonObject): string {
  return textAt(version, 'name') ?? '';
}

function validateVersion(
  name: string,
  version: JsonObject,
  upgrade: ClassicUpgrade,
): Problem | undefined {
  const path = `$.newCRD.spec.versions[${name}].schema.openAPIV3Schema`;
  const check = compileSchema(readSchema(schemaOf(version), path), kubernetes);
  const listError = own(upgrade.listErrors ?? {}, name);
  if (typeof listError === 'string') return { text: listError, isRefusal: false };
  const objects = own(upgrade.crsByVersion ?? {}, name);
  for (const object of Array.isArray(objects) ? objects : []) {
    const errors: SchemaError[] = [];
    check(object, '', errors, undefined);
    if (errors.length > 0) {
      return {
        text: `error validating ${describe(object)}: updated validation is too restrictive: ${aggregate(errors)}`,
        isRefusal: true,
      };
    }
  }
  return undefined;
}

/** `group/version, Kind=Kind "namespace/name"`; the kind too is left out beside an apiVersion of three parts. */
function describe(object: JsonValue): string {
  const source = isObject(object) ? object : {};
  const meta = metaOf(source);
  const name = meta.namespace === '' ? meta.name : meta.key;
  const apiVersion = textAt(source, 'apiVersion') ?? '';
  const [version = '', ...groups] = apiVersion.split('/').reverse();
  if (groups.length > 1) return `/, Kind= ${quote(name)}`;
  return `${groups.join('')}/${version}, Kind=${textAt(source, 'kind') ?? ''} ${quote(name)}`;
}

/** Each text once; several are in brackets. The root of a path prints as `[]`. */
function aggregate(errors: readonly SchemaError[]): string {
  const texts = errors.map((error) => {
    const place = error.field === '<nil>' ? '[]' : `[].${error.field}`;
    return `${place}: ${errorBody(error)}`;
  });
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

function lostStoredVersion(upgrade: ClassicUpgrade): string | undefined {
  const kept = new Set(versionEntries(upgrade.newCRD).map(nameOf));
  const stored = textsAt(upgrade.currentCRD, 'status', 'storedVersions');
  return stored.find((name) => !kept.has(name));
}
