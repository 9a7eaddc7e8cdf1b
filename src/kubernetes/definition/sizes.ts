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
import { byteLength, isNumber, marshalJson } from '../../text/go/index.js';

export interface Sizes {
  /** Bytes. */
  readonly json: number;
  /** Bytes of the annotation that `kubectl apply` would write. */
  readonly lastApplied: number;
  /** Bytes of all annotations with it, keys and values. */
  readonly annotations: number;
  readonly limits: readonly SizeLimit[];
  /** The descriptions' share of `json`. */
  readonly descriptions: { readonly bytes: number; readonly percent: number };
}

type LimitName = 'last-applied annotation' | 'Helm release' | 'etcd' | 'request';

interface SizeLimit {
  readonly name: LimitName;
  readonly limit: number;
  readonly bytes: number;
  readonly exceeded: boolean;
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
  const { metadata, status, spec, ...rest } = definition;
  const meta = isObject(metadata) ? metadata : {};
  const annotations = own(meta, 'annotations');
  const others = Object.entries(isObject(annotations) ? annotations : {}).filter(
    ([key]) => key !== lastApplied,
  );
  const body = combined(weightOfSpec(spec), rest);
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

type Kind = 'schema' | 'names' | 'data';

/** An editor asks at each keystroke, which changes few of the objects above fields; two definitions share others. */
const weights: Readonly<Record<Kind, WeakMap<object, Weight>>> = {
  schema: new WeakMap(),
  names: new WeakMap(),
  data: new WeakMap(),
};

/** From a spec: of versions, their schemas, the fields of these and the fields of fields, each is weighed apart. */
const levelsApart = 8;

function weightOfSpec(spec: JsonValue | undefined): Weight {
  if (spec === undefined) return weightOf({});
  const key = weightOf({ spec: null });
  const own = weightOfPart(spec, 'schema', levelsApart);
  return summed((of) => key[of] - 'null'.length + own[of]);
}

function weightOfPart(value: JsonValue, kind: Kind, levels: number): Weight {
  if (typeof value !== 'object' || value === null || isNumber(value)) return weightOf(value, kind);
  let weight = weights[kind].get(value);
  if (weight === undefined) {
    weight = levels === 0 ? weightOf(value, kind) : weightOfParts(value, kind, levels - 1);
    weights[kind].set(value, weight);
  }
  return weight;
}

function weightOfParts(value: JsonObject | JsonValue[], kind: Kind, levels: number): Weight {
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const parts = entries.map(([key, part]): Weight => {
    const comma = entries.length > 1 ? 1 : 0;
    const own = weightOfPart(part, kindBelow(key, kind, isList), levels);
    const name = isList ? undefined : weightOf(key);
    const isBare =
      !isList && kind === 'schema' && key === 'description' && typeof part === 'string';
    return summed((of) => {
      if (isBare && (of === 'bareJson' || of === 'bareMarshalled')) return -comma;
      return own[of] + (name === undefined ? 0 : name[of] + 1);
    });
  });
  const around = 2 + Math.max(0, entries.length - 1);
  return summed((of) => parts.reduce((sum, part) => sum + part[of], around));
}

function kindBelow(key: string, kind: Kind, isList: boolean): Kind {
  if (kind !== 'schema') return kind === 'names' ? 'schema' : kind;
  if (isList) return kind;
  return holdsData.has(key) ? 'data' : mapsOfSchemas.has(key) ? 'names' : 'schema';
}

function summed(of: (name: keyof Weight) => number): Weight {
  return {
    json: of('json'),
    marshalled: of('marshalled'),
    bareJson: of('bareJson'),
    bareMarshalled: of('bareMarshalled'),
  };
}

/** Of an object that has the entries of one that is weighed already, and more. */
function combined(body: Weight, more: JsonObject): Weight {
  const other = weightOf(more);
  // `{}` is left of what is empty.
  return summed((of) => body[of] + other[of] - 2 + (body[of] > 2 && other[of] > 2 ? 1 : 0));
}

/** The engine writes a whole value many times faster than its parts can be measured one by one. */
function weightOf(value: JsonValue, kind: Kind = 'schema'): Weight {
  const contents = new Contents();
  contents.visit(value, kind);
  const text = stringifyJson(value);
  const json = byteLength(text);
  const marshalled = hasHalfPair(text)
    ? byteLength(marshalJson(value))
    : json + bytesOfEscapes(text) + contents.bytesOfNumbers;
  const { descriptions } = contents;
  if (descriptions.length === 0) {
    return { json, marshalled, bareJson: json, bareMarshalled: marshalled };
  }
  const described = stringifyJson(descriptions);
  // Brackets and commas of this list are none of the definition's.
  const ofTexts = byteLength(described) - (descriptions.length + 1);
  const bytes = contents.bytesOfKeys + ofTexts;
  const escapes = hasHalfPair(described)
    ? byteLength(marshalJson(descriptions)) - byteLength(described)
    : bytesOfEscapes(described);
  return {
    json,
    marshalled,
    bareJson: json - bytes,
    bareMarshalled: marshalled - bytes - escapes,
  };
}

/** The parts of a definition whose size differs between representations. */
class Contents {
  readonly descriptions: string[] = [];
  /** Of the descriptions, with the commas that would go with them. */
  bytesOfKeys = 0;
  /** By which Go's numbers are longer than they stand. */
  bytesOfNumbers = 0;

  /** @param kind of names every key is one, so that a property called description is none */
  visit(value: JsonValue, kind: Kind): void {
    if (isNumber(value)) {
      this.bytesOfNumbers += marshalJson(value).length - stringifyJson(value).length;
    } else if (Array.isArray(value)) {
      for (const each of value) this.visit(each, kindBelow('', kind, true));
    } else if (isObject(value)) {
      const keys = Object.keys(value);
      for (const key of keys) this.#visitEntry(key, value[key] as JsonValue, kind, keys.length);
    }
  }

  #visitEntry(key: string, value: JsonValue, kind: Kind, among: number): void {
    if (typeof value === 'object' || typeof value === 'number') {
      this.visit(value, kindBelow(key, kind, false));
    } else if (kind === 'schema' && key === 'description' && typeof value === 'string') {
      this.descriptions.push(value);
      this.bytesOfKeys += '"description":'.length + (among > 1 ? 1 : 0);
    }
  }
}

/** Go writes a replacement character for half of a surrogate pair. */
function hasHalfPair(json: string): boolean {
  return json.includes('\\ud');
}

/** By which texts are longer where Go marshals them. */
function bytesOfEscapes(json: string): number {
  const plain = countOf(json, '<') + countOf(json, '>') + countOf(json, '&');
  const separators = countOf(json, '\u2028') + countOf(json, '\u2029');
  // `\\u003c` for one byte, `\\u2028` for three.
  return 5 * plain + 3 * separators;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++;
  return count;
}

const holdsData: ReadonlySet<string> = new Set('default enum example metadata status'.split(' '));
const mapsOfSchemas: ReadonlySet<string> = new Set(
  'properties patternProperties definitions dependencies'.split(' '),
);
