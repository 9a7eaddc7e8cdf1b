/** Source: argo-cd docs/user-guide/application-specification, helm, kustomize, directory, multiple_sources. */
import {
  InvalidInputError,
  isObject,
  own,
  parseYaml,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { flagAt, objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { documentsWithin } from '../../text/documents/documents.js';
import {
  pathFromTop,
  type FolderCollector,
  type GivenValues,
  type Release,
  type WrittenValue,
} from './applied-folder.js';

/** @param written where it is written, if no ApplicationSet has made it */
export async function addApplication(
  object: JsonObject,
  by: string,
  found: FolderCollector,
  written?: WrittenValue,
): Promise<void> {
  const sources = objectsAt(object, 'spec', 'sources');
  const one = objectAt(object, 'spec', 'source');
  const applied = sources.length > 0 || one === undefined ? sources : [one];
  const references = new Set(
    applied
      .filter((source) => found.isHere(textAt(source, 'repoURL')))
      .map((source) => textAt(source, 'ref')),
  );
  for (const [index, source] of applied.entries()) {
    const at = sources.length > 0 ? ['spec', 'sources', index] : ['spec', 'source'];
    const given = textAt(source, 'path');
    if (given === undefined) {
      if (textAt(source, 'chart') !== undefined) found.elsewhere.add(by);
      continue;
    }
    if (!found.isHere(textAt(source, 'repoURL'))) {
      found.elsewhere.add(by);
      continue;
    }
    try {
      const place = written && { ...written, path: [...written.path, ...at] };
      await addSource(object, source, { given, by, references, written: place }, found);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      found.unchecked.add(`${by}: ${error.message}`);
    }
  }
}

interface Given {
  readonly given: string;
  readonly by: string;
  readonly references: ReadonlySet<string | undefined>;
  readonly written: WrittenValue | undefined;
}

async function addSource(
  object: JsonObject,
  source: JsonObject,
  { given, by, references, written }: Given,
  found: FolderCollector,
): Promise<void> {
  for (const key of ['plugin', 'kustomize.helmCharts', 'directory.jsonnet']) {
    const [first = '', second] = key.split('.');
    const value =
      second === undefined ? own(source, first) : own(objectAt(source, first) ?? {}, second);
    if (isObject(value) && Object.keys(value).length > 0) throw unknown(`uses ${key}`);
  }
  const path = inRepository('', given);
  const namespace = textAt(object, 'spec', 'destination', 'namespace');
  const helm = objectAt(source, 'helm') ?? {};
  const isOptional = flagAt(helm, 'ignoreMissingValueFiles');
  const valueFiles = textsAt(helm, 'valueFiles').map((name) => {
    const [, reference, rest] = /^\$([^/]+)\/(.*)$/s.exec(name) ?? [];
    if (reference === undefined) return { path: inRepository(path, name), isOptional };
    if (!references.has(reference)) throw unknown(`takes values from another repository: ${name}`);
    return { path: inRepository('', rest ?? ''), isOptional };
  });
  if (objectsAt(helm, 'fileParameters').length > 0) throw unknown('uses helm.fileParameters');
  const release: Release = {
    name: textAt(helm, 'releaseName') ?? textAt(object, 'metadata', 'name') ?? 'release-name',
    namespace: textAt(helm, 'namespace') ?? namespace,
    valueFiles,
    values: [
      valuesOf(helm, written),
      ...objectsAt(helm, 'parameters').map((each) => ({ value: parameter(each) })),
    ],
  };
  await found.add({
    ...{ path, by, namespace, release, tool: toolOf(source) },
    overlay: overlayOf(objectAt(source, 'kustomize') ?? {}),
    chosen: {
      include: textAt(source, 'directory', 'include') ?? '',
      exclude: textAt(source, 'directory', 'exclude') ?? '',
    },
    withoutKustomization: flagAt(source, 'directory', 'recurse') ? 'files of all folders' : 'files',
  });
}

/** Unset or zero fields are passed over. Source: argo-cd v3, `ExplicitType` and `NormalizeSource`. */
function toolOf(source: JsonObject): 'helm' | 'none' | undefined {
  const isSet = (key: string): boolean =>
    Object.values(objectAt(source, key) ?? {}).some((value) => value !== '' && value !== false);
  if (isSet('helm')) return 'helm';
  return isSet('directory') ? 'none' : undefined;
}

/** Its images, labels and replicas leave custom resources as they are. */
function overlayOf(kustomize: JsonObject): JsonObject | undefined {
  const fields = ['namePrefix', 'nameSuffix', 'namespace', 'patches', 'components'];
  const given = fields.flatMap((key) => {
    const value = own(kustomize, key);
    return value === undefined || value === '' ? [] : [[key, value] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** @throws InvalidInputError for an address, and for what leads out of the repository */
function inRepository(folder: string, name: string): string {
  if (name.includes('{{')) throw unknown(`only the cluster knows what ${name} is`);
  const path = pathFromTop(folder, name);
  if (path === undefined) throw unknown(`${name} is not in this repository`);
  return path;
}

/** @throws InvalidInputError for what are no values */
function valuesOf(helm: JsonObject, written: WrittenValue | undefined): GivenValues {
  const asObject = objectAt(helm, 'valuesObject');
  const path = written && [...written.path, 'helm'];
  if (asObject !== undefined) {
    return {
      value: asObject,
      written: written && { ...written, path: [...(path ?? []), 'valuesObject'] },
    };
  }
  const text = textAt(helm, 'values') ?? '';
  const value = text.trim() === '' ? {} : parseYaml(text);
  if (!isObject(value)) throw unknown('its values are no map');
  const [document] =
    written === undefined ? [] : documentsWithin(written.document, [...(path ?? []), 'values']);
  return { value, written: document && { document, path: [] } };
}

/** As `helm --set` reads a value, for names without brackets or escapes. */
function parameter(each: JsonObject): JsonObject {
  const name = textAt(each, 'name') ?? '';
  const text = textAt(each, 'value') ?? '';
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) throw unknown(`sets the parameter ${name}`);
  const value: JsonValue = flagAt(each, 'forceString') ? text : typed(text);
  return name
    .split('.')
    .reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

function typed(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

function unknown(why: string): InvalidInputError {
  return new InvalidInputError('E_INPUT', why);
}
