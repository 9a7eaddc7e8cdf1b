/**
 * A ValidatingAdmissionPolicy that denies updates of one definition which its objects do not survive,
 * without asking anybody. It knows less than the gate: a path, a type, a bound, never a proof.
 */
import { readDefinition, type SchemaNode } from '../../kubernetes/index.js';
import { isObject, own, type JsonObject, type JsonValue } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { fieldsOf, type Field, type Need } from './use.js';

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

/** A policy is compiled on every API server, and is an object of etcd itself. */
const mostFields = 400;
const mostPolicies = 8;

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
  const { name, versions } = partsOf(crd);
  const notCovered: string[] = [];
  const policies: { variables: Variable[]; rules: Rule[] }[] = [
    { variables: [], rules: wholeRules(name, crd, versions) },
  ];
  for (const version of versions) {
    const { schema, preserveUnknownFields } = readDefinition(crd, version);
    const needs = use?.get(version);
    if (use !== undefined && needs === undefined) continue;
    if (preserveUnknownFields) {
      notCovered.push(`fields of ${version}: preserveUnknownFields keeps those that no schema has`);
      continue;
    }
    const fields = [...fieldsOf(schema)].filter(({ path }) => needs?.has(path) ?? true);
    const kept = fields.slice(0, mostFields * mostPolicies);
    if (kept.length < fields.length) {
      notCovered.push(`${fields.length - kept.length} of ${fields.length} fields of ${version}`);
    }
    for (let at = 0; at < kept.length; at += mostFields) {
      policies.push(pinned(name, version, kept.slice(at, at + mostFields), needs));
    }
    append(notCovered, notPinned(schema, version));
  }
  append(notCovered, [
    'rules in CEL, patterns, formats, oneOf, anyOf, allOf and not that come or change',
    'deletion of the definition, also while it has objects',
    ...(use === undefined ? [] : ['fields that no object used when this was made']),
  ]);
  return {
    objects: policies.flatMap(({ variables, rules }, index) =>
      objectsOf(index === 0 ? name : `${name}-${index}`, name, variables, rules, isAudit),
    ),
    notCovered,
  };
}

interface Parts {
  readonly name: string;
  /** Served ones. */
  readonly versions: readonly string[];
}

function partsOf(crd: JsonObject): Parts {
  const metadata = own(crd, 'metadata');
  const name = metadata !== undefined && isObject(metadata) ? own(metadata, 'name') : undefined;
  const spec = own(crd, 'spec');
  const versions = spec !== undefined && isObject(spec) ? own(spec, 'versions') : undefined;
  const served = (Array.isArray(versions) ? versions : [])
    .filter(isObject)
    .filter((version) => own(version, 'served') === true)
    .map((version) => own(version, 'name'))
    .filter((each) => typeof each === 'string');
  return { name: typeof name === 'string' ? name : '', versions: served };
}

/** What is said of the definition as a whole. */
function wholeRules(name: string, crd: JsonObject, versions: readonly string[]): Rule[] {
  const denied = (rule: string, message: string): string =>
    `"${rule}" validation failed: ${message}`;
  const spec = own(crd, 'spec') as JsonObject;
  const names = own(spec, 'names');
  const kind = names !== undefined && isObject(names) ? own(names, 'kind') : undefined;
  const conversion = own(spec, 'conversion');
  const strategy =
    conversion !== undefined && isObject(conversion) ? own(conversion, 'strategy') : undefined;
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
  const known = new Map<string, string>([['', 'f0']]);
  const variableOf = (steps: Field['steps']): string => {
    const key = JSON.stringify(steps);
    const found = steps.length === 0 ? 'f0' : known.get(key);
    if (found !== undefined) return found;
    const parent = `variables.${variableOf(steps.slice(0, -1))}`;
    const own = `f${known.size}`;
    variables.push({ name: own, expression: childOf(parent, steps.at(-1) ?? null) });
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

/** A field in a schema that may lack it; null where it does. */
function childOf(parent: string, step: string | null): string {
  if (step !== null) {
    const key = text(step);
    return `${parent} != null && has(${parent}.properties) && ${key} in ${parent}.properties ? ${parent}.properties[${key}] : null`;
  }
  return `${parent} == null ? null : has(${parent}.items) ? ${parent}.items : has(${parent}.additionalProperties) && type(${parent}.additionalProperties) == map ? ${parent}.additionalProperties : null`;
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
  const isGone =
    steps.at(-1) === null
      ? `${parent} == null || ${field} != null`
      : `${field} != null || ${parent} == null`;
  const rules: Rule[] = [
    {
      expression: `${isGone} || ${keepsAll(parent)}`,
      message: `"NoExistingFieldRemoved" validation failed: crd/${name} version/${version} field/${path} may not be removed`,
    },
  ];
  if (node.type !== '') {
    const types = typesFor(node).map((each) => ` || ${field}.type == ${text(each)}`);
    rules.push(
      unless(
        `!has(${field}.type) || ${field}.type == ""${types.join('')}`,
        `type may not change from ${node.type}`,
      ),
    );
  }
  if (node.type === 'string') {
    const values = [...(need?.values ?? node.enum ?? [])].filter(
      (each) => typeof each === 'string',
    );
    const keeps =
      node.enum === undefined
        ? ''
        : ` || [${values.map(text).join(', ')}].all(x, x in ${field}.enum)`;
    rules.push(unless(`!has(${field}.enum)${keeps}`, 'enum lacks values that are allowed now'));
  }
  if (node.properties !== undefined) {
    const names = node.required.map(text).join(', ');
    rules.push(
      unless(
        `!has(${field}.required) || ${field}.required.all(x, x in [${names}])`,
        'required lists fields that objects need not have now',
      ),
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
  if (node.type === 'array' && (node.listType ?? 'atomic') === 'atomic') {
    rules.push(
      unless(
        `!("x-kubernetes-list-type" in ${field}) || ${field}["x-kubernetes-list-type"] == "atomic"`,
        'list type refuses lists that are allowed now',
      ),
    );
  }
  return rules;
}

interface Bound {
  readonly keyword: string;
  readonly sign: '<' | '>';
  /** What has to be within it; undefined where there is no bound that everything is within. */
  readonly value: number | undefined;
  /** The keyword that takes the bound itself out, where it did not before. */
  readonly exclusive?: string;
}

/** What is in use, or where nobody knows all that the bounds of now allow. */
function boundsOf(node: SchemaNode, need: Need | undefined): Bound[] {
  switch (node.type) {
    case 'integer':
    case 'number': {
      const isLowOpen = need === undefined && node.minimum !== undefined && node.exclusiveMinimum;
      const isHighOpen = need === undefined && node.maximum !== undefined && node.exclusiveMaximum;
      const [low, high] =
        need === undefined ? [node.minimum, node.maximum] : [need.least, need.most];
      return [
        {
          keyword: 'minimum',
          sign: '<',
          value: low,
          ...(isLowOpen ? {} : { exclusive: 'exclusiveMinimum' }),
        },
        {
          keyword: 'maximum',
          sign: '>',
          value: high,
          ...(isHighOpen ? {} : { exclusive: 'exclusiveMaximum' }),
        },
      ];
    }
    case 'string':
      return lengths('Length', node.minLength, node.maxLength, need);
    case 'array':
      return lengths('Items', node.minItems, node.maxItems, need);
    case 'object':
      return lengths('Properties', node.minProperties, node.maxProperties, need);
    default:
      return [];
  }
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

function keepsAll(parent: string): string {
  return `(${preserves} in ${parent} && ${parent}[${preserves}] == true)`;
}

/** An integer field may become a number: every integer is one. */
function typesFor({ type }: SchemaNode): string[] {
  return type === 'integer' ? ['integer', 'number'] : [type];
}

function notPinned(root: SchemaNode, version: string): string[] {
  const preserved = [...fieldsOf(root)].filter(({ node }) => node.preserveUnknownFields);
  return preserved.length === 0
    ? []
    : [`what is below ${preserved.length} fields of ${version} that preserve unknown fields`];
}

function objectsOf(
  suffix: string,
  definition: string,
  variables: readonly Variable[],
  rules: readonly Rule[],
  isAudit: boolean,
): JsonObject[] {
  const name = `olm-guard-${suffix}`;
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
          expression:
            '!(has(oldObject.metadata.annotations) && "olm-guard.io/disable" in oldObject.metadata.annotations)',
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
        message: message.slice(0, 1000),
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

/** A string of CEL. */
function text(value: JsonValue): string {
  return JSON.stringify(value);
}

function double(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
