/** Documents in files that a question names in place of writing them out; only those that the command line named are read. */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import {
  InvalidInputError,
  isObject,
  metaOf,
  own,
  parseDocuments,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import { eachSourceFile, readSource } from '../../text/documents/sources.js';

/** How a question names documents in files, as the agent reads it. */
export const howToName =
  'In place of an object write {"$document": "PATH"}, with "name" where the file holds several; in place of a list of objects {"$documents": "PATH"}; in place of files by their path {"$files": "PATH"}.';

const keys = ['$document', '$documents', '$files'] as const;

export class NamedSources {
  /** @param named files, folders and `git:REF:path`; whatever lies in them may be asked for */
  constructor(readonly named: readonly string[]) {}

  /** @throws InvalidInputError for a source that has nothing to read */
  async demandAll(): Promise<void> {
    for (const source of this.named) {
      if (source === '-') {
        throw new InvalidInputError('E_INPUT', 'standard input holds the questions; name a file');
      }
      const { done } = await eachSourceFile(source).next();
      if (done === true) {
        throw new InvalidInputError('E_INPUT', 'holds no YAML or JSON', { file: source });
      }
    }
  }

  /**
   * The input with what it names in place.
   *
   * @throws InvalidInputError for what cannot be read, and what was not named on the command line
   */
  async filledIn(value: JsonValue): Promise<JsonValue> {
    if (Array.isArray(value)) return Promise.all(value.map((each) => this.filledIn(each)));
    if (!isObject(value)) return value;
    for (const key of keys) {
      const path = own(value, key);
      if (typeof path !== 'string') continue;
      const files = await this.#read(path);
      if (key === '$files') return contentsOf(files);
      const documents = files.flatMap(documentsIn);
      return key === '$documents' ? documents : oneOf(documents, path, own(value, 'name'));
    }
    const entries = Object.entries(value).map(
      async ([name, each]) => [name, await this.filledIn(each)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  async #read(path: string): Promise<SourceFile[]> {
    for (const source of this.named) {
      if (path === source || (await isBelow(path, source))) return readSource(path);
    }
    const known = this.named.length === 0 ? 'none was' : this.named.join(', ');
    throw new InvalidInputError(
      'E_INPUT',
      `${path} was not named on the command line of olm-guard mcp (${known})`,
    );
  }
}

/** Links count as what they lead to. */
async function isBelow(path: string, folder: string): Promise<boolean> {
  if (path.startsWith('git:') || folder.startsWith('git:')) {
    const start = folder.endsWith('/') || folder.endsWith(':') ? folder : `${folder}/`;
    return path.startsWith(start) && !path.split(/[/:]/).includes('..');
  }
  const [inner, outer] = await Promise.all(
    [path, folder].map((each) => realpath(each).catch(() => undefined)),
  );
  return inner !== undefined && outer !== undefined && inner.startsWith(`${outer}${sep}`);
}

function contentsOf(files: readonly SourceFile[]): JsonObject {
  return Object.fromEntries(
    files.map(({ path, file, bytes }) => [path === '' ? file : path, bytes.toString()]),
  );
}

function documentsIn({ file, bytes }: SourceFile): JsonObject[] {
  return parseDocuments(bytes, { file })
    .map(({ value }) => value)
    .filter(isObject);
}

function oneOf(
  documents: readonly JsonObject[],
  path: string,
  name: JsonValue | undefined,
): JsonObject {
  const found =
    name === undefined ? documents : documents.filter((each) => metaOf(each).name === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const what = name === undefined ? 'objects' : `objects named ${JSON.stringify(name)}`;
  const names = documents.slice(0, 20).map((each) => metaOf(each).name);
  const hint = documents.length > 0 ? `; it has ${names.join(', ')}` : '';
  throw new InvalidInputError('E_INPUT', `${path} has ${found.length} ${what}, not one${hint}`);
}
