/**
 * A ValidatingAdmissionPolicy that denies updates of one definition which its objects do not survive,
 * without asking anybody. It knows less than the gate: a path, a type, a bound, never a proof.
 */
import { readDefinition, type SchemaNode } from '../../kubernetes/index.js';
import {
  isObject,
  metaOf,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { isNumber } from '../../text/go/index.js';
import { sha256 } from '../../text/platform.js';
import { append } from '../../text/long-lists.js';
import { servedVersions } from '../crd/named-versions.js';
import { deepest, fieldsOf, type Field, type Need, type Step } from './use.js';

export interface PolicyOptions {
  /** What is used, by version and path; without it every declared field is pinned. */
  readonly use?: ReadonlyMap<string, ReadonlyMap<string, Need>> | undefined;
  /** Whether it only warns and audits. */
  readonly isAudit?: boolean;
}

export interface ExportedPolicy {
  /** Policies and bindings, in the order in which to apply them. */
  readonly objects: readonly JsonObject[];
  /** What they do not catch, a sentence each. */
  readonly notCovered: readonly string[];
}

/** The time in which an API server compiles a policy grows with the square of its fields. */
const mostFields = 100;
/** Of one version: for each, an API server converts both definitions anew. */
const mostPolicies = 4;

interface Rule {
  readonly expression: string;
  readonly message: string;
}

interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** @throws InvalidInputError for a definition that cannot be read */
export function policyOf(
  crd: JsonObject,
  { use, isAudit = false }: PolicyOptions = {},
): ExportedPolicy {
  const { name } = metaOf(crd);
  const versions = [...servedVersions(crd).keys()];
  const notCovered: string[] = [];
  const policies: { variables: Variable[]; rules: Rule[] }[] = [
    { variables: [], rules: wholeRules(name, crd, versions) },
  ];
  for (const version of versions) {
    const { schema, preserveUnknownFields } = readDefinition(crd, version);
    const needs = use?.get(version);
    if (use !== undefined && needs === undefined) {
      notCovered.push(`fields of ${version}: no object was given in it`);
      continue;
    }
    if (preserveUnknownFields) {
      notCovered.push(`fields of ${version}: preserveUnknownFields keeps those that no schema has`);
      continue;
    }
    const root: Field = { path: '^', steps: [], node: schema };
    const declared = [...fieldsOf(schema)];
    const fields = [root, ...declared.filter(({ path }) => needs?.has(path) ?? true)];
    const kept = fields.slice(0, mostFields * mostPolicies);
    if (kept.length < fields.length) {
      notCovered.push(`${fields.length - kept.length} of ${fields.length} fields of ${version}`);
    }
    for (let at = 0; at < kept.length; at += mostFields) {
      policies.push(pinned(name, version, kept.slice(at, at + mostFields), needs));
    }
    append(notCovered, notPinned([root, ...declared], version));
  }
  append(notCovered, [
    'rules in CEL, patterns, formats, defaults, oneOf, anyOf, allOf and not that come or change',
    'what the schema says of metadata',
    'a new version, another storage version, a new or changed conversion webhook',
    'subresources, and writes of the status: who takes a version out of status.storedVersions',
    'deletion of the definition, also while it has objects',
    'a switch-off whose record in metadata.managedFields was forged',
    ...(use === undefined ? [] : ['fields that no object used when this was made']),
  ]);
  return {
    objects: policies.flatMap(({ variables, rules }, index) =>
      objectsOf(nameOf(name, index), name, variables, rules, isAudit),
    ),
    notCovered,
  };
}

/** Rules about the definition as a whole. */
function wholeRules(name: string, crd: JsonObject, versions: readonly string[]): Rule[] {
  const denied = (rule: string, message: string): string =>
    `"${rule}" validation failed: ${message}`;
  const spec = own(crd, 'spec') as JsonObject;
  const names = own(spec, 'names');
  const kind = isObject(names) ? own(names, 'kind') : undefined;
  const conversion = own(spec, 'conversion');
  const strategy = isObject(conversion) ? own(conversion, 'strategy') : undefined;
  return [
    {
      expression: 'object.spec.scope == oldObject.spec.scope',
      message: denied('NoScopeChange', `scope of ${name} may not change`),
    },
    {
      expression: `object.spec.names.kind == ${text(kind ?? '')}`,
      message: denied('NoKindChange', `kind of ${name} may not change`),
    },
    {
      expression:
        '!has(oldObject.status) || !has(oldObject.status.storedVersions) || oldObject.status.storedVersions.all(s, object.spec.versions.exists(v, v.name == s))',
      message: denied('NoStoredVersionRemoved', `a stored version of ${name} may not be removed`),
    },
    ...versions.map((version) => ({
      expression: `object.spec.versions.exists(v, v.name == ${text(version)} && v.served)`,
      message: denied('ServedVersionRemoved', `version ${version} of ${name} may not be removed`),
    })),
    ...(strategy === 'Webhook'
      ? [
          {
            expression:
              'object.spec.versions.size() == 1 || (has(object.spec.conversion) && object.spec.conversion.strategy == "Webhook")',
            message: denied('ConversionRemoved', `${name} needs its conversion webhook`),
          },
        ]
      : []),
  ];
}

/** Fields that have to stay as they are used. */
function pinned(
  name: string,
  version: string,
  fields: readonly Field[],
  needs: ReadonlyMap<string, Need> | undefined,
): { variables: Variable[]; rules: Rule[] } {
  const variables: Variable[] = [
    {
      name: 'versions',
      expression: `object.spec.versions.filter(v, v.name == ${text(version)} && has(v.schema) && has(v.schema.openAPIV3Schema))`,
    },
    {
      name: 'f0',
      expression:
        'variables.versions.size() == 1 ? variables.versions[0].schema.openAPIV3Schema : null',
    },
  ];
  const known = new Map<string, string>([['[]', 'f0']]);
  const variableOf = (steps: Field['steps']): string => {
    const key = JSON.stringify(steps);
    const found = known.get(key);
    if (found !== undefined) return found;
    const parent = `variables.${variableOf(steps.slice(0, -1))}`;
    const own = `f${known.size}`;
    variables.push({ name: own, expression: childOf(parent, steps.at(-1) ?? '') });
    known.set(key, own);
    return own;
  };
  const rules = fields.flatMap((field) => {
    const node = `variables.${variableOf(field.steps)}`;
    const parent = `variables.${variableOf(field.steps.slice(0, -1))}`;
    return rulesOf(name, version, field, needs?.get(field.path), node, parent);
  });
  return { variables, rules };
}

const preserves = '"x-kubernetes-preserve-unknown-fields"';
const isIntOrString = '"x-kubernetes-int-or-string"';
const isEmbedded = '"x-kubernetes-embedded-resource"';
const listType = '"x-kubernetes-list-type"';
const listKeys = '"x-kubernetes-list-map-keys"';

/** A field in a schema that may lack it; null where it does. */
function childOf(parent: string, step: Step): string {
  if (typeof step === 'string') {
    const key = text(step);
    return `${parent} != null && has(${parent}.properties) && ${key} in ${parent}.properties ? ${parent}.properties[${key}] : null`;
  }
  const each = `${parent}.${step.each}`;
  // additionalProperties may be a boolean.
  return `${parent} != null && has(${each}) && type(${each}) == map ? ${each} : null`;
}

function rulesOf(
  name: string,
  version: string,
  { path, steps, node }: Field,
  need: Need | undefined,
  field: string,
  parent: string,
): Rule[] {
  const unless = (condition: string, what: string): Rule => ({
    expression: `${field} == null || ${condition}`,
    message: `"ChangeValidator" validation failed: version "${version}", field "${path}": ${what}`,
  });
  const rules: Rule[] =
    steps.length === 0
      ? []
      : [
          {
            expression: `${parent} == null || ${field} != null || ${isSet(preserves, parent)}`,
            message: `"NoExistingFieldRemoved" validation failed: crd/${name} version/${version} field/${path} may not be removed`,
          },
        ];
  const types = typesFor(node).map((each) => ` || ${field}.type == ${text(each)}`);
  rules.push(
    unless(
      `(has(${field}.type) ? false${types.join('')} : ${untyped(node, field)})`,
      `type may not change from ${node.type !== '' ? node.type : node.intOrString ? 'integer or string' : 'any'}`,
    ),
  );
  if (node.nullable) {
    rules.push(unless(`has(${field}.nullable) && ${field}.nullable`, 'null is allowed now'));
  }
  const values = [...(need?.values ?? node.enum ?? [])].filter((each) => !isNested(each));
  const keeps =
    node.enum === undefined
      ? ''
      : ` || (${['true', ...values.map((each) => `${text(each)} in ${field}.enum`)].join(' && ')})`;
  rules.push(unless(`!has(${field}.enum)${keeps}`, 'enum lacks values that are allowed now'));
  if (isOf(node, 'object')) {
    const names = node.required.map(text).join(', ');
    rules.push(
      unless(
        `!has(${field}.required) || ${field}.required.all(x, x in [${names}])`,
        'required lists fields that objects need not have now',
      ),
    );
    if (!node.embeddedResource) {
      rules.push(
        unless(`!${isSet(isEmbedded, field)}`, 'objects need not be whole Kubernetes objects now'),
      );
    }
    const keepsAny =
      node.additionalProperties?.allows === true && node.additionalProperties.schema === undefined;
    if (node.preserveUnknownFields || keepsAny) {
      const kept = keepsAny
        ? ` || (has(${field}.additionalProperties) && ${field}.additionalProperties == true)`
        : '';
      rules.push(unless(`${isSet(preserves, field)}${kept}`, 'unknown fields are kept now'));
    }
  }
  if (isOf(node, 'integer', 'number')) {
    const same =
      node.multipleOf === undefined
        ? ''
        : ` || double(${field}.multipleOf) == ${double(node.multipleOf)}`;
    rules.push(
      unless(`!has(${field}.multipleOf)${same}`, 'multipleOf refuses values that are allowed now'),
    );
  }
  for (const bound of boundsOf(node, need)) {
    const { keyword, sign, value, exclusive } = bound;
    const isMet = (strictly: boolean): string =>
      `double(${field}.${keyword}) ${sign}${strictly ? '' : '='} ${double(value ?? 0)}`;
    const condition =
      value === undefined
        ? `!has(${field}.${keyword})`
        : exclusive === undefined
          ? `!has(${field}.${keyword}) || ${isMet(false)}`
          : `!has(${field}.${keyword}) || (has(${field}.${exclusive}) && ${field}.${exclusive} ? ${isMet(true)} : ${isMet(false)})`;
    rules.push(unless(condition, `${keyword} refuses values that are allowed now`));
  }
  if (node.type === 'array') {
    const type = node.listType ?? 'atomic';
    const keys = node.listMapKeys.map((each) => ` && ${text(each)} in ${field}[${listKeys}]`);
    const same =
      type === 'atomic' ? '' : ` || (${field}[${listType}] == ${text(type)}${keys.join('')})`;
    rules.push(
      unless(
        `!(${listType} in ${field}) || ${field}[${listType}] == "atomic"${same}`,
        'list type refuses lists that are allowed now',
      ),
    );
  }
  return rules;
}

interface Bound {
  readonly keyword: string;
  readonly sign: '<' | '>';
  /** The value that must stay allowed; undefined where every value is allowed now. */
  readonly value: number | undefined;
  /** The keyword that excludes the bound itself, unless the definition already excludes it. */
  readonly exclusive?: string;
}

/** Without objects, the bounds of the definition take the place of the values in use. */
function boundsOf(node: SchemaNode, need: Need | undefined): Bound[] {
  return [
    ...(isOf(node, 'integer', 'number') ? numeric(node, need) : []),
    ...(isOf(node, 'string') ? lengths('Length', node.minLength, node.maxLength, need) : []),
    ...(isOf(node, 'array') ? lengths('Items', node.minItems, node.maxItems, need) : []),
    ...(isOf(node, 'object')
      ? lengths('Properties', node.minProperties, node.maxProperties, need)
      : []),
  ];
}

function numeric(node: SchemaNode, need: Need | undefined): Bound[] {
  const { least, most } = need ?? {};
  const isLowOpen = least === undefined && node.minimum !== undefined && node.exclusiveMinimum;
  const isHighOpen = most === undefined && node.maximum !== undefined && node.exclusiveMaximum;
  return [
    {
      keyword: 'minimum',
      sign: '<',
      value: least ?? node.minimum,
      ...(isLowOpen ? {} : { exclusive: 'exclusiveMinimum' }),
    },
    {
      keyword: 'maximum',
      sign: '>',
      value: most ?? node.maximum,
      ...(isHighOpen ? {} : { exclusive: 'exclusiveMaximum' }),
    },
  ];
}

function lengths(of: string, least = 0, most: number | undefined, need: Need | undefined): Bound[] {
  return [
    {
      keyword: `min${of}`,
      sign: '<',
      value: need === undefined ? least : (need.shortest ?? least),
    },
    { keyword: `max${of}`, sign: '>', value: need === undefined ? most : (need.longest ?? most) },
  ];
}

/** Whether an extension of a schema is there and true. */
function isSet(extension: string, schema: string): string {
  return `(${extension} in ${schema} && ${schema}[${extension}] == true)`;
}

/** Whether a schema constrains values of these types: one without a type may have any. */
function isOf({ type }: SchemaNode, ...types: readonly string[]): boolean {
  return type === '' || types.includes(type);
}

/** An integer field may become a number: every integer is one. */
function typesFor({ type }: SchemaNode): string[] {
  return type === '' ? [] : type === 'integer' ? ['integer', 'number'] : [type];
}

/** What a schema without a type has to take. */
function untyped({ type, intOrString }: SchemaNode, field: string): string {
  const isEither = intOrString || type === 'integer' || type === 'string';
  return isEither ? 'true' : `!${isSet(isIntOrString, field)}`;
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
  if (fields.some(({ steps }) => steps.length >= deepest)) {
    sentences.push(`fields of ${version} more than ${deepest} deep`);
  }
  return sentences;
}

/** CEL compares lists and maps, but takes no literal of mixed types. */
function isNested(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !isNumber(value);
}

/**
 * The gate's reading of a switch-off, as far as it goes: one that was set by itself. A policy does not
 * know what time it is, so one with an end does not count.
 */
const isSwitchedOff = [
  'has(oldObject.metadata.annotations)',
  '"olm-guard.io/disable" in oldObject.metadata.annotations',
  '!("olm-guard.io/disable-until" in oldObject.metadata.annotations)',
  'oldObject.metadata.annotations["olm-guard.io/disable"].split(",").exists(f, f.trim() in ["all", "crd-upgrade-safety"])',
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

const longestName = 253;

/** No definition's name begins with a digit, so that none of another's policies has the same. */
function nameOf(definition: string, index: number): string {
  const name = `olm-guard.${index === 0 ? '' : `${index}.`}${definition}`;
  if (name.length <= longestName) return name;
  const digest = sha256(name).toString('hex').slice(0, 16);
  return `${name.slice(0, longestName - digest.length)}${digest}`.replace(/[.-]+(?=.{16}$)/, 'x');
}

function objectsOf(
  name: string,
  definition: string,
  variables: readonly Variable[],
  rules: readonly Rule[],
  isAudit: boolean,
): JsonObject[] {
  const labels = { 'app.kubernetes.io/managed-by': 'olm-guard' };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name, labels },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['apiextensions.k8s.io'],
            apiVersions: ['v1'],
            operations: ['UPDATE'],
            resources: ['customresourcedefinitions'],
            resourceNames: [definition],
          },
        ],
      },
      matchConditions: [
        { name: 'spec-changes', expression: 'object.spec != oldObject.spec' },
        {
          name: 'not-switched-off',
          expression: `!(${isSwitchedOff})`,
        },
        {
          name: 'not-breaking-glass',
          expression:
            '!has(request.userInfo.groups) || !("olm-guard:break-glass" in request.userInfo.groups)',
        },
      ],
      variables: variables.map((each) => ({ ...each })),
      validations: rules.map(({ expression, message }) => ({
        expression,
        message: message.replace(/\p{Cc}/gu, '?').slice(0, 1000),
        reason: 'Invalid',
      })),
    },
  };
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name, labels },
    spec: { policyName: name, validationActions: isAudit ? ['Audit', 'Warn'] : ['Deny'] },
  };
  return [policy, binding];
}

/** A literal of CEL. */
function text(value: JsonValue): string {
  return stringifyJson(value);
}

function double(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
