/** Where the value that a finding is about is written, whatever has rendered it. */
import type { WrittenAt } from '../../upgrade/index.js';
import { sameJson, type Path, type Place } from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';
import type { WrittenValue, WrittenLine, ManifestObject } from '../../repository/index.js';
import type { CheckResult, FrameAt } from '../../report/index.js';

export interface WrittenFinding {
  readonly place: Place;
  /** The text around the place, with the line on which it begins. */
  readonly text: { readonly text: string; readonly line: number };
  readonly by?: string;
  /** The change that ends the finding, in a few words. */
  readonly fix?: string | undefined;
}

type WrittenObject = Pick<ManifestObject, 'object' | 'document' | 'path'> & {
  readonly applied: Pick<ManifestObject['applied'], 'places'>;
};

/** The same value in a text that can be changed; undefined for what a template or a program has made. */
export function writtenValue(
  { object, document, path, applied: { places } }: WrittenObject,
  keys: Path,
): WrittenValue | undefined {
  const found =
    places === undefined
      ? { document, path: [...path, ...keys] }
      : typeof places === 'function'
        ? undefined
        : places.find(object, keys);
  if (found === undefined) return undefined;
  const read = valueAt(found.document.value, ...found.path);
  const judged = valueAt(object, ...keys);
  const isSame = read !== undefined && judged !== undefined && sameJson(read, judged);
  return isSame && found.document.isOfFile ? found : undefined;
}

export function writtenAt(manifest: WrittenObject): WrittenAt {
  return (keys) => {
    const found = writtenValue(manifest, keys);
    if (found === undefined) return undefined;
    const members = found.document.tree?.trace(found.path) ?? [];
    const node = members.length > found.path.length ? members.at(-1)?.value : undefined;
    return node?.kind === 'scalar' ? { scalar: node.text } : {};
  };
}

export async function placeOf(manifest: ManifestObject, keys: Path): Promise<WrittenFinding> {
  const { object, document, path, template, applied } = manifest;
  const { places } = applied;
  const rendered = { place: document.placeOf([...path, ...keys]), text: document };
  if (places === undefined) return rendered;
  if (typeof places !== 'function') {
    const found = places.find(object, keys);
    if (found === undefined) return rendered;
    return { place: found.document.placeOf(found.path), text: found.document };
  }
  return inChart((await places()).find(object, keys, template)) ?? rendered;
}

export async function placeOfObject(manifest: ManifestObject): Promise<Place> {
  const { document, path, applied } = manifest;
  if (applied.places === undefined) return document.placeOf(path);
  return (await placeOf(manifest, ['metadata', 'name'])).place;
}

/** As a result has them, in the order of its findings; undefined for one that is nowhere. */
export function placesAndNotes(
  written: readonly (WrittenFinding | undefined)[],
  frameAt: FrameAt,
): Pick<CheckResult, 'places' | 'notes'> {
  return {
    places: written.map((each) => each?.place ?? {}),
    notes: written.map((each) => ({
      frame: each && frameAt(each.text, each.place.line),
      ...(each?.by !== undefined && { also: [each.by] }),
      ...(each?.fix !== undefined && { fix: each.fix }),
    })),
  };
}

function inChart(found: WrittenLine | undefined): WrittenFinding | undefined {
  const { at, value } = found ?? {};
  if (value !== undefined) {
    const { document, path } = value;
    const by = at && `written by ${at.file}:${at.line}`;
    return { place: document.placeOf(path), text: document, ...(by !== undefined && { by }) };
  }
  if (at === undefined) return undefined;
  return { place: { file: at.file, line: at.line, column: 1 }, text: { text: at.text, line: 1 } };
}
