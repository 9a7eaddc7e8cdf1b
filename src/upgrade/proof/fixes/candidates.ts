import type { Operation } from 'fast-json-patch';
import {
  isObject,
  own,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../text/documents/index.js';
import { versionEntries } from '../../crd/named-versions.js';
import { formatName, schemaKeys, type Keys } from '../../crd/schema-keys.js';
import { flagAt, textAt, valueAt } from '../../../text/documents/fields.js';
import { shortened } from '../../../text/shortened.js';
import { formatPointer } from '../../../text/json-pointer.js';

export interface Candidate {
  readonly title: string;
  readonly patch: readonly Operation[];
}

export interface FixTarget {
  /** Undefined for what is wrong with the definition as a whole. */
  readonly version: string | undefined;
  /** The stored version whose objects are read there. */
  readonly from?: string;
  readonly path: string;
}

export function* candidates(
  old: JsonObject,
  next: JsonObject,
  { version, from, path }: FixTarget,
): Generator<Candidate> {
  yield* versionCandidates(old, next, version);
  if (version === undefined) return;
  const oldVersion = from ?? version;
  const before = schemaAt(old, oldVersion, path);
  const after = schemaAt(next, version, path);
  if (before !== undefined && after === undefined) {
    yield* restoreField(old, next, oldVersion, version, path);
    return;
  }
  if (after === undefined) return;
  yield* relaxRequired(next, version, path);
  if (before === undefined) {
    const keys = schemaKeys(next, version, path);
    if (own(after, 'default') !== undefined) {
      yield {
        title: `set no default for ${path}`,
        patch: [{ op: 'remove', path: formatPointer([...keys, 'default']) }],
      };
    }
    return;
  }
  yield* keywordCandidates(before, after, schemaKeys(next, version, path), path);
}

/** Scope, and versions that are gone or no longer served. */
function* versionCandidates(
  old: JsonObject,
  next: JsonObject,
  name: string | undefined,
): Generator<Candidate> {
  const [oldScope, newScope] = [old, next].map((each) => textAt(each, 'spec', 'scope'));
  if (name === undefined && oldScope !== undefined && oldScope !== newScope) {
    yield {
      title: `keep the scope ${oldScope}`,
      patch: [{ op: 'add', path: '/spec/scope', value: oldScope }],
    };
  }
  for (const version of versionEntries(old)) {
    const each = textAt(version, 'name');
    if (each === undefined || (name !== undefined && name !== each)) continue;
    const index = versionEntries(next).findIndex((other) => textAt(other, 'name') === each);
    if (index < 0) {
      const value = { ...copy(version), storage: false };
      yield {
        title: `keep version ${each}`,
        patch: [{ op: 'add', path: '/spec/versions/-', value }],
      };
    } else if (flagAt(version, 'served') && !flagAt(next, 'spec', 'versions', index, 'served')) {
      yield {
        title: `keep version ${each} served`,
        patch: [{ op: 'add', path: `/spec/versions/${index}/served`, value: true }],
      };
    }
  }
}

function* restoreField(
  old: JsonObject,
  next: JsonObject,
  oldVersion: string,
  version: string,
  path: string,
): Generator<Candidate> {
  const oldKeys = schemaKeys(old, oldVersion, path);
  // The nearest schema that is left, and the first step on the way down that is missing there.
  const kept = schemaKeys(next, version, path);
  const missing = oldKeys.slice(kept.length);
  const value = (length: number): JsonValue =>
    copy(valueAt(old, ...oldKeys.slice(0, kept.length + length)) ?? {});
  const [keyword, name] = missing;
  if (keyword === undefined) return;
  const title = `restore ${path}`;
  const parent = valueAt(next, ...kept, keyword);
  if (keyword === 'properties' && name !== undefined && isObject(parent ?? null)) {
    yield {
      title,
      patch: [{ op: 'add', path: formatPointer([...kept, keyword, name]), value: value(2) }],
    };
  } else if (keyword === 'properties' && name !== undefined) {
    const properties = { [name]: value(2) };
    yield {
      title,
      patch: [{ op: 'add', path: formatPointer([...kept, keyword]), value: properties }],
    };
  } else {
    yield {
      title,
      patch: [{ op: 'add', path: formatPointer([...kept, keyword]), value: value(1) }],
    };
  }
}

/** The field may be left out again. */
function* relaxRequired(next: JsonObject, version: string, path: string): Generator<Candidate> {
  const keys = schemaKeys(next, version, path);
  const name = keys.at(-1);
  if (keys.at(-2) !== 'properties' || typeof name !== 'string') return;
  const required = valueAt(next, ...keys.slice(0, -2), 'required');
  if (!Array.isArray(required) || !required.includes(name)) return;
  const rest = required.filter((each) => each !== name);
  const at = formatPointer([...keys.slice(0, -2), 'required']);
  yield {
    title: `do not require ${path}`,
    patch: [
      rest.length === 0 ? { op: 'remove', path: at } : { op: 'replace', path: at, value: rest },
    ],
  };
}

function* keywordCandidates(
  before: JsonObject,
  after: JsonObject,
  keys: Keys,
  path: string,
): Generator<Candidate> {
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (keyword) =>
      !passedOver.has(keyword) && text(own(before, keyword)) !== text(own(after, keyword)),
  );
  const [listed, now] = [own(before, 'enum'), own(after, 'enum')];
  if (Array.isArray(listed) && Array.isArray(now)) {
    const known = new Set(now.map(text));
    const gone = listed.filter((value) => !known.has(text(value)));
    if (gone.length > 0) {
      yield {
        title: `keep ${gone.map(text).join(', ')} among the values of ${path}`,
        patch: [
          { op: 'replace', path: formatPointer([...keys, 'enum']), value: [...now, ...copy(gone)] },
        ],
      };
    }
  }
  yield* ruleCandidates(before, after, keys, path);
  for (const keyword of differing) {
    yield {
      title: `${own(before, keyword) === undefined ? 'drop the new' : 'keep the old'} ${keyword} of ${path}`,
      patch: revert(before, after, keys, [keyword, ...excludedBy(keyword, before, after)]),
    };
  }
  if (differing.length > 1) {
    yield {
      title: `keep ${differing.join(', ')} of ${path} as before`,
      patch: revert(before, after, keys, differing),
    };
  }
  if (text(before) !== text(after) && keys.length > 0) {
    const merged = copy(before);
    yield {
      title: `keep ${path} as it was`,
      patch: [{ op: 'replace', path: formatPointer(keys), value: merged }],
    };
  }
}

const rules = 'x-kubernetes-validations';
const longestRule = 60;

/** Each costs a proof. */
const mostRulesSingly = 8;

/** Each new rule by itself, so that the others stay. */
function* ruleCandidates(
  before: JsonObject,
  after: JsonObject,
  keys: Keys,
  path: string,
): Generator<Candidate> {
  const [known, now] = [before, after].map((each) => own(each, rules));
  if (!Array.isArray(now) || now.length < 2) return;
  const expressionOf = (rule: JsonValue): string => textAt(rule, 'rule') ?? '';
  const kept = new Set(Array.isArray(known) ? known.map(expressionOf) : []);
  const added = now.filter((rule) => !kept.has(expressionOf(rule)));
  for (const rule of added.slice(0, mostRulesSingly)) {
    const rest = copy(now.filter((each) => each !== rule));
    yield {
      title: `drop the rule ${shortened(text(expressionOf(rule)), longestRule)} of ${path}`,
      patch: [{ op: 'replace', path: formatPointer([...keys, rules]), value: rest }],
    };
  }
}

/** Keywords to skip: fields have places of their own, and descriptions do no harm. */
const passedOver = new Set('properties items description title example externalDocs'.split(' '));

/** Keywords of which an API server takes no schema with one alone. */
const listKeywords = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'];

/** Keywords that have to be reverted beside one so that an API server takes the schema. */
function excludedBy(keyword: string, before: JsonObject, after: JsonObject): string[] {
  if (listKeywords.includes(keyword)) {
    return listKeywords.filter(
      (each) => each !== keyword && text(own(before, each)) !== text(own(after, each)),
    );
  }
  const isAlsoReverted =
    keyword === 'additionalProperties' &&
    own(before, keyword) !== undefined &&
    own(after, 'properties') !== undefined;
  return isAlsoReverted ? ['properties'] : [];
}

function revert(
  before: JsonObject,
  after: JsonObject,
  keys: Keys,
  keywords: readonly string[],
): Operation[] {
  return keywords.map((keyword): Operation => {
    const path = formatPointer([...keys, keyword]);
    const value = own(before, keyword);
    if (value === undefined) return { op: 'remove', path };
    return { op: own(after, keyword) === undefined ? 'add' : 'replace', path, value: copy(value) };
  });
}

function schemaAt(definition: JsonObject, version: string, path: string): JsonObject | undefined {
  const keys = schemaKeys(definition, version, path);
  const value = valueAt(definition, ...keys);
  // The keys may end above the place.
  const steps = keys.slice(5).filter((key) => key !== 'properties').length;
  return isObject(value ?? null) && isWhole(path, keys, steps) ? (value as JsonObject) : undefined;
}

function isWhole(path: string, keys: Keys, steps: number): boolean {
  if (keys.length < 5) return false;
  return path === '^' || path === '' ? steps === 0 : written(keys) === path;
}

function written(keys: Keys): string {
  let path = '^';
  for (let index = 5; index < keys.length; index++) {
    if (keys[index] === 'properties') path += `.${formatName(String(keys[++index]))}`;
    else path += '[*]';
  }
  return path;
}

function text(value: JsonValue | undefined): string {
  return value === undefined ? '' : stringifyJson(value);
}

function copy<Value extends JsonValue>(value: Value): Value {
  return structuredCopy(value) as Value;
}

function structuredCopy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, structuredCopy(item)]),
  );
}
