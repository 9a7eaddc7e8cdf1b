/**
 * How large a definition is, against what clients and servers take, and what takes the room.
 *
 * Sources: kubectl's `apply` keeps the whole object in an annotation (k8s.io/kubectl/pkg/util/apply.go),
 * annotations have 256 KiB together (k8s.io/apimachinery/pkg/api/validation/objectmeta.go), Helm keeps
 * a release in a Secret (1 MiB), etcd takes requests of 1.5 MiB and the API server such of 3 MiB.
 */
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { byteLength, marshalJson } from '../../text/go/index.js';

export interface Sizes {
  /** Bytes of the definition as JSON. */
  readonly json: number;
  /** Bytes of the annotation that `kubectl apply` would write. */
  readonly lastApplied: number;
  /** Bytes of all annotations with it, keys and values. */
  readonly annotations: number;
  readonly limits: readonly SizeLimit[];
  /** What of `json` descriptions are. */
  readonly descriptions: { readonly bytes: number; readonly percent: number };
}

type LimitName = 'last-applied annotation' | 'Helm release' | 'etcd' | 'request';

interface SizeLimit {
  readonly name: LimitName;
  readonly limit: number;
  readonly bytes: number;
  readonly exceeded: boolean;
  /** The same bytes without any description. */
  readonly withoutDescriptions: number;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

const limits = {
  annotations: 262_144,
  secret: 1_048_576,
  etcd: 1_572_864,
  request: 3_145_728,
} as const;

/** @param weights of large parts of another definition that are in this one too */
export function sizesOf(definition: JsonObject, weights: PartWeights = new Map()): Sizes {
  const { metadata, status, ...rest } = definition;
  const meta = isObject(metadata) ? metadata : {};
  const annotations = own(meta, 'annotations');
  const others = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key]) => key !== lastApplied,
  );
  const body = weightOf(rest, false, weights);
  const whole = combined(body, {
    ...(metadata === undefined ? {} : { metadata }),
    ...(status === undefined ? {} : { status }),
  });
  // The object without an annotation of that kind, with a place for annotations and a line break.
  const applied = combined(body, {
    metadata: { ...meta, annotations: Object.fromEntries(others) },
  });
  const beside = others.reduce(
    (sum, [key, value]) =>
      sum + byteLength(key) + (typeof value === 'string' ? byteLength(value) : 0),
    byteLength(lastApplied),
  );
  const against = (name: LimitName, limit: number, of: 'annotations' | 'json'): SizeLimit => {
    const [bytes, withoutDescriptions] =
      of === 'json'
        ? [whole.json, whole.bareJson]
        : [applied.marshalled + 1 + beside, applied.bareMarshalled + 1 + beside];
    return { name, limit, bytes, exceeded: bytes > limit, withoutDescriptions };
  };
  const descriptions = whole.json - whole.bareJson;
  return {
    json: whole.json,
    lastApplied: applied.marshalled + 1,
    annotations: applied.marshalled + 1 + beside,
    limits: [
      against('last-applied annotation', limits.annotations, 'annotations'),
      against('Helm release', limits.secret, 'json'),
      against('etcd', limits.etcd, 'json'),
      against('request', limits.request, 'json'),
    ],
    descriptions: { bytes: descriptions, percent: Math.round((100 * descriptions) / whole.json) },
  };
}

/** Bytes of a value as JSON, as Go marshals it, and both without the descriptions of schemas and columns. */
interface Weight {
  readonly json: number;
  readonly marshalled: number;
  readonly bareJson: number;
  readonly bareMarshalled: number;
}

/** Bytes from which on a part is remembered. */
const leastKept = 1_000;

export type PartWeights = Map<JsonValue, Weight & { readonly isMapOfSchemas: boolean }>;

/** Of an object that has the entries of one that is weighed already, and more. */
function combined(body: Weight, more: JsonObject): Weight {
  const other = weightOf(more, false, new Map());
  const sum = (of: keyof Weight): number =>
    // `{}` is left of what is empty.
    body[of] + other[of] - 2 + (body[of] > 2 && other[of] > 2 ? 1 : 0);
  return {
    json: sum('json'),
    marshalled: sum('marshalled'),
    bareJson: sum('bareJson'),
    bareMarshalled: sum('bareMarshalled'),
  };
}

/** @param isMapOfSchemas whether the keys are names, so that a property called description is none */
function weightOf(value: JsonValue, isMapOfSchemas: boolean, weights: PartWeights): Weight {
  if (!isObject(value) && !Array.isArray(value)) return weightOfScalar(value);
  const known = weights.get(value);
  if (known?.isMapOfSchemas === isMapOfSchemas) return known;
  let [json, marshalled, bareJson, bareMarshalled] = [1, 1, 1, 1];
  if (Array.isArray(value)) {
    for (const each of value) {
      const item = weightOf(each, false, weights);
      json += item.json + 1;
      marshalled += item.marshalled + 1;
      bareJson += item.bareJson + 1;
      bareMarshalled += item.bareMarshalled + 1;
    }
  } else {
    for (const key of Object.keys(value)) {
      const each = value[key] as JsonValue;
      const isDescription = !isMapOfSchemas && key === 'description' && typeof each === 'string';
      const isData = !isMapOfSchemas && holdsData.has(key);
      const item = weightOf(each, !isMapOfSchemas && mapsOfSchemas.has(key), weights);
      const name = weightOfScalar(key);
      // With a colon and a comma.
      const keyJson = name.json + 2;
      const keyMarshalled = name.marshalled + 2;
      json += item.json + keyJson;
      marshalled += item.marshalled + keyMarshalled;
      if (isDescription) continue;
      bareJson += keyJson + (isData ? item.json : item.bareJson);
      bareMarshalled += keyMarshalled + (isData ? item.marshalled : item.bareMarshalled);
    }
  }
  // Each entry has brought a comma, of which the last is the closing bracket.
  const closed = (bytes: number): number => Math.max(bytes, 2);
  const weight = {
    json: closed(json),
    marshalled: closed(marshalled),
    bareJson: closed(bareJson),
    bareMarshalled: closed(bareMarshalled),
  };
  if (json >= leastKept) weights.set(value, { ...weight, isMapOfSchemas });
  return weight;
}

type Scalar = Exclude<JsonValue, JsonObject | JsonValue[]>;

function weightOfScalar(value: Scalar): Weight {
  const bytes = plainBytes(value);
  const json = bytes ?? byteLength(stringifyJson(value));
  const marshalled = bytes ?? byteLength(marshalJson(value));
  return { json, marshalled, bareJson: json, bareMarshalled: marshalled };
}

const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/** Of what every notation writes as it is. */
function plainBytes(value: Scalar): number | undefined {
  if (typeof value === 'string') return plain.test(value) ? value.length + 2 : undefined;
  return typeof value === 'boolean' ? String(value).length : undefined;
}

const holdsData: ReadonlySet<string> = new Set([
  'default',
  'enum',
  'example',
  'metadata',
  'status',
]);
const mapsOfSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  'dependencies',
]);
