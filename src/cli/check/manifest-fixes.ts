import { plural } from '../../text/plural.js';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { invalidInput } from '../../text/documents/index.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import {
  type CheckedManifest,
  editedText,
  type ManifestEdit,
  writtenValue,
} from '../../checks/index.js';
import { manifestFixOf } from '../../upgrade/index.js';
import type { ManifestObject } from '../../repository/index.js';
import { printError } from '../output.js';
import { isFolder, joinedTexts, writeFix } from './fix-file.js';

export class ManifestFixes {
  readonly #edits = new Map<string, ManifestEdit[]>();
  readonly #done = new Set<string>();

  add(manifest: ManifestObject, { name, verdict }: CheckedManifest): void {
    for (const finding of verdict.findings) {
      const fix = manifestFixOf(finding);
      const written = fix && writtenValue(manifest, fix.keys);
      if (fix === undefined || written === undefined) continue;
      const file = written.document.file ?? '';
      const ofFile = this.#edits.get(file) ?? [];
      ofFile.push({ fix, written });
      this.#edits.set(file, ofFile);
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
  throw invalidInput('has changed since it was judged: check it again', {
    file,
  });
}
