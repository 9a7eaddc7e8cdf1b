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
} from '../text/documents/index.js';
import { byteLength, marshalJson } from '../text/go/index.js';

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
  const applied = without(definition, 'status');
  const json = byteLength(stringifyJson(definition));
  const annotation = annotationSize(applied);
  const annotations = annotation + otherAnnotations(applied);
  const descriptions = descriptionBytes(own(applied, 'spec') ?? null, false);
  const against = (name: LimitName, limit: number, bytes: number): SizeLimit => ({
    name,
    limit,
    bytes,
    exceeded: bytes > limit,
    withoutDescriptions: bytes - descriptions,
  });
  return {
    json,
    lastApplied: annotation,
    annotations,
    limits: [
      against('last-applied annotation', limits.annotations, annotations),
      against('Helm release', limits.secret, json),
      against('etcd', limits.etcd, json),
      against('request', limits.request, json),
    ],
    descriptions: {
      bytes: descriptions,
      percent: json === 0 ? 0 : Math.round((100 * descriptions) / json),
    },
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

/** Bytes of `"description":"…",` in schemas and columns; a property of that name is none. */
function descriptionBytes(value: JsonValue, isMapOfSchemas: boolean): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + descriptionBytes(item, false), 0);
  }
  if (!isObject(value)) return 0;
  let bytes = 0;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'description' && typeof item === 'string' && !isMapOfSchemas) {
      bytes += '"description":,'.length + byteLength(stringifyJson(item));
    } else if (!holdsData.has(key) || isMapOfSchemas) {
      bytes += descriptionBytes(item, !isMapOfSchemas && key === 'properties');
    }
  }
  return bytes;
}

const holdsData: ReadonlySet<string> = new Set(['default', 'enum', 'example']);
