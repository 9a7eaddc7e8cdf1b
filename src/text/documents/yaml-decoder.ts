/** As sigs.k8s.io/yaml: the second half of go.yaml.in/yaml/v2 `decode.go`, and `convertToJSONableObject`. */
import { isUtf8 } from '../platform.js';
import { formatFloat32 } from '../go/numbers.js';
import { InvalidInputError, type Limits } from './error.js';
import { resolveCoreScalar, resolveKubernetesScalar, type Resolved } from './scalars.js';
import { defineOwn, type NumberText, type JsonObject, type JsonValue } from './value.js';
import type { AliasNode, MappingNode, ScalarNode, YamlNode } from './yaml-nodes.js';
import { yamlDefect } from './yaml-scanner.js';

const prefix = 'tag:yaml.org,2002:';
/** Tags by which a text is something else than text; any other leaves it. */
const resolvedTags: ReadonlyMap<string, Resolved['kind']> = new Map([
  [`${prefix}null`, 'null'],
  [`${prefix}bool`, 'bool'],
  [`${prefix}int`, 'int'],
  [`${prefix}float`, 'float'],
]);

/** A map while it is read: its names, and of those that are not texts what they were. */
interface Members {
  readonly object: JsonObject;
  kinds?: Map<string, string>;
}

/** `core`: our own files, in YAML 1.2's core schema: no merge keys, no equal keys, no tags of its own. */
export type Dialect = 'kubernetes' | 'core';

/** @throws InvalidInputError `E_YAML`, `E_LIMIT` */
export function valueOf(
  root: YamlNode,
  limits: Limits,
  dialect: Dialect = 'kubernetes',
): JsonValue {
  return new Decoder(limits, dialect).value(root);
}

class Decoder {
  /** Nodes decoded, and nodes decoded through aliases: the reference bounds the second by the first. */
  #decoded = 1;
  #aliased = 0;
  #aliasDepth = 0;
  readonly #open = new Set<YamlNode>();
  readonly #known = new Map<YamlNode, { readonly value: JsonValue; readonly size: number }>();

  constructor(
    private readonly limits: Limits,
    private readonly dialect: Dialect,
  ) {}

  value(node: YamlNode): JsonValue {
    this.#count(1);
    switch (node.kind) {
      case 'alias':
        return this.#alias(node);
      case 'scalar':
        return scalarValue(node, this.dialect);
      case 'sequence': {
        this.#open.add(node);
        const list = node.items.map((item) => this.value(item));
        this.#open.delete(node);
        return list;
      }
      case 'mapping': {
        const members: Members = { object: {} };
        this.#mapping(node, members);
        return members.object;
      }
    }
  }

  #count(nodes: number): void {
    this.#decoded += nodes;
    if (this.#aliasDepth === 0) return;
    this.#aliased += nodes;
    const isExcessive =
      this.#aliased > 100 &&
      this.#decoded > 1000 &&
      this.#aliased / this.#decoded > allowedAliases(this.#decoded);
    if (!isExcessive && this.#aliased <= this.limits.maxAliasNodes) return;
    const name = isExcessive
      ? 'nearly all that it holds'
      : `more than ${this.limits.maxAliasNodes} nodes`;
    throw new InvalidInputError('E_LIMIT', `has aliases that expand to ${name}`);
  }

  /** Builds a value once, however many aliases it has. */
  #alias(node: AliasNode): JsonValue {
    const { target } = node;
    if (this.#open.has(target)) throw containsItself(node);
    this.#aliasDepth++;
    const known = this.#known.get(target);
    let value: JsonValue;
    if (known === undefined) {
      const before = this.#decoded;
      value = this.value(target);
      this.#known.set(target, { value, size: this.#decoded - before });
    } else {
      this.#count(known.size);
      ({ value } = known);
    }
    this.#aliasDepth--;
    return value;
  }

  #mapping(node: MappingNode, into: Members): void {
    this.#open.add(node);
    const { members } = node;
    for (let index = 0; index + 1 < members.length; index += 2) {
      const key = members[index] as YamlNode;
      const value = members[index + 1] as YamlNode;
      if (this.dialect === 'kubernetes' && isMerge(key)) this.#merge(value, into);
      else this.#set(into, key, this.value(value));
    }
    this.#open.delete(node);
  }

  #set(into: Members, node: YamlNode, value: JsonValue): void {
    this.#count(1);
    let key = node;
    while (key.kind === 'alias') key = key.target;
    if (key.kind !== 'scalar') {
      const what = key.kind === 'mapping' ? 'a map' : 'a list';
      throw yamlDefect(`has ${what} as a key: quote it`, node.start);
    }
    const { name, kind } = keyOf(key, this.dialect);
    const isKnown = Object.hasOwn(into.object, name);
    if (isKnown && this.dialect === 'core') {
      throw yamlDefect(`has the key ${name} twice: remove one`, node.start);
    }
    if (isKnown && (into.kinds?.get(name) ?? 'text') !== kind) {
      throw yamlDefect(
        `has the key ${name} twice, of two types, and which of them counts is random: remove one`,
        node.start,
      );
    }
    if (!isKnown && kind !== 'text') (into.kinds ??= new Map()).set(name, kind);
    defineOwn(into.object, name, value);
  }

  /** Merged fields replace fields above them, and of several maps the first wins. */
  #merge(node: YamlNode, into: Members): void {
    if (node.kind === 'sequence') {
      for (const item of node.items.toReversed()) {
        if (item.kind === 'sequence') throw noMap(item);
        this.#merge(item, into);
      }
      return;
    }
    this.#count(1);
    if (node.kind === 'mapping') return this.#mapping(node, into);
    if (node.kind !== 'alias' || node.target.kind !== 'mapping') throw noMap(node);
    if (this.#open.has(node.target)) throw containsItself(node);
    this.#aliasDepth++;
    this.#count(1);
    this.#mapping(node.target, into);
    this.#aliasDepth--;
  }
}

function containsItself({ name, start }: AliasNode): InvalidInputError {
  return yamlDefect(`has an anchor whose value contains itself: ${name}`, start);
}

function noMap({ start }: YamlNode): InvalidInputError {
  return yamlDefect('merges what is neither a map nor a list of maps', start);
}

export function isMerge(node: YamlNode): boolean {
  return (
    node.kind === 'scalar' &&
    node.text === '<<' &&
    (node.isImplicit || node.tag === `${prefix}merge`)
  );
}

/** Rule: `allowedAliasRatio`. */
function allowedAliases(decoded: number): number {
  const [low, high] = [400_000, 4_000_000];
  const share = Math.min(Math.max((decoded - low) / (high - low), 0), 1);
  return 0.99 - 0.89 * share;
}

/** Undefined where it is a text: its own, or the bytes that it stands for. */
function resolved(node: ScalarNode, dialect: Dialect): Resolved | undefined {
  const { tag, text, isImplicit } = node;
  const resolve = dialect === 'core' ? resolveCoreScalar : resolveKubernetesScalar;
  if (tag === '') return isImplicit ? resolve(text) : undefined;
  const wanted = resolvedTags.get(tag);
  if (wanted === undefined) {
    if (dialect === 'core' && tag !== '!' && tag !== `${prefix}str`) {
      throw yamlDefect(`has the unknown tag ${tag}: remove it`, node.start);
    }
    if (tag === `${prefix}timestamp` && !isTimestamp(text)) throw unfit(node);
    return undefined;
  }
  const found = resolve(text);
  if (found?.kind === wanted) return found;
  if (wanted !== 'float' || found === undefined) throw unfit(node);
  if (found.kind === 'unsupported') return found;
  // ParseUint's numbers are no int to the reference.
  if (found.kind !== 'int' || isUnsigned(found.value)) throw unfit(node);
  return { kind: 'float', value: Number(found.value) };
}

const isUnsigned = (value: number | NumberText): boolean => BigInt(String(value)) >= 2n ** 63n;

function unfit({ tag, text, start }: ScalarNode): InvalidInputError {
  const short = tag.replace(prefix, '!!');
  return yamlDefect(`cannot decode ${JSON.stringify(text)} as a ${short}`, start);
}

function scalarValue(node: ScalarNode, dialect: Dialect): JsonValue {
  const found = resolved(node, dialect);
  if (found === undefined) return textOf(node);
  switch (found.kind) {
    case 'null':
      return null;
    case 'unsupported':
      throw yamlDefect(`has the value ${found.text}, which JSON cannot hold: quote it`, node.start);
    default:
      return found.value;
  }
}

function textOf(node: ScalarNode): string {
  if (node.tag !== `${prefix}binary`) return node.text;
  const text = node.text.replaceAll(/[\r\n]/g, '');
  const bytes = Buffer.from(text, 'base64');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw yamlDefect('!!binary value contains invalid base64 data', node.start);
  }
  // Each of its bytes would become a replacement character.
  if (!isUtf8(bytes)) throw yamlDefect('!!binary value is no UTF-8 text', node.start);
  return bytes.toString('utf8');
}

/** Its name in JSON, and what it is where that is no text: equal names of two types are two keys. */
export function keyOf(
  node: ScalarNode,
  dialect: Dialect = 'kubernetes',
): { name: string; kind: string } {
  const found = resolved(node, dialect);
  if (found === undefined) return { name: textOf(node), kind: 'text' };
  switch (found.kind) {
    case 'null':
      throw yamlDefect('has a key that is null: name the key or quote it', node.start);
    case 'bool':
      return { name: String(found.value), kind: 'bool' };
    case 'int':
      if (isUnsigned(found.value)) {
        throw yamlDefect('has a key of more than 63 bits: quote it', node.start);
      }
      return { name: String(found.value), kind: 'int' };
    case 'float':
      return floatKeyOf(Number(found.value), node);
    case 'unsupported':
      return floatKeyOf(Number(found.text.replace('Inf', 'Infinity')), node);
  }
}

/** Names have single precision, keys double, and no NaN is another. */
function floatKeyOf(value: number, { start }: ScalarNode): { name: string; kind: string } {
  if (Object.is(value, -0)) throw yamlDefect('has the key -0: quote it', start);
  return { name: floatKey(value), kind: `float ${Number.isNaN(value) ? start : value}` };
}

/** Rule: `strconv.FormatFloat(key, 'g', -1, 32)`, and YAML's names of what is infinite or no number. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  return formatFloat32(single);
}

const timestamp =
  /^\d{4}-(\d\d?)-(\d\d?)(?:(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))|(?: (\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?))?$/;

/** A value with this tag must be a time; it stays text. */
function isTimestamp(text: string): boolean {
  const found = timestamp.exec(text);
  if (found === null) return false;
  const [month = 0, day = 0, ...clock] = found.slice(1).filter(Boolean).map(Number);
  const [hour = 0, minute = 0, second = 0] = clock;
  const last = new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= last;
  return isDay && hour < 24 && minute < 60 && second < 60;
}
