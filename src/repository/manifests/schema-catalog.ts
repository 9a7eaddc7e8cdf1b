/** A catalog of JSON schemas, a file for each version of a kind, as kubeconform's `-schema-location`. */
import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import { definitionOfJsonSchema, type KindVersion } from '../../kubernetes/index.js';
import { definitionAt, type FoundCrd } from '../../upgrade/index.js';
import { InvalidInputError, own, parseJson, type JsonObject } from '../../text/documents/index.js';
import { NotInCommitError, openCommit } from '../../text/documents/git.js';
import { readRegularFile, unreadable } from '../../text/documents/regular-file.js';
import { readSource } from '../../text/documents/sources.js';

/** The names of files in a folder that is given without a template: those of the CRDs-catalog. */
const byDefault = '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json';

/** Objects with other names are not looked up: a name in a manifest must not lead out of the folder. */
const names = {
  group: /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/,
  kind: /^[A-Za-z][A-Za-z0-9]{0,62}$/,
  version: /^[a-z][a-z0-9]{0,62}$/,
};

/** Files of kustomize look like objects and have no name; no API server ever sees one. */
const kustomizeGroup = 'kustomize.config.k8s.io';

export interface CatalogEntry {
  readonly found: FoundCrd;
  /** Keywords of its schema by which objects are not judged. */
  readonly unjudged: readonly string[];
}

export class SchemaCatalog {
  readonly #entries = new Map<string, Promise<CatalogEntry | undefined>>();
  readonly #templates: readonly Template[];

  private constructor(templates: readonly Template[]) {
    this.#templates = templates;
  }

  /** @throws InvalidInputError for a location that is no folder or template on this machine */
  static async open(locations: readonly string[]): Promise<SchemaCatalog> {
    // `default` means kubeconform's own schemas, which are of built-in kinds.
    const templates = locations.filter((each) => each !== 'default').map(readTemplate);
    for (const { folder } of templates) await requireFolder(folder);
    return new SchemaCatalog(templates);
  }

  get isEmpty(): boolean {
    return this.#templates.length === 0;
  }

  /** The definition of the first location that has the object's version. @throws InvalidInputError */
  async definitionOf(object: JsonObject): Promise<CatalogEntry | undefined> {
    const [apiVersion, kind] = [own(object, 'apiVersion'), own(object, 'kind')];
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
    const [group = '', version = '', ...rest] = apiVersion.split('/');
    const isKind = names.group.test(group) && names.version.test(version) && names.kind.test(kind);
    if (!isKind || rest.length > 0 || group === kustomizeGroup) return undefined;
    const key = `${apiVersion} ${kind}`;
    const entry = this.#entries.get(key) ?? this.#read({ group, version, kind });
    this.#entries.set(key, entry);
    return entry;
  }

  async #read(of: KindVersion): Promise<CatalogEntry | undefined> {
    for (const { folder, fileOf } of this.#templates) {
      const file = fileOf(of);
      const bytes = await readWithin(folder, file);
      if (bytes === undefined) continue;
      try {
        const { crd, unjudged } = definitionOfJsonSchema(
          parseJson(bytes.toString('utf8'), { file }),
          of,
        );
        return { found: definitionAt(crd, file), unjudged };
      } catch (error) {
        throw error instanceof InvalidInputError ? error.at({ file }) : error;
      }
    }
    return undefined;
  }
}

interface Template {
  /** The folder before the first placeholder: every file is inside. */
  readonly folder: string;
  readonly fileOf: (of: KindVersion) => string;
}

const placeholder = /\{\{-?\s*(.*?)\s*-?\}\}/g;

const valueOf: ReadonlyMap<string, (of: KindVersion) => string> = new Map([
  ['.Group', ({ group }: KindVersion) => group],
  ['.ResourceKind', ({ kind }: KindVersion) => kind.toLowerCase()],
  ['.ResourceAPIVersion', ({ version }: KindVersion) => version],
  ['.KindSuffix', ({ group, version }: KindVersion) => `-${group.split('.')[0] ?? ''}-${version}`],
  ['.NormalizedKubernetesVersion', () => 'master'],
  ['.StrictSuffix', () => ''],
]);

function readTemplate(location: string): Template {
  const refuse = (message: string): InvalidInputError =>
    new InvalidInputError('E_INPUT', `--schema-location ${location}: ${message}`);
  if (/^https?:/i.test(location)) {
    throw refuse('nothing is fetched; clone the catalog, and name its folder');
  }
  const folder = location.replace(/(?<=.)\/+$/, '');
  const text = location.endsWith('json') ? location : posix.join(folder, byDefault);
  for (const [written, name = ''] of text.matchAll(placeholder)) {
    if (!valueOf.has(name)) {
      throw refuse(`${written} is unknown; there are ${[...valueOf.keys()].join(', ')}`);
    }
  }
  const [before = ''] = text.split('{{');
  return {
    folder: before.includes('/') ? before.slice(0, before.lastIndexOf('/') + 1) : '.',
    fileOf: (of) => text.replace(placeholder, (_, name: string) => valueOf.get(name)?.(of) ?? ''),
  };
}

async function requireFolder(folder: string): Promise<void> {
  if (folder.startsWith('git:')) {
    await openCommit(folder);
    return;
  }
  try {
    await realpath(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Undefined if it does not exist. @throws InvalidInputError for a file outside of the folder, behind a link */
async function readWithin(folder: string, file: string): Promise<Buffer | undefined> {
  try {
    if (file.startsWith('git:')) {
      const [source] = await readSource(file);
      return source?.path === '' ? source.bytes : undefined;
    }
    await realpath(file);
    return await readRegularFile(file, undefined, await realpath(folder));
  } catch (error) {
    if (error instanceof NotInCommitError || isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const isOfSystem = error instanceof Error && 'code' in error;
  return isOfSystem && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
