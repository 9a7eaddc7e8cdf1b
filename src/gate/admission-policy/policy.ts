/**
 * A ValidatingAdmissionPolicy that denies updates of one definition which its objects do not survive,
 * without asking a webhook. It knows less than the gate: a path, a type, a bound, never a proof.
 */
import { readDefinition } from '../../kubernetes/index.js';
import {
  isObject,
  metaOf,
  own,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { staticEnding } from './static-webhooks.js';
import { sha256 } from '../../text/platform.js';
import { servedVersions, storedIn, readCustomResourceDefinition } from '../../upgrade/index.js';
import { literal, literalOf } from './expressions.js';
import { hasOperators, isNested } from './field-rules.js';
import { pinnedFields, type Pinned, type Validation } from './pinned-fields.js';
import { deepest, fieldsOf, type Field, type Need } from './use.js';

export interface PolicyOptions {
  /** Fields in use, by version and path; without it every declared field is pinned. */
  readonly use?: ReadonlyMap<string, ReadonlyMap<string, Need>> | undefined;
  readonly isAudit?: boolean;
  /** Whether it denies that a definition which had objects is deleted, as the enforcing gate does; else it warns. */
  readonly deniesDeletion?: boolean;
  /** For files that an API server reads: it takes only names with the reserved ending, which its API refuses. */
  readonly isStatic?: boolean;
}

export interface ExportedPolicy {
  /** Policies and bindings, in the order in which to apply them. */
  readonly objects: readonly JsonObject[];
  /** Changes that they do not catch, a sentence each. */
  readonly notCovered: readonly string[];
}

const upgrade = { operation: 'UPDATE', family: 'crd-upgrade-safety' } as const;
/**
 * The most that an update of a definition may cost an API server, in units of CEL: some 0.3 s. It ends a policy itself at
 * ten million, and then denies every update.
 */
const mostCost = 1_500_000;
const tooCostly = 'an API server would take too long for them, so they are left to the webhook';
/** Rules that are left out are named up to here. */
const mostNamed = 10;

/** @throws InvalidInputError for a definition that cannot be read */
export function policyOf(
  crd: JsonObject,
  { use, isAudit = false, deniesDeletion = false, isStatic = false }: PolicyOptions = {},
): ExportedPolicy {
  const { name } = metaOf(crd);
  const definition = readCustomResourceDefinition(crd);
  const stored = storedIn(definition);
  const known = [...new Set([...servedVersions(crd).keys(), ...stored])].filter(
    (version) => definition.version(version) !== undefined,
  );
  const versions = known.map((version) =>
    policyOfVersion(
      crd,
      version,
      stored.has(version) ? readerOf(version, definition.storage?.name) : literal(version),
      use,
      Math.floor(mostCost / known.length),
    ),
  );
  const isUsed = use !== undefined && use.size > 0;
  const policies = [
    { name: '', ...upgrade, variables: [], validations: wholeRules(name, crd) },
    ...versions.flatMap(({ policy }) => policy ?? []),
    ...(isUsed ? [deletion(name, deniesDeletion)] : []),
    writeOfStoredVersions(name),
  ];
  return {
    objects: policies.flatMap((part) => objectsOf(crd, part, isAudit, isStatic)),
    notCovered: [
      ...versions.flatMap((version) => version.notCovered),
      ...neverCovered,
      ...deletionNotCovered(isUsed, deniesDeletion),
      'a switch-off whose record in metadata.managedFields was forged',
      ...(use === undefined ? [] : ['fields that no object used when this was made']),
    ],
  };
}

/** The fields of one version. @param reader in CEL, the version in which its objects are read */
function policyOfVersion(
  crd: JsonObject,
  version: string,
  reader: string,
  use: PolicyOptions['use'],
  mostCost: number,
): { readonly policy?: Part; readonly notCovered: readonly string[] } {
  const { schema, preserveUnknownFields } = readDefinition(crd, version);
  const needs = use?.get(version);
  if (use !== undefined && needs === undefined) {
    return { notCovered: [`fields of ${version}: no object was given in it`] };
  }
  if (preserveUnknownFields) {
    const why = 'preserveUnknownFields keeps those that no schema has';
    return { notCovered: [`fields of ${version}: ${why}`] };
  }
  const declared = [...fieldsOf(schema)];
  const fields = declared.filter(
    ({ path, parent }) => parent === undefined || needs?.has(path) !== false,
  );
  const { left, unsaid, ...pinned } = pinnedFields({
    definition: metaOf(crd).name,
    fields,
    needs,
    mostCost,
  });
  const variables = [{ name: 'reader', expression: reader }, ...pinned.variables];
  const condition = changesSchema(reader);
  return {
    policy: { name: `1-${version}`, ...upgrade, condition, ...pinned, variables },
    notCovered: [
      ...(left > 0 ? [`${left} of ${fields.length} fields of ${version}: ${tooCostly}`] : []),
      ...unsaid
        .slice(0, mostNamed)
        .map((rule) => `a rule that no policy can say: ${version} ${rule}`),
      ...(unsaid.length > mostNamed
        ? [`${unsaid.length - mostNamed} more rules of ${version} that no policy can say`]
        : []),
      ...notPinned(declared, version),
    ],
  };
}

const neverCovered = [
  'rules in CEL that name a new field or take the place of others, and defaults that come or change',
  'allOf, anyOf, oneOf and not that name a new field',
  'another pattern that takes the strings which were tried',
  'what the schema says of metadata',
  'a new version that is not the storage version, a new or changed conversion webhook',
  'a stored version that changes together with another one that is, or becomes, the storage version',
  'a version that is not served any more; its removal, unless status.storedVersions names it',
  'subresources',
  'a version that leaves status.storedVersions while objects are stored in it (only warned of)',
];

function deletionNotCovered(isUsed: boolean, isDenied: boolean): string[] {
  if (!isUsed) return ['deletion of the definition, also while it has objects'];
  return isDenied ? [] : ['deletion of the definition while it has objects (only warned of)'];
}

/**
 * In CEL, the version in which objects of this one are read after an update: without a conversion webhook, stored
 * ones are read as they are in another storage version, when it becomes that and when it changes later.
 *
 * @param storage the storage version now, which has a policy of its own
 */
function readerOf(version: string, storage: string | undefined): string {
  const same = literal(version);
  const isConverted = 'has(object.spec.conversion) && object.spec.conversion.strategy == "Webhook"';
  const isOther = `!(v.name in ${literalOf([version, ...(storage === undefined ? [] : [storage])])})`;
  const isMoved = `v.storage && ${isOther} && !oldObject.spec.versions.exists(o, o.storage && o.name == v.name && o.schema == v.schema)`;
  return `${isConverted} ? ${same} : (object.spec.versions.filter(v, ${isMoved}).map(v, v.name) + [${same}])[0]`;
}

/** An update that leaves the schema of the reader alone breaks nothing. */
function changesSchema(reader: string): string {
  const isSame = 'o.name == v.name && o.storage == v.storage && o.schema == v.schema';
  return `object.spec.versions.exists(v, v.name == (${reader}) && !oldObject.spec.versions.exists(o, ${isSame}))`;
}

function wholeRules(name: string, crd: JsonObject): Validation[] {
  const denied = (rule: string, message: string): string =>
    `"${rule}" validation failed: ${message}`;
  const spec = own(crd, 'spec') as JsonObject;
  const names = own(spec, 'names');
  const kind = isObject(names) ? own(names, 'kind') : undefined;
  const conversion = own(spec, 'conversion');
  const strategy = isObject(conversion) ? own(conversion, 'strategy') : undefined;
  const isConverted = (of: string): string =>
    `(has(${of}.spec.conversion) && ${of}.spec.conversion.strategy == "Webhook")`;
  return [
    {
      expression: 'object.spec.scope == oldObject.spec.scope',
      message: denied('NoScopeChange', `scope of ${name} may not change`),
    },
    {
      expression: `object.spec.names.kind == ${literalOf(kind ?? '')}`,
      message: denied('NoKindChange', `kind of ${name} may not change`),
    },
    {
      expression:
        '!has(oldObject.status) || !has(oldObject.status.storedVersions) || oldObject.status.storedVersions.all(s, object.spec.versions.exists(v, v.name == s))',
      message: denied('NoStoredVersionRemoved', `a stored version of ${name} may not be removed`),
    },
    {
      // One that came later may have written what cannot be read without it.
      expression: [
        'object.spec.versions.size() == 1',
        ...(strategy === 'Webhook' ? [] : [`!${isConverted('oldObject')}`]),
        isConverted('object'),
      ].join(' || '),
      message: denied('ConversionRemoved', `${name} needs its conversion webhook`),
    },
  ];
}

/** Whether it still has objects, a policy cannot know: only that it had some. */
function deletion(name: string, isDenied: boolean): Part {
  return {
    name: '0-deletion',
    operation: 'DELETE',
    family: 'stored-objects',
    isWarning: !isDenied,
    variables: [],
    validations: [
      {
        expression: 'has(oldObject.metadata.deletionTimestamp)',
        message: `"StoredObjectsDeleted" validation failed: deleting ${name} deletes the objects that it had when this policy was made; write the policy anew once they are gone`,
      },
    ],
  };
}

/** Migrators write it too, and a policy cannot know what is stored: so it warns, as the gate does. */
function writeOfStoredVersions(name: string): Part {
  return {
    name: '0-stored-versions',
    operation: 'UPDATE',
    family: 'stored-objects',
    resource: 'customresourcedefinitions/status',
    condition: 'has(oldObject.status) && has(oldObject.status.storedVersions)',
    isWarning: true,
    variables: [],
    validations: [
      {
        expression:
          'has(object.status) && has(object.status.storedVersions) && oldObject.status.storedVersions.all(s, s in object.status.storedVersions)',
        message: `"StoredVersionUnproven" validation failed: a version leaves status.storedVersions of ${name}; objects that are still stored in it cannot be read once it is removed`,
      },
    ],
  };
}

function notPinned(fields: readonly Field[], version: string): string[] {
  const nodes = fields.map(({ node }) => node);
  const sentences: string[] = [];
  const preserved = nodes.filter((node) => node.preserveUnknownFields).length;
  if (preserved > 0) {
    sentences.push(`what is below ${preserved} fields of ${version} that preserve unknown fields`);
  }
  const nested = nodes.filter((node) => node.enum?.some(isNested)).length;
  if (nested > 0) sentences.push(`objects and lists that ${nested} enums of ${version} name`);
  const composed = nodes.filter(hasOperators).length;
  if (composed > 0) {
    sentences.push(`changes of allOf, anyOf, oneOf and not in ${composed} fields of ${version}`);
  }
  if (fields.some(({ steps }) => steps.length >= deepest)) {
    sentences.push(`fields of ${version} more than ${deepest} deep`);
  }
  return sentences;
}

/** Set by itself, and without an end: a policy does not know what time it is. */
const isSwitchedOff = (family: Family): string =>
  [
    'has(oldObject.metadata.annotations)',
    '"olm-guard.io/disable" in oldObject.metadata.annotations',
    '!("olm-guard.io/disable-until" in oldObject.metadata.annotations)',
    'oldObject.metadata.annotations["olm-guard.io/disable"].split(",").exists(f, f.trim() in ["all", "' +
      family +
      '"])',
    'has(oldObject.metadata.managedFields)',
    `oldObject.metadata.managedFields.exists(m, ${[
      '!has(m.subresource)',
      'has(m.fieldsV1)',
      'm.fieldsV1.all(k, k == "f:metadata")',
      '"f:metadata" in m.fieldsV1',
      'm.fieldsV1["f:metadata"].all(k, k == "f:annotations")',
      '"f:annotations" in m.fieldsV1["f:metadata"]',
      '"f:olm-guard.io/disable" in m.fieldsV1["f:metadata"]["f:annotations"]',
    ].join(' && ')})`,
  ].join(' && ');

type Family = 'crd-upgrade-safety' | 'stored-objects';

const longestName = 253;

interface Part extends Pinned {
  readonly name: string;
  readonly operation: 'UPDATE' | 'DELETE';
  /** Without it, definitions themselves. */
  readonly resource?: string;
  /** When an update is looked at; without it, when anything in `spec` changes. */
  readonly condition?: string;
  readonly family: Family;
  readonly isWarning?: boolean;
}

/** Says how a change passes all the same, such as a rollback that harms no object. */
function writeValidation(
  { expression, message, messageExpression }: Validation,
  definition: string,
  family: Family,
): JsonObject {
  const remedy = `; to let it pass, write the policy anew if no object needs it any more (olm-guard vap sync), run kubectl annotate crd ${definition} olm-guard.io/disable=${family}, or be of the group olm-guard:break-glass`;
  return {
    expression,
    message: `${message}${remedy}`,
    ...(messageExpression === undefined
      ? {}
      : { messageExpression: `${messageExpression} + ${literal(remedy)}` }),
    reason: 'Invalid',
  };
}

/** No definition's name begins with a digit: none of another's policies, nor a cut name, is the same. */
function nameOf(definition: string, part: string, longest: number): string {
  const rest = `${part === '' ? '' : `${part}.`}${definition}`;
  if (`olm-guard.${rest}`.length <= longest) return `olm-guard.${rest}`;
  const name = `olm-guard.2.${rest}`;
  const digest = sha256(name).toString('hex').slice(0, 16);
  return `${name.slice(0, longest - digest.length)}${digest}`.replace(/[.-]+(?=.{16}$)/, 'x');
}

/** Says of which definition a policy or binding is. */
export const definitionAnnotation = 'olm-guard.io/definition';
/** Says for which `metadata.generation` of the definition it was made, where that was known. */
export const generationAnnotation = 'olm-guard.io/definition-generation';

function objectsOf(
  crd: JsonObject,
  { name: part, operation, family, resource, condition, isWarning, variables, validations }: Part,
  isAudit: boolean,
  isStatic: boolean,
): JsonObject[] {
  const { name: definition } = metaOf(crd);
  const ending = isStatic ? staticEnding : '';
  const name = `${nameOf(definition, part, longestName - ending.length)}${ending}`;
  const generation = own(own(crd, 'metadata') as JsonObject, 'generation');
  const metadata = {
    name,
    labels: { 'app.kubernetes.io/managed-by': 'olm-guard' },
    annotations: {
      [definitionAnnotation]: definition,
      ...(generation === undefined ? {} : { [generationAnnotation]: stringifyJson(generation) }),
    },
  };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata,
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apiextensions.k8s.io'],
            apiVersions: ['v1'],
            operations: [operation],
            resources: [resource ?? 'customresourcedefinitions'],
            // An API server knows no names where it deletes all of a collection.
            ...(operation === 'UPDATE' ? { resourceNames: [definition] } : {}),
          },
        ],
      },
      matchConditions: [
        operation === 'UPDATE'
          ? { name: 'concerns-it', expression: condition ?? 'object.spec != oldObject.spec' }
          : {
              name: 'is-this-definition',
              expression: `oldObject != null && oldObject.metadata.name == ${literal(definition)}`,
            },
        { name: 'not-switched-off', expression: `!(${isSwitchedOff(family)})` },
        {
          name: 'not-breaking-glass',
          expression:
            '!has(request.userInfo.groups) || !("olm-guard:break-glass" in request.userInfo.groups)',
        },
      ],
      variables: variables.map((each) => ({ ...each })),
      validations: validations.map((each) => writeValidation(each, definition, family)),
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata,
    spec: {
      policyName: name,
      validationActions: isAudit || isWarning === true ? ['Audit', 'Warn'] : ['Deny'],
    },
  };
  return [policy, binding];
}
