/** Documents in files that a question names in place of writing them out; only those that the command line named are read. */
import { realpath } from 'node:fs/promises';
import {
  defineOwn,
  invalidInput,
  isObject,
  metaOf,
  own,
  parseDocuments,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { openCommit } from '../../text/documents/git.js';
import { defaultLimits } from '../../text/documents/error.js';
import { isWithin } from '../../text/documents/program.js';
import { tooLarge, type SourceFile } from '../../text/documents/regular-file.js';
import { eachSourceFile, readSource } from '../../text/documents/sources.js';

/** How a question names documents in files, as the agent reads it. */
export const howToName =
  'In place of an object write {"$document": "PATH"}, with "name" where the file holds several; in place of a list of objects {"$documents": "PATH"}; in place of files by their path {"$files": "PATH"}.';

const keys = ['$document', '$documents', '$files'] as const;

export class NamedSources {
  #turn: Promise<unknown> = Promise.resolve();

  /** @param named files, folders and `git:REF:path`; whatever lies in them may be asked for */
  constructor(readonly named: readonly string[]) {}

  /** @throws InvalidInputError for a source that has nothing to read */
  async demandAll(): Promise<void> {
    for (const source of this.named) {
      if (source === '-') {
        throw invalidInput('standard input holds the questions; name a file');
      }
      const { done } = await eachSourceFile(source).next();
      if (done === true) {
        throw invalidInput('holds no YAML or JSON', { file: source });
      }
    }
  }

  /** One source after the other: of many questions at once only one is being read for. @throws InvalidInputError */
  fillIn(input: JsonObject): Promise<JsonObject> {
    const filled = this.#turn.then(() => this.#filledIn(input));
    this.#turn = filled.catch(() => undefined);
    return filled;
  }

  async #filledIn(input: JsonObject): Promise<JsonObject> {
    const whole: JsonObject = { input };
    const left: (JsonObject | JsonValue[])[] = [whole];
    let bytes = 0;
    for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
      for (const [key, each] of Object.entries(holder)) {
        if (Array.isArray(each)) left.push(each);
        if (!isObject(each)) continue;
        const sourceKey = keys.find((one) => typeof own(each, one) === 'string');
        if (sourceKey === undefined) {
          left.push(each);
          continue;
        }
        const path = own(each, sourceKey) as string;
        const files = await this.#read(path);
        bytes += files.reduce((sum, file) => sum + file.bytes.length, 0);
        if (bytes > defaultLimits.maxBytes) throw tooLarge(path, bytes, defaultLimits.maxBytes);
        const value = contentOf(files, sourceKey, path, own(each, 'name'));
        if (Array.isArray(holder)) holder[Number(key)] = value;
        else defineOwn(holder, key, value);
      }
    }
    return own(whole, 'input') as JsonObject;
  }

  async #read(path: string): Promise<SourceFile[]> {
    for (const source of this.named) {
      const isNamed = path === source || (await isBelow(path, source));
      if (!isNamed) continue;
      // A link may be changed after it was looked at: what is opened is looked at again.
      const within = source.startsWith('git:') ? undefined : ((await realPathOf(source)) ?? source);
      return readSource(path, { within });
    }
    const known = this.named.length === 0 ? 'none was' : this.named.join(', ');
    throw invalidInput(`${path} was not named on the command line of olm-guard mcp (${known})`);
  }
}

/** Links count as what they lead to. */
async function isBelow(path: string, folder: string): Promise<boolean> {
  // Not a file of that name, but standard input.
  if (path === '-') return false;
  if (path.startsWith('git:') || folder.startsWith('git:')) {
    const start = folder.endsWith('/') || folder.endsWith(':') ? folder : `${folder}/`;
    const isWritten = path.startsWith(start) && !path.split(/[/:]/).includes('..');
    return isWritten && (await isInCommitFolder(path, folder));
  }
  const [inner, outer] = await Promise.all([path, folder].map(realPathOf));
  return inner !== undefined && outer !== undefined && isWithin(outer, inner);
}

/** Undefined for what is not there. */
function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** A path below the top of the repository is looked for from the working directory: in another folder. */
async function isInCommitFolder(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([openCommit(path), openCommit(folder)]);
  return outer.path === '' || inner.path.startsWith(`${outer.path}/`);
}

function contentOf(
  files: readonly SourceFile[],
  key: (typeof keys)[number],
  path: string,
  name: JsonValue | undefined,
): JsonValue {
  if (key === '$files') return contentsOf(files);
  const documents = files.flatMap(documentsIn);
  return key === '$documents' ? documents : oneOf(documents, path, name);
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
  throw invalidInput(`${path} has ${found.length} ${what}, not one${hint}`);
}
