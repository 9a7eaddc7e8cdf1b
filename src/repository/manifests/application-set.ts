/** As far as its repository decides them. Source: argo-cd docs/operator-manual/applicationset (Generators-*). */
import { posix } from 'node:path';
import {
  defineOwn,
  InvalidInputError,
  isObject,
  own,
  parseYaml,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { flagAt, objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { isHidden } from '../../text/documents/folder-walk.js';
import type { Pattern } from '../../text/go/regexp.js';
import { type FolderCollector, compileGlob } from './applied-folder.js';
import { foldersAround } from './repository.js';

/** No repository has more Applications than this. */
const mostApplications = 10_000;

/** @throws InvalidInputError for generators that cannot be read */
export async function applicationsOf(
  set: JsonObject,
  found: FolderCollector,
): Promise<JsonObject[]> {
  const spec = objectAt(set, 'spec') ?? {};
  const template = objectAt(spec, 'template');
  if (template === undefined) return [];
  if (textAt(spec, 'templatePatch') !== undefined) {
    throw new InvalidInputError('E_INPUT', 'its templatePatch is not rendered here');
  }
  const isGo = flagAt(spec, 'goTemplate');
  const made: JsonObject[] = [];
  for (const generator of objectsAt(spec, 'generators')) {
    for (const parameters of await parametersOf(generator, isGo, found)) {
      const whole = merged(template, templateOf(generator));
      made.push(filled(whole, parameters, isGo) as JsonObject);
      if (made.length > mostApplications) {
        const message = `makes more than ${mostApplications} Applications`;
        throw new InvalidInputError('E_LIMIT', message);
      }
    }
  }
  return made.map((each) => ({ ...each, kind: 'Application' }));
}

function templateOf(generator: JsonObject): JsonObject {
  const [inner] = Object.values(generator).filter(isObject);
  return objectAt(inner, 'template') ?? {};
}

async function parametersOf(
  generator: JsonObject,
  isGo: boolean,
  found: FolderCollector,
): Promise<JsonObject[]> {
  if (own(generator, 'selector') !== undefined) {
    throw new InvalidInputError('E_INPUT', 'the selector of its generators is not evaluated here');
  }
  const list = objectAt(generator, 'list');
  if (list !== undefined) {
    const text = textAt(list, 'elementsYaml');
    if (text === undefined || text.includes('{{')) return objectsAt(list, 'elements');
    const more = parseYaml(text);
    return [...objectsAt(list, 'elements'), ...(Array.isArray(more) ? more.filter(isObject) : [])];
  }
  const git = objectAt(generator, 'git');
  if (git !== undefined) return gitParameters(git, isGo, found);
  const matrix = objectsAt(generator, 'matrix', 'generators');
  if (matrix.length > 0) {
    let all: JsonObject[] = [{}];
    for (const each of matrix) {
      const next: JsonObject[] = [];
      for (const known of all) {
        const inner = filled(each, known, isGo) as JsonObject;
        for (const more of await parametersOf(inner, isGo, found)) next.push(merged(known, more));
        if (next.length > mostApplications) return next;
      }
      all = next;
    }
    return all;
  }
  const merge = objectAt(generator, 'merge');
  if (merge !== undefined) {
    const keys = textsAt(merge, 'mergeKeys');
    const [first = [], ...others] = await inOrder(objectsAt(merge, 'generators'), (each) =>
      parametersOf(each, isGo, found),
    );
    const keyOf = (each: JsonObject): string =>
      stringifyJson(keys.map((key) => own(each, key) ?? null));
    return first.map((base) =>
      others
        .flatMap((all) => all.filter((each) => keyOf(each) === keyOf(base)))
        .reduce((all, each) => merged(all, each), base),
    );
  }
  // Clusters, pull requests and other repositories: the template alone may name the folder.
  return [{}];
}

async function inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function gitParameters(
  git: JsonObject,
  isGo: boolean,
  found: FolderCollector,
): Promise<JsonObject[]> {
  if (!found.isHere(textAt(git, 'repoURL'))) return [{}];
  const paths = await found.repository.filesIn('');
  const values = objectAt(git, 'values') ?? {};
  const withValues = (parameters: JsonObject): JsonObject => {
    const given = filled(values, parameters, isGo) as JsonObject;
    return isGo
      ? { ...parameters, values: given }
      : { ...parameters, ...flattened(given, 'values.') };
  };
  const directories = objectsAt(git, 'directories');
  if (directories.length > 0) {
    const globs = directories.map((each) => ({
      excludes: flagAt(each, 'exclude'),
      glob: globOf(textAt(each, 'path') ?? ''),
    }));
    const matches = (path: string, isExcluded: boolean): boolean =>
      globs.some(({ excludes, glob }) => excludes === isExcluded && glob.test(path));
    const folders = new Set(paths.flatMap(foldersAround));
    return [...folders]
      .sort()
      .filter((path) => path !== '' && !isHidden(path))
      .filter((path) => matches(path, false) && !matches(path, true))
      .map((path) => withValues(pathParameters(path, isGo)));
  }
  const patterns = objectsAt(git, 'files').map((each) => globOf(textAt(each, 'path') ?? ''));
  const files = paths.filter((path) => patterns.some((pattern) => pattern.test(path))).sort();
  const all: JsonObject[] = [];
  for (const path of files) {
    const value = parseYaml((await found.repository.read(path)).toString('utf8'));
    const contents = Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
    for (const content of contents) {
      const given = isGo ? content : flattened(content, '');
      const beside = pathParameters(posix.dirname(path), isGo, posix.basename(path));
      all.push(withValues({ ...given, ...beside }));
    }
  }
  return all;
}

function pathParameters(path: string, isGo: boolean, filename?: string): JsonObject {
  const segments = path.split('/');
  const basename = posix.basename(path);
  const basenameNormalized = basename.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
  const more = { basename, basenameNormalized, ...(filename !== undefined && { filename }) };
  if (isGo) return { path: { path, segments, ...more } };
  const indexed = segments.map((segment, index) => [`path[${index}]`, segment] as const);
  return { path, ...flattened(more, 'path.'), ...Object.fromEntries(indexed) };
}

function globOf(pattern: string): Pattern {
  const source = pattern.replace(/\*\*\/?|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return compileGlob(pattern, source);
}

/** `{ a: { b: 1 } }` as `a.b`. */
function flattened(value: JsonObject, prefix: string): JsonObject {
  const flat: JsonObject = {};
  for (const [key, each] of Object.entries(value)) {
    if (isObject(each)) Object.assign(flat, flattened(each, `${prefix}${key}.`));
    else defineOwn(flat, `${prefix}${key}`, each);
  }
  return flat;
}

function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = own(result, key);
    const next = isObject(before) && isObject(value) ? merged(before, value) : value;
    // An empty text of a generator's template leaves that of the set.
    if (next !== '' || before === undefined) defineOwn(result, key, next);
  }
  return result;
}

const expression = /\{\{-?\s*(.*?)\s*-?\}\}/gs;

/** With each parameter that is known in place; what is not known stays as it is written. */
function filled(value: JsonValue, parameters: JsonObject, isGo: boolean): JsonValue {
  if (typeof value === 'string') {
    return value.replace(expression, (written, inner: string) => {
      const found = isGo ? goValue(inner, parameters) : own(parameters, inner);
      if (found === undefined || found === null) return written;
      return typeof found === 'string' ? found : stringifyJson(found);
    });
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, parameters, isGo));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, each]) =>
      [filled(key, parameters, isGo) as string, filled(each, parameters, isGo)] as const,
  );
  return Object.fromEntries(entries);
}

/** `.a.b` and `index .a.b 1`; undefined for anything else of Go's templates. */
function goValue(text: string, parameters: JsonObject): JsonValue | undefined {
  const [, index, path, at] = /^(index\s+)?((?:\.\w+)+)(?:\s+(\d+))?$/.exec(text) ?? [];
  if (path === undefined || (index === undefined) !== (at === undefined)) return undefined;
  let value: JsonValue | undefined = parameters;
  for (const key of path.split('.').slice(1)) value = isObject(value) ? own(value, key) : undefined;
  return at === undefined ? value : Array.isArray(value) ? value[Number(at)] : undefined;
}
