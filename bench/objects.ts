/**
 * How fast are custom resources judged? Prints objects per second after compilation for small
 * objects and for those of a large definition, and the time to compile a schema of 500 KB, each with
 * its ratio to the stated limit. Times are those of the processor.
 * Run with `npx tsx bench/objects.ts`.
 */
import { compileValidator, type ObjectValidator } from '../src/kubernetes/apiserver/validator.js';
import {
  isObject,
  own,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../src/text/documents/index.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';

function crdOf(schema: JsonObject): JsonObject {
  return {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const small = crdOf({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 100 },
        name: { type: 'string', maxLength: 63, pattern: '^[a-z][a-z0-9-]*$' },
        mode: { type: 'string', enum: ['fast', 'safe'], default: 'safe' },
        tags: { type: 'array', maxItems: 8, items: { type: 'string' } },
      },
      'x-kubernetes-validations': [{ rule: "self.size > 0 && self.mode != 'none'" }],
    },
  },
});

function widget(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'a', namespace: 'default', labels: { app: 'a' } },
    spec,
  };
}

/** An object that uses every property of a schema once. */
function sample(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (schema === undefined || !isObject(schema) || depth > 12) return {};
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return values[0] ?? null;
  if (own(schema, 'x-kubernetes-int-or-string') === true) return 1;
  switch (own(schema, 'type')) {
    case 'object': {
      const properties = own(schema, 'properties');
      if (properties === undefined || !isObject(properties)) return {};
      // A third of the fields: about as full as real objects of large definitions are.
      const names = Object.keys(properties).filter((_, index) => depth === 0 || index % 3 === 0);
      return Object.fromEntries(names.map((name) => [name, sample(properties[name], depth + 1)]));
    }
    case 'array':
      return [sample(own(schema, 'items'), depth + 1)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'a';
  }
}

function large(): { crd: JsonObject; version: string; title: string } | undefined {
  if (releasesMissing !== undefined) return undefined;
  const lines = releaseLines('real/crd-pairs.jsonl.br');
  const line = lines.filter((each) => each.includes('prometheuses.monitoring.coreos.com')).at(-1);
  const row = line === undefined ? undefined : parseJson(line);
  if (row === undefined || !isObject(row)) return undefined;
  const crd = own(row, 'new');
  return crd !== undefined && isObject(crd)
    ? { crd, version: 'v1', title: 'prometheuses.monitoring.coreos.com' }
    : undefined;
}

/** A definition of about the given size, when the real ones are not there. */
function generated(bytes: number): JsonObject {
  const properties: JsonObject = {};
  let size = 0;
  for (let index = 0; size < bytes; index++) {
    const field: JsonObject = {
      type: 'object',
      description: 'x'.repeat(200),
      properties: {
        name: { type: 'string', maxLength: 63 },
        list: { type: 'array', items: { type: 'object', properties: { key: { type: 'string' } } } },
      },
    };
    properties[`field${index}`] = field;
    size += JSON.stringify(field).length + 12;
  }
  return crdOf({ type: 'object', properties: { spec: { type: 'object', properties } } });
}

/** Time of the processor, so that a busy machine does not count against us. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function rate(validator: ObjectValidator, object: JsonObject, seconds: number): number {
  for (let index = 0; index < 2000; index++) validator.validateCreate(object);
  const start = cpuSeconds();
  let count = 0;
  let elapsed = 0;
  while (elapsed < seconds) {
    for (let index = 0; index < 500; index++) validator.validateCreate(object);
    count += 500;
    elapsed = cpuSeconds() - start;
  }
  return count / elapsed;
}

function print(what: string, value: string, ratio: number): void {
  console.log(`${what.padEnd(64)} ${value.padStart(22)}   ${ratio.toFixed(2)}x of the limit`);
}

const smallRate = rate(
  compileValidator(small, 'v1'),
  widget({ size: 5, name: 'a-b', mode: 'fast', tags: ['x', 'y'] }),
  2,
);
print(
  'small objects, one core (limit: at least 50,000/s)',
  `${Math.round(smallRate).toLocaleString('en')}/s`,
  smallRate / 50_000,
);

const big = large() ?? { crd: generated(500_000), version: 'v1', title: 'generated definition' };
const compileStart = cpuSeconds();
const bigValidator = compileValidator(big.crd, big.version);
const compileMs = (cpuSeconds() - compileStart) * 1e3;
const schemaBytes = JSON.stringify(big.crd).length;
const { group, kind } = bigValidator.definition;
const versions = own(own(big.crd, 'spec') as JsonObject, 'versions') as JsonObject[];
const schema = own(
  own(versions.find((each) => own(each, 'name') === big.version) ?? {}, 'schema') as JsonObject,
  'openAPIV3Schema',
);
const object = {
  ...(sample(schema) as JsonObject),
  apiVersion: `${group}/${big.version}`,
  kind,
  metadata: { name: 'a', namespace: 'default' },
};
const objectBytes = JSON.stringify(object).length;
const bigRate = rate(bigValidator, object, 2);
// 100,000 objects of 3 KB in 60 seconds, of which judging may take half.
const wanted = (100_000 / 30) * (3000 / objectBytes);
print(
  `${big.title}, objects of ${objectBytes} bytes (limit: at least ${Math.round(wanted)}/s)`,
  `${Math.round(bigRate).toLocaleString('en')}/s`,
  bigRate / wanted,
);
print(
  `compile ${Math.round(schemaBytes / 1000)} KB, first time (limit: at most 500 ms)`,
  `${compileMs.toFixed(0)} ms`,
  compileMs / 500,
);

const half = generated(500_000);
const start = cpuSeconds();
compileValidator(half, 'v1');
const ms = (cpuSeconds() - start) * 1e3;
print(
  'compile a generated 500 KB definition (limit: at most 500 ms)',
  `${ms.toFixed(0)} ms`,
  ms / 500,
);
