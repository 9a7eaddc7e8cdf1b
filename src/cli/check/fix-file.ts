/** `check crd --fix FILE`: writes the new definitions changed so that no object breaks, and says what it did. */
import { plural } from '../../text/plural.js';
import { firstNames } from '../../text/shortened.js';
import { addTo, groupBy } from '../../text/group.js';
import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve, basename, dirname, sep } from 'node:path';
import { collectCrds, type FoundCrd, manifestFixOf } from '../../upgrade/index.js';
import { InvalidInputError, invalidInput, parseDocuments } from '../../text/documents/index.js';
import { writeRegularFile, readRegularFile } from '../../text/documents/regular-file.js';
import { readSource } from '../../text/documents/sources.js';
import {
  notOffered,
  standsAsJudged,
  textAlone,
  textOf,
  type Repaired,
  type CheckedManifest,
  editedText,
  type ManifestEdit,
  writtenValue,
} from '../../checks/index.js';
import { printError } from '../output.js';
import { realpath } from 'node:fs/promises';
import type { ManifestObject } from '../../repository/index.js';

/**
 * Writes what a fix was found for: into a file all files of NEW that change, whole; into a folder that
 * is there each into its own file, where that lies in it, else each definition into one of its name. Tells
 * standard error of each change and of what is left.
 *
 * @param denied the rules that deny something
 * @throws InvalidInputError for what cannot be written
 */
export async function writeFixes(
  file: string,
  repaired: readonly Repaired[],
  denied: ReadonlySet<string>,
): Promise<void> {
  const changed = repaired.filter(({ repair }) => repair.fixes.length > 0);
  if (changed.length === 0) {
    printFixes(repaired);
    const [first] = denied;
    const why =
      first === undefined || repaired.length > 0
        ? 'nothing to change'
        : `a fix changes schemas, and none ends ${[...denied].join(', ')} (olm-guard explain ${first} says what does)`;
    printError(`fix: ${why}, ${file} is not written`);
    return;
  }
  if (isFolder(file)) {
    const targets = await textsInto(file, changed);
    printFixes(repaired);
    for (const [target, text] of targets) printError(await writeFix(target, text));
    return;
  }
  const text = joinedTexts(byFile(changed).map((each) => textOf(each, tellRewritten)));
  const written = await writeFix(file, text);
  printFixes(repaired);
  printError(`${written}: ${plural(changed.length, 'CustomResourceDefinition')}`);
}

async function writeFix(file: string, text: string): Promise<string> {
  const existed = existsSync(file);
  await writeRegularFile(file, text);
  return `fix: ${existed ? 'replaced what was in' : 'wrote'} ${file}`;
}

/** Changes of one file, as they are judged together, in the order of the first. */
function byFile(changed: readonly Repaired[]): Repaired[][] {
  const fileOf = (each: Repaired): unknown =>
    standsAsJudged(each.next) ? each.next.document.fileText : each;
  return [...groupBy(changed, fileOf).values()];
}

function tellRewritten(name: string): void {
  printError(
    `fix: ${name}: its text cannot be changed in place: written anew, without its comments`,
  );
}

/** A change goes into the file that has the definition already, so that no second one contradicts it. */
async function textsInto(
  folder: string,
  changed: readonly Repaired[],
): Promise<ReadonlyMap<string, string>> {
  const held = await heldIn(folder);
  const targets = new Map<string, string>();
  for (const each of byFile(changed)) {
    const [{ next }] = each as [Repaired];
    const own = held.get(next.name)?.find((file) => isSame(file, next.document.file ?? ''));
    if (own !== undefined && standsAsJudged(next)) {
      each.forEach((repaired) => refuseSecond(held, folder, repaired.next.name, own));
      targets.set(own, textOf(each, tellRewritten));
      continue;
    }
    for (const repaired of each) {
      const target = join(folder, `${fileNameOf(repaired.next)}.yaml`);
      refuseSecond(held, folder, repaired.next.name, target);
      targets.set(target, textAlone(repaired, tellRewritten));
    }
  }
  return targets;
}

/** @throws InvalidInputError where another file than the target defines it */
function refuseSecond(
  held: ReadonlyMap<string, readonly string[]>,
  folder: string,
  name: string,
  target: string,
): void {
  const other = held.get(name)?.find((file) => !isSame(file, target));
  if (other === undefined) return;
  const message = `defines ${name} already, and a second one in ${folder} would say otherwise: name a file for the fixes, or another folder`;
  throw invalidInput(message, { file: other });
}

/** By the names of definitions: the files of the folder that have one. */
async function heldIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const held = new Map<string, string[]>();
  for (const { file, bytes } of await readSource(folder)) {
    if (!bytes.includes('CustomResourceDefinition')) continue;
    try {
      const { crds } = collectCrds(parseDocuments(bytes, { file }));
      for (const name of crds.keys()) addTo(held, name, file);
    } catch (error) {
      // A file that cannot be read defines nothing.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return held;
}

function isSame(one: string, other: string): boolean {
  return relative(resolve(one), resolve(other)) === '';
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The definition's name, which is untrusted, where it is one that Kubernetes would take. */
function fileNameOf({ name }: FoundCrd): string {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) return name;
  throw invalidInput('is not a valid file name; pass --fix FILE', { file: name });
}

export function printFixes(repaired: readonly Repaired[]): void {
  for (const { next, repair, refused = [] } of repaired) {
    const about = (version: string | undefined): string =>
      [next.name, version ?? ''].filter((word) => word !== '').join(' ');
    for (const { title, trouble } of repair.fixes) {
      printError(`fix: ${about(trouble.version)}: ${title}`);
    }
    for (const { title, version, path, reason } of refused) {
      printError(
        `fix: ${about(version)}: not written: ${title}: objects at ${path} would break: ${reason}`,
      );
    }
    const left = new Map<string, string[]>();
    for (const { version, from = version, path, refused: tried, harm = [] } of repair.left) {
      const isChanged = repair.fixes.some(
        ({ trouble }) => trouble.version === version && trouble.path === path,
      );
      const sentence = isChanged
        ? 'after the changes above, objects still come to harm at'
        : 'no change was found that keeps objects at';
      const why = tried === undefined ? '' : `: ${notOffered(tried)}`;
      const still = isChanged && harm.length > 0 ? `: ${firstNames(harm)}` : '';
      const place = about(from === version ? version : `${from} -> ${version}`);
      const key = `${place}: ${sentence} #${still}${why}`;
      addTo(left, key, path);
    }
    for (const [sentence, paths] of left)
      printError(`fix: ${sentence.replace('#', () => firstNames(outermost(new Set(paths))))}`);
  }
}

function outermost(paths: ReadonlySet<string>): string[] {
  const isWithin = (path: string): boolean =>
    [...path.matchAll(/[.[]/g)].some(({ index }) => paths.has(path.slice(0, index)));
  return [...paths].filter((path) => !isWithin(path));
}

function joinedTexts([text = '', ...others]: readonly string[]): string {
  return others.reduce(
    (all, each) => `${all}${all.endsWith('\n') ? '' : '\n'}---\n${each.replace(/^---\r?\n/, '')}`,
    text,
  );
}

export class ManifestFixes {
  readonly #edits = new Map<string, ManifestEdit[]>();
  readonly #done = new Set<string>();

  add(manifest: ManifestObject, { name, verdict }: CheckedManifest): void {
    for (const finding of verdict.findings) {
      const fix = manifestFixOf(finding);
      const written = fix && writtenValue(manifest, fix.keys);
      if (fix === undefined || written === undefined) continue;
      const file = written.document.file ?? '';
      addTo(this.#edits, file, { fix, written });
      this.#done.add(`fix: ${name}: ${fix.title}`);
    }
  }

  /** Into a file all files that change, whole; into a folder that is there each into its own. */
  async write(target: string, judged: readonly string[]): Promise<void> {
    const texts = new Map<string, string>();
    for (const [file, edits] of this.#edits) {
      const rewritten = `fix: ${file}: its text cannot be changed in place: written anew, without its comments`;
      texts.set(
        file,
        editedText(edits, () => printError(rewritten)),
      );
    }
    if (texts.size === 0) {
      printError(`fix: nothing to change, ${target} is not written`);
    } else if (isFolder(target)) {
      for (const [file, edits] of this.#edits) await requireWithin(target, file, edits);
      this.#printDone();
      for (const [file, text] of texts) printError(await writeFix(file, text));
    } else {
      await this.#requireAlone(target, judged);
      const written = await writeFix(target, joinedTexts([...texts.values()]));
      this.#printDone();
      printError(`${written}: ${plural(texts.size, 'file')}`);
    }
  }

  /** The fix must not overwrite a file that was judged: it is written in place, where nothing else changes. */
  async #requireAlone(target: string, judged: readonly string[]): Promise<void> {
    const real = await realFile(target);
    for (const file of new Set([...judged, ...this.#edits.keys()])) {
      if ((await realFile(file)) !== real) continue;
      const edits = this.#edits.get(file);
      if (edits !== undefined && this.#edits.size === 1) await requireUnchanged(file, edits);
      else {
        const message = 'is one of the files that were judged: name their folder, or another file';
        throw invalidInput(message, { file: target });
      }
    }
  }

  #printDone(): void {
    for (const sentence of this.#done) printError(sentence);
  }
}

/** @throws InvalidInputError for a file that is not in the folder, or has another text by now */
async function requireWithin(
  folder: string,
  file: string,
  edits: readonly ManifestEdit[],
): Promise<void> {
  const way = relative(await realpath(folder), await realFile(file));
  if (way === '..' || way.startsWith(`..${sep}`)) {
    const message = `is not in ${folder}: name a folder that holds it, or a file for the fixes`;
    throw invalidInput(message, { file });
  }
  await requireUnchanged(file, edits);
}

/** In the folder that links lead to; the last name may be a link, which is not written through. */
async function realFile(file: string): Promise<string> {
  const folder = dirname(resolve(file));
  return join(await realpath(folder).catch(() => folder), basename(file));
}

async function requireUnchanged(file: string, [edit]: readonly ManifestEdit[]): Promise<void> {
  const text = (await readRegularFile(file)).toString('utf8');
  if (text === edit?.written.document.fileText) return;
  throw invalidInput('has changed since it was judged: check it again', { file });
}
