/** `check crd --fix FILE`: writes the new definitions changed so that no object breaks, and says what it did. */
import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { collectCrds, type FoundCrd } from '../../../crd/collect.js';
import type { RefusedBound } from '../../../proof/fixes/add-bounds.js';
import type { Repair } from '../../../proof/fixes/repair.js';
import { InvalidInputError, parseDocuments, sameJson } from '../../../text/documents/index.js';
import { patchedText } from '../../../text/documents/patched-text.js';
import { writeRegularFile } from '../../../text/documents/regular-file.js';
import { readSource } from '../../../text/documents/sources.js';
import { say } from '../output.js';

export interface Repaired {
  readonly fresh: FoundCrd;
  readonly repair: Repair;
  /** Bounds that would make rules cheap enough, and are not written. */
  readonly refused?: readonly RefusedBound[];
}

/**
 * Writes every definition that a fix was found for, all into one file or each into one of its own in
 * a folder that is there (its own file, where that lies there), and tells standard error of each change and of what is left.
 *
 * @throws InvalidInputError for what cannot be written
 */
export async function writeFixes(file: string, repaired: readonly Repaired[]): Promise<void> {
  const changed = repaired.filter(({ repair }) => repair.fixes.length > 0);
  if (changed.length === 0) {
    tellFixes(repaired);
    say(`fix: nothing to change, ${file} is not written`);
    return;
  }
  const texts = changed.map(({ fresh: { document, path }, repair }) =>
    patchedText(
      // A definition inside a List is written by itself.
      path.length === 0 ? document : { text: '', format: document.format },
      repair.fixes.flatMap(({ patch }) => patch),
      repair.patched,
    ),
  );
  if (isFolder(file)) {
    const targets = await targetsIn(
      file,
      changed.map(({ fresh }) => fresh),
    );
    tellFixes(repaired);
    for (const [index, target] of targets.entries()) {
      const existed = existsSync(target);
      await writeRegularFile(target, texts[index] ?? '');
      say(`fix: ${existed ? 'replaced what was in' : 'wrote'} ${target}`);
    }
    return;
  }
  const existed = existsSync(file);
  await writeRegularFile(file, texts.length === 1 ? (texts[0] ?? '') : joined(texts));
  tellFixes(repaired);
  const count = `${changed.length} CustomResourceDefinition${changed.length === 1 ? '' : 's'}`;
  say(`fix: ${existed ? 'replaced what was in' : 'wrote'} ${file}: ${count}`);
}

/**
 * Where each definition goes: where the folder has it, so that no second one stands beside it and
 * says otherwise.
 *
 * @throws InvalidInputError for one that cannot be written there alone
 */
async function targetsIn(folder: string, definitions: readonly FoundCrd[]): Promise<string[]> {
  const held = await heldIn(folder);
  return definitions.map((fresh) => {
    const target = join(folder, `${fileNameOf(fresh)}.yaml`);
    const others = (held.get(fresh.name) ?? []).filter(({ file }) => !isSame(file, target));
    const [other, ...more] = others;
    if (other === undefined) return target;
    const { document, path, crd } = fresh;
    const isIts =
      more.length === 0 &&
      other.isAlone &&
      path.length === 0 &&
      isSame(other.file, document.file ?? '') &&
      sameJson(document.value, crd);
    if (isIts) return other.file;
    const message = `defines ${fresh.name} already, and a second one in ${folder} would say otherwise: name a file for the fixes, or another folder`;
    throw new InvalidInputError('E_INPUT', message, { file: other.file });
  });
}

interface Holder {
  readonly file: string;
  /** Whether it holds nothing else. */
  readonly isAlone: boolean;
}

/** By the names of definitions: the files of the folder that have one. */
async function heldIn(folder: string): Promise<ReadonlyMap<string, readonly Holder[]>> {
  const held = new Map<string, Holder[]>();
  for (const { file, bytes } of await readSource(folder)) {
    if (!bytes.includes('CustomResourceDefinition')) continue;
    try {
      const documents = parseDocuments(bytes, { file });
      const { crds } = collectCrds(documents);
      for (const name of crds.keys()) {
        const holder = { file, isAlone: documents.length === 1 };
        held.set(name, [...(held.get(name) ?? []), holder]);
      }
    } catch (error) {
      // What cannot be read defines nothing.
      if (!(error instanceof InvalidInputError)) throw error;
    }
  }
  return held;
}

function isSame(one: string, other: string): boolean {
  return relative(resolve(one), resolve(other)) === '';
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The definition's name, which somebody else wrote, where it is one that Kubernetes would take. */
function fileNameOf({ name }: FoundCrd): string {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) return name;
  throw new InvalidInputError('E_INPUT', 'is no name for a file; name a file for the fixes', {
    file: name,
  });
}

function tellFixes(repaired: readonly Repaired[]): void {
  for (const { fresh, repair, refused = [] } of repaired) {
    const about = (version: string | undefined): string =>
      [fresh.name, version ?? ''].filter((word) => word !== '').join(' ');
    for (const { title, trouble } of repair.fixes) {
      say(`fix: ${about(trouble.version)}: ${title}`);
    }
    for (const { title, version, path, reason } of refused) {
      say(
        `fix: ${about(version)}: not written: ${title}: objects at ${path} would break: ${reason}`,
      );
    }
    for (const { version, path } of repair.left) {
      say(`fix: ${about(version)}: no change was found that keeps objects at ${path}`);
    }
  }
}

function joined(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/^---\n/, '')).join('---\n');
}
