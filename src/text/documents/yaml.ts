/** One YAML document in, as sigs.k8s.io/yaml reads it (`kubernetes`) or as YAML 1.2 core (`core`). */
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import jsyaml from 'js-yaml';
import { InvalidInputError, type Place } from './error.js';
import { defaultLimits, type Limits } from './limits.js';
import { resolveCoreScalar, resolveKubernetesScalar, type Resolved } from './scalars.js';
import { isObject, NumberText, defineOwn, type JsonObject, type JsonValue } from './value.js';
import { namedFloat, NamedFloat, UnsupportedScalar } from './yaml-key-names.js';
import {
  beginsBesideMarker,
  endOfFirstNode,
  firstDocumentOf,
  isEmptyBlockScalar,
} from './yaml-first-document.js';
import {
  directiveRefusal,
  lineRefusal,
  markerRefusal,
  needsStrictness,
  Strictness,
  type Refusal,
} from './yaml-strictness.js';

/** `kubernetes`: manifests and catalogs, as kubectl and opm read them. `core`: our own files. */
export type Dialect = 'kubernetes' | 'core';

export interface YamlOptions extends Partial<Limits> {
  readonly file?: string;
  readonly dialect?: Dialect;
}

/** Thrown while js-yaml calls back, turned into an error with a place by {@link parseYaml}. */
class ScalarRefused extends Error {}

/** Stands for null until the tree is complete: a null as a key must be told from the word "null". */
class NullScalar {
  toString(): string {
    throw new InvalidInputError('E_YAML', 'has a key that is null: name the key or quote it');
  }
  readonly [Symbol.toStringTag] = 'Null';
}
const nullScalar = new NullScalar();

/** A key `<<`, under a name that no document can have: js-yaml's own merging keeps what stands above it. */
class MergeKey {
  static readonly mark = randomBytes(12).toString('hex');
  static #count = 0;
  toString(): string {
    return `${MergeKey.mark}${MergeKey.#count++}`;
  }
  readonly [Symbol.toStringTag] = 'Merge';
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

const colonAhead = /[ \t]*:(?=[\s,[\]{}\0]|$)/y;

/**
 * Parses one YAML document; content behind its end is ignored in the `kubernetes` dialect, as the
 * reference does. Nothing, or comments only, is null.
 *
 * @throws InvalidInputError `E_YAML` with line and column, `E_LIMIT` past a limit.
 */
export function parseYaml(text: string, options: YamlOptions = {}): JsonValue {
  const limits = { ...defaultLimits, ...options };
  const where: Place = options.file === undefined ? {} : { file: options.file };
  if (text.length > limits.maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${text.length} bytes long; at most ${limits.maxBytes} are read`,
      where,
    );
  }
  if (limits.maxValues < Infinity && mayHoldMore(text, limits.maxValues)) {
    throw new InvalidInputError('E_LIMIT', `holds more than ${limits.maxValues} values`, where);
  }
  const dialect = options.dialect ?? 'kubernetes';
  try {
    return finish(load(text, dialect, limits.maxDepth), limits);
  } catch (error) {
    if (error instanceof InvalidInputError) throw error.at(where);
    if (error instanceof jsyaml.YAMLException) throw placed(error, text, where);
    if (error instanceof ScalarRefused) {
      throw new InvalidInputError('E_YAML', error.message, where);
    }
    if (error instanceof RangeError) {
      throw new InvalidInputError('E_LIMIT', 'nests too deep to be read', where);
    }
    throw error;
  }
}

/** Between two values stands one of these. */
const betweenValues = /[\n\r,:?\u0085\u2028\u2029]/g;

function mayHoldMore(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let count = 0;
  betweenValues.lastIndex = 0;
  while (betweenValues.test(text)) if (++count > most) return true;
  return false;
}

function load(text: string, dialect: Dialect, maxDepth: number): unknown {
  const options = {
    schema: dialect === 'core' ? coreSchema : kubernetesSchema,
    json: dialect === 'kubernetes',
    maxDepth,
  };
  // Go cannot hold half a surrogate pair: it reads U+FFFD.
  const whole = /[\ud800-\udfff]/.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd') : text;
  // To YAML 1.1 this is a line break like any other.
  const input =
    dialect === 'kubernetes' ? firstDocumentOf(whole.replaceAll('\u0085', '\n')) : whole;
  demandPrintable(input);
  if (dialect === 'kubernetes') {
    demandAllowed(input, lineRefusal(input) ?? markerRefusal(input) ?? directiveRefusal(input));
  }
  try {
    return firstDocument(input, options);
  } catch (error) {
    if (dialect === 'kubernetes' && isEmptyBlockScalar(input, error)) return '';
    const rest = dialect === 'kubernetes' ? endOfFirstNode(input, error) : undefined;
    if (rest === undefined) throw error;
    const first = firstDocument(input.slice(0, rest), options);
    // A text without quotes goes on where js-yaml ends it.
    const isWhole = typeof first === 'object' || /^\s*(?:---\s+)?["']/.test(input);
    if (!isWhole) throw error;
    return first;
  }
}

function demandAllowed(text: string, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const before = text.slice(0, refusal.index);
  throw new InvalidInputError('E_YAML', `is not YAML: ${refusal.reason}`, {
    line: before.split('\n').length,
    column: refusal.index - before.lastIndexOf('\n'),
  });
}

/** js-yaml checks the text of scalars only; the reference checks comments and keys as well. */
function demandPrintable(text: string): void {
  const at = text.search(controlCharacter);
  if (at === -1) return;
  const before = text.slice(0, at);
  throw new InvalidInputError('E_YAML', 'is not YAML: control characters are not allowed', {
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
  });
}

function firstDocument(text: string, options: jsyaml.LoadOptions): unknown {
  const isKubernetes = options.json === true;
  const refusesKeys = isKubernetes && /[\]}]\s*:/.test(text);
  const skipped = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const strictness =
    isKubernetes && needsStrictness(text) ? new Strictness(text.slice(skipped)) : undefined;
  const listener = function (this: jsyaml.State, event: jsyaml.EventType, state: jsyaml.State) {
    strictness?.listener(event, state);
    if (refusesKeys) refuseCollectionKeys(event, state);
  };
  const isHeard = refusesKeys || strictness !== undefined;
  const documents = jsyaml.loadAll(text, null, isHeard ? { ...options, listener } : options);
  demandAllowed(text, strictness?.refusal(text, skipped));
  const [first] = documents;
  const isCollection = Array.isArray(first) || isObject(first);
  if (isKubernetes && isCollection && beginsBesideMarker(text)) {
    demandAllowed(text, { reason: 'a list or a map begins beside its ---', index: skipped });
  }
  return first ?? null;
}

/** js-yaml would make text of a list or a map that stands before a colon. */
function refuseCollectionKeys(event: jsyaml.EventType, state: jsyaml.State): void {
  if (event === 'open' || state.kind === 'scalar') return;
  colonAhead.lastIndex = state.position;
  if (
    !'[{'.includes(state.input[state.position - 1] ?? '') &&
    /[\]}]/.test(state.input[state.position - 1] ?? '') &&
    colonAhead.test(state.input)
  ) {
    throw new ScalarRefused('has a list or a map as a key: quote it');
  }
}

/** Replaces what stood in for null, and bounds depth and what aliases expand to. */
function finish(root: unknown, limits: Limits): JsonValue {
  let nodes = 0;
  const open = new Set<object>();
  const seen = new Set<object>();
  const walk = (value: unknown, depth: number): JsonValue => {
    if (value === nullScalar || value === undefined) return null;
    if (value instanceof NamedFloat) return value.value;
    if (value instanceof MergeKey) return '<<';
    if (value instanceof UnsupportedScalar) {
      throw new ScalarRefused(`has the value ${value.text}, which JSON cannot hold: quote it`);
    }
    if (typeof value !== 'object' || value === null || value instanceof NumberText) {
      return value as JsonValue;
    }
    if (depth > limits.maxDepth) {
      throw new InvalidInputError('E_LIMIT', `nests more than ${limits.maxDepth} levels deep`);
    }
    if (open.has(value)) {
      throw new InvalidInputError('E_YAML', 'has an anchor whose value contains itself');
    }
    if (seen.has(value)) {
      nodes += 1;
    } else {
      seen.add(value);
    }
    const expanding = nodes > 0;
    open.add(value);
    if (Array.isArray(value)) {
      if (expanding) nodes += value.length;
      for (let index = 0; index < value.length; index++)
        value[index] = walk(value[index], depth + 1);
    } else if (isObject(value)) {
      const keys = Object.keys(value);
      if (expanding) nodes += keys.length;
      const merges = keys.some((key) => key.startsWith(MergeKey.mark));
      for (const key of merges ? mergeInto(value, keys) : keys) {
        if (key === '[object Object]') {
          throw new InvalidInputError(
            'E_YAML',
            'has a map as a key: quote it, templates such as {{ .x }} too',
          );
        }
        // js-yaml made every key an own property, `__proto__` too.
        value[key] = walk(value[key], depth + 1);
      }
    }
    if (nodes > limits.maxAliasNodes) {
      throw new InvalidInputError(
        'E_LIMIT',
        `has aliases that expand to more than ${limits.maxAliasNodes} nodes`,
      );
    }
    open.delete(value);
    return value as JsonValue;
  };
  return walk(root, 1);
}

/**
 * Puts what is merged where it stands: it replaces what is above it, and of several maps the first
 * wins. Returns the names.
 */
function mergeInto(map: Record<string, unknown>, keys: readonly string[]): readonly string[] {
  const members = new Map<string, unknown>();
  for (const key of keys) {
    const value = map[key];
    delete map[key];
    if (!key.startsWith(MergeKey.mark)) members.set(key, value);
    else {
      for (const merged of Array.isArray(value) ? value.toReversed() : [value]) {
        if (!isMap(merged)) {
          throw new ScalarRefused('merges what is neither a map nor a list of maps');
        }
        for (const [name, member] of Object.entries(merged)) members.set(name, member);
      }
    }
  }
  for (const [name, value] of members) defineOwn(map as JsonObject, name, value as JsonValue);
  return [...members.keys()];
}

/** No scalar that stands for something. */
function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function placed(error: jsyaml.YAMLException, text: string, where: Place): InvalidInputError {
  const mark = error.mark as jsyaml.Mark | undefined;
  const place = mark === undefined ? where : { ...where, ...markPlace(mark, text) };
  return error.reason.includes('maxDepth')
    ? new InvalidInputError('E_LIMIT', `nests too deep: ${error.reason}`, place)
    : new InvalidInputError('E_YAML', `is not YAML: ${error.reason}${templateHint(text)}`, place);
}

const template = /\{\{-?\s*(?:[.$]|(?:if|range|with|end|include|define|template)\b)/;

/** Charts are mostly taken for manifests by mistake. */
function templateHint(text: string): string {
  return template.test(text)
    ? '; it holds templates such as {{ .x }}: render it first, with helm template'
    : '';
}

/** What is missing at the end of the text is missing on its last line, not behind it. */
function markPlace(mark: jsyaml.Mark, text: string): Place {
  const content = text.trimEnd();
  if (mark.position < content.length) return { line: mark.line + 1, column: mark.column + 1 };
  const line = content.split('\n').length;
  return { line, column: content.length - content.lastIndexOf('\n') };
}

type Resolve = (text: string) => Resolved | undefined;

function construct(resolved: Resolved | undefined, text: string): unknown {
  if (resolved === undefined) return text;
  if (resolved.kind === 'null') return nullScalar;
  if (resolved.kind === 'unsupported') {
    return new UnsupportedScalar(resolved.text);
  }
  const { kind, value } = resolved;
  return kind === 'float' && typeof value === 'number' ? namedFloat(value) : value;
}

function schemaFor(resolve: Resolve, anyTag: boolean): jsyaml.Schema {
  const tag = (name: string): string => `tag:yaml.org,2002:${name}`;
  const scalar = (name: string, kinds: readonly Resolved['kind'][]): jsyaml.Type =>
    new jsyaml.Type(tag(name), {
      kind: 'scalar',
      resolve: (data: string | null) => {
        const resolved = resolve(data ?? '');
        return resolved !== undefined && kinds.includes(resolved.kind);
      },
      construct: (data: string | null) => construct(resolve(data ?? ''), data ?? ''),
    });
  const implicit = new jsyaml.Type(tag('resolved'), {
    kind: 'scalar',
    resolve: (data: string | null) => data === null || resolve(data) !== undefined,
    construct: (data: string | null) => construct(resolve(data ?? ''), data ?? ''),
  });
  const merge = new jsyaml.Type(tag('merge-key'), {
    kind: 'scalar',
    resolve: (data: string | null) => data === '<<',
    construct: () => new MergeKey(),
  });
  const explicit = [
    scalar('null', ['null']),
    scalar('bool', ['bool']),
    scalar('int', ['int']),
    scalar('float', ['float', 'int', 'unsupported']),
    new jsyaml.Type(tag('timestamp'), {
      kind: 'scalar',
      resolve: (data: string | null) => isTimestamp(data ?? ''),
      construct: (data: string | null) => data ?? '',
    }),
    new jsyaml.Type(tag('binary'), {
      kind: 'scalar',
      resolve: (data: string | null) => isTextInBase64((data ?? '').replaceAll(/[\r\n]/g, '')),
      construct: (data: string | null) => Buffer.from(data ?? '', 'base64').toString('utf8'),
    }),
  ];
  const unknown = anyTag
    ? (['scalar', 'sequence', 'mapping'] as const).flatMap((kind) =>
        ['!', 'tag:', ''].map(
          (prefix) =>
            new jsyaml.Type(prefix, {
              kind,
              multi: true,
              construct: (data: unknown) => data ?? (kind === 'scalar' ? '' : null),
            }),
        ),
      )
    : [];
  return jsyaml.FAILSAFE_SCHEMA.extend({
    implicit: anyTag ? [implicit, merge] : [implicit],
    explicit: [...explicit, ...unknown],
  });
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[+-]\d\d:\d\d))|(?: \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?))?$/;

/** What is tagged so must be a time; it stays the text that it is. */
function isTimestamp(text: string): boolean {
  const [, year, month, day] = timestamp.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last;
}

/** What is no text in JSON is as many replacement characters as there are bytes, which nobody means. */
function isTextInBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return false;
  return isUtf8(Buffer.from(text, 'base64'));
}

const kubernetesSchema = schemaFor(resolveKubernetesScalar, true);
const coreSchema = schemaFor(resolveCoreScalar, false);
