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

export function sizesOf(definition: JsonObject): Sizes {
  const now = measured(definition);
  const bare = measured(undescribed(definition, false) as JsonObject);
  const against = (name: LimitName, limit: number, of: 'annotations' | 'json'): SizeLimit => ({
    name,
    limit,
    bytes: now[of],
    exceeded: now[of] > limit,
    withoutDescriptions: bare[of],
  });
  const descriptions = now.json - bare.json;
  return {
    ...now,
    limits: [
      against('last-applied annotation', limits.annotations, 'annotations'),
      against('Helm release', limits.secret, 'json'),
      against('etcd', limits.etcd, 'json'),
      against('request', limits.request, 'json'),
    ],
    descriptions: { bytes: descriptions, percent: Math.round((100 * descriptions) / now.json) },
  };
}

function measured(definition: JsonObject): Pick<Sizes, 'json' | 'lastApplied' | 'annotations'> {
  const applied = without(definition, 'status');
  const lastApplied = annotationSize(applied);
  return {
    json: byteLength(stringifyJson(definition)),
    lastApplied,
    annotations: lastApplied + otherAnnotations(applied),
  };
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));
}

/** The object without an annotation of that kind, with a place for annotations and a line break. */
function annotationSize(definition: JsonObject): number {
  const metadata = own(definition, 'metadata');
  const meta = isObject(metadata) ? metadata : {};
  const annotations = own(meta, 'annotations');
  const others = without(isObject(annotations) ? annotations : {}, lastApplied);
  const written = { ...definition, metadata: { ...meta, annotations: others } };
  return byteLength(marshalJson(written)) + 1;
}

function otherAnnotations(definition: JsonObject): number {
  const metadata = own(definition, 'metadata');
  const annotations = isObject(metadata) ? own(metadata, 'annotations') : undefined;
  let bytes = byteLength(lastApplied);
  if (!isObject(annotations)) return bytes;
  for (const [key, value] of Object.entries(annotations)) {
    if (key === lastApplied) continue;
    bytes += byteLength(key) + (typeof value === 'string' ? byteLength(value) : 0);
  }
  return bytes;
}

/** Without the descriptions of schemas and columns; a property of that name is none. */
function undescribed(value: JsonValue, isMapOfSchemas: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => undescribed(item, false));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => isMapOfSchemas || key !== 'description' || typeof item !== 'string')
      .map(([key, item]) => [
        key,
        isMapOfSchemas || !holdsData.has(key)
          ? undescribed(item, !isMapOfSchemas && mapsOfSchemas.has(key))
          : item,
      ]),
  );
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
