/** Definitions in the shapes of public operators' ones, in two versions each; written for these tests. */
import type { JsonObject } from '../../src/text/documents/index.js';

export interface Shape {
  readonly title: string;
  readonly old: JsonObject;
  readonly new: JsonObject;
  /** Places that the upgrade breaks or empties, as a proof writes them. */
  readonly harmed: readonly string[];
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const listed = (...values: string[]): JsonObject => ({ ...string, enum: values });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...more,
});
const map = (values: JsonObject): JsonObject => ({ type: 'object', additionalProperties: values });
const open = (more: JsonObject = {}): JsonObject => ({
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  ...more,
});
const rules = (...all: [rule: string, message: string][]): JsonObject => ({
  'x-kubernetes-validations': all.map(([rule, message]) => ({ rule, message })),
});
const mapList = (key: string): JsonObject => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
});

function definition(kind: string, scope: string, spec: JsonObject): JsonObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const group = 'shapes.example.com';
  const status = object({ conditions: list(object({ type: string, status: string })) });
  const openAPIV3Schema = object({ spec, status }, { required: ['spec'] });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** How a certificate is asked for. */
function certificate(isNew: boolean): JsonObject {
  const issuer = object(
    { name: string, kind: isNew ? listed('Issuer', 'ClusterIssuer') : string, group: string },
    { required: ['name'] },
  );
  const key = object({
    algorithm: listed('RSA', 'ECDSA', 'Ed25519'),
    encoding: isNew ? listed('PKCS8') : listed('PKCS1', 'PKCS8'),
    rotationPolicy: isNew ? { ...listed('Never', 'Always'), default: 'Always' } : string,
    size: { ...integer, minimum: 1, ...(isNew ? { maximum: 8192 } : {}) },
  });
  const times = { duration: { ...string, format: 'duration' }, renewBefore: string };
  return object(
    {
      secretName: string,
      ...(isNew ? {} : { organization: list(string) }),
      ...times,
      commonName: { ...string, ...(isNew ? { maxLength: 64 } : {}) },
      dnsNames: list(string, isNew ? { 'x-kubernetes-list-type': 'set' } : {}),
      ipAddresses: list(isNew ? { ...string, format: 'ipv4' } : string),
      issuerRef: issuer,
      privateKey: key,
      usages: list(listed('digital signature', 'key encipherment', 'server auth')),
      secretTemplate: object({ labels: map(string), annotations: map(string) }),
    },
    {
      required: ['secretName', 'issuerRef'],
      ...(isNew
        ? rules([
            'has(self.commonName) || has(self.dnsNames) || has(self.ipAddresses)',
            'name at least one subject',
          ])
        : {}),
    },
  );
}

/** An agent that runs in one of several modes. */
function agent(isNew: boolean): JsonObject {
  const quantity = { 'x-kubernetes-int-or-string': true };
  const limit = { ...integer, format: 'int64', ...(isNew ? { minimum: 0 } : {}) };
  return object(
    {
      replicas: { ...integer, format: 'int32' },
      shards: { ...integer, format: 'int32', ...(isNew ? { minimum: 1 } : {}) },
      mode: listed('StatefulSet', 'DaemonSet'),
      enforcedKeepDroppedTargets: limit,
      scrapeInterval: {
        ...string,
        pattern: isNew ? '^([0-9]+(s|m|h))+$' : '^(0|([0-9]+(ms|s|m|h|d|w|y))+)$',
      },
      externalLabels: map(isNew ? { ...string, maxLength: 63 } : string),
      resources: object({ limits: map(quantity), requests: map(quantity) }),
      containers: list(
        object({ name: string, image: string, args: list(string) }, { required: ['name'] }),
        isNew ? mapList('name') : {},
      ),
      storage: object({ size: quantity, emptyDir: open() }),
      ...(isNew ? {} : { baseImage: string }),
    },
    isNew
      ? rules(
          ['!has(self.mode) || self.mode != "DaemonSet" || !has(self.replicas)', 'no replicas'],
          ['!has(self.mode) || self.mode != "DaemonSet" || !has(self.storage)', 'no storage'],
        )
      : {},
  );
}

/** Rules that match resources and look at them by patterns of any shape. */
function policy(isNew: boolean): JsonObject {
  const filter = object({ kinds: list(string), namespaces: list(string), names: list(string) });
  const match = object(
    { any: list(filter), all: list(filter) },
    isNew ? { oneOf: [{ required: ['any'] }, { required: ['all'] }] } : {},
  );
  const validate = object(
    {
      message: string,
      pattern: isNew ? open() : { 'x-kubernetes-preserve-unknown-fields': true },
      deny: isNew ? object({ conditions: list(open()) }) : open(),
      failureAction: isNew ? listed('Audit', 'Enforce') : listed('audit', 'Audit', 'Enforce'),
    },
    isNew ? { not: { required: ['pattern', 'deny'] } } : {},
  );
  const rule = object(
    { name: { ...string, maxLength: 63 }, match, validate, skip: boolean },
    { required: isNew ? ['name', 'match'] : ['name'] },
  );
  return object(
    {
      background: { ...boolean, default: true },
      timeoutSeconds: { ...integer, ...(isNew ? { multipleOf: 5 } : {}) },
      rules: list(rule, isNew ? { maxItems: 5 } : {}),
    },
    isNew ? { minProperties: 2 } : {},
  );
}

/** Routes whose parents are fixed once they are named. */
function route(isNew: boolean): JsonObject {
  const hostname = {
    ...string,
    maxLength: 253,
    ...(isNew ? { minLength: 1, pattern: '^(\\*\\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' } : {}),
  };
  const backend = object(
    {
      name: string,
      port: { ...integer, minimum: 1, maximum: isNew ? 65535 : 100_000 },
      weight: { ...integer, default: 1, minimum: 0 },
    },
    {
      required: ['name'],
      ...(isNew ? rules(['!has(self.weight) || self.weight <= 1000', 'too heavy']) : {}),
    },
  );
  return object({
    parent: { ...string, ...(isNew ? rules(['self == oldSelf', 'the parent is fixed']) : {}) },
    hostnames: list(hostname, { maxItems: 16 }),
    path: { ...string, nullable: true },
    backends: list(backend, { ...mapList('name'), ...(isNew ? { minItems: 1 } : {}) }),
    timeouts: object(
      { request: string, backendRequest: string },
      isNew
        ? rules([
            '!has(self.backendRequest) || has(self.request)',
            'the request needs a timeout too',
          ])
        : {},
    ),
  });
}

function shape(
  kind: string,
  scope: string,
  spec: (isNew: boolean) => JsonObject,
  harmed: readonly string[],
): Shape {
  return {
    title: kind,
    old: definition(kind, scope, spec(false)),
    new: definition(kind, scope, spec(true)),
    harmed,
  };
}

export const shapes: readonly Shape[] = [
  shape('Certificate', 'Namespaced', certificate, [
    '^.spec',
    '^.spec.commonName',
    '^.spec.dnsNames',
    '^.spec.ipAddresses[*]',
    '^.spec.issuerRef.kind',
    '^.spec.organization',
    '^.spec.privateKey.encoding',
    '^.spec.privateKey.rotationPolicy',
    '^.spec.privateKey.size',
  ]),
  shape('Agent', 'Namespaced', agent, [
    '^.spec',
    '^.spec.baseImage',
    '^.spec.containers',
    '^.spec.enforcedKeepDroppedTargets',
    '^.spec.externalLabels[*]',
    '^.spec.scrapeInterval',
    '^.spec.shards',
  ]),
  shape('AdmissionRule', 'Cluster', policy, [
    '^.spec',
    '^.spec.rules',
    '^.spec.rules[*].match',
    '^.spec.rules[*].validate',
    '^.spec.rules[*].validate.deny',
    '^.spec.rules[*].validate.deny.conditions',
    '^.spec.rules[*].validate.deny.conditions[*]',
    '^.spec.rules[*].validate.failureAction',
    '^.spec.rules[*].validate.pattern',
    '^.spec.timeoutSeconds',
  ]),
  shape('Route', 'Namespaced', route, [
    '^.spec.backends',
    '^.spec.backends[*]',
    '^.spec.backends[*].port',
    '^.spec.hostnames[*]',
    '^.spec.parent',
    '^.spec.timeouts',
  ]),
];
