/** One manifest of a custom resource under its definition, decided by the policy. */
import { addTo } from '../../text/group.js';
import {
  type WrittenAt,
  withFixes,
  type ManifestFix,
  type PlacedChange,
  judgeManifest,
  type FoundCrd,
  type ManifestSource,
} from '../../upgrade/index.js';
import {
  sameJson,
  type Path,
  type Place,
  stringifyJson,
  type Document,
  type JsonValue,
  metaOf,
  own,
  type JsonObject,
} from '../../text/documents/index.js';
import { valueAt } from '../../text/documents/fields.js';
import type { WrittenValue, WrittenLine, ManifestObject } from '../../repository/index.js';
import type { CheckResult, FrameAt } from '../../report/index.js';
import { editFile } from '../../text/documents/edit.js';
import type { TargetMinors } from '../../kubernetes/index.js';
import type { Verdict } from '../../rule/index.js';
import { check, type Policy } from '../../policy/index.js';
import { validators } from '../operations/custom-resources.js';

// Where the value that a finding is about is written, whatever has rendered it.

export interface WrittenFinding {
  readonly place: Place;
  /** The text around the place, with the line on which it begins. */
  readonly text: { readonly text: string; readonly line: number };
  readonly by?: string;
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

// The text of a manifest, edited so that findings end.

export interface ManifestEdit {
  readonly fix: ManifestFix;
  readonly written: WrittenValue;
}

/** If two changes are about one value, the first counts. @param onRewritten hears of a text that loses its comments */
export function editedText(edits: readonly ManifestEdit[], onRewritten: () => void): string {
  const byPlace = new Map<string, ManifestEdit>();
  const documents = new Map<number, Document>();
  for (const edit of edits) {
    const { document, path } = edit.written;
    // A base that several overlays take in is read for each of them.
    if (!documents.has(document.offset)) documents.set(document.offset, document);
    const place = stringifyJson([document.offset, ...path]);
    if (!byPlace.has(place)) byPlace.set(place, edit);
  }
  const changes = new Map<number, PlacedChange[]>();
  for (const { fix, written } of byPlace.values()) {
    addTo(changes, written.document.offset, { path: written.path, change: fix.change });
  }
  const values = new Map<Document, JsonValue>();
  for (const [offset, document] of documents) {
    values.set(document, withFixes(document.value, changes.get(offset) ?? []));
  }
  const { text, rewritten } = editFile(values);
  if (rewritten.length > 0) onRewritten();
  return text;
}

export interface CheckedManifest {
  readonly name: string;
  readonly verdict: Verdict;
  readonly unchecked: readonly string[];
}

interface Judging extends ManifestSource {
  readonly policy: Policy;
  readonly minors: TargetMinors;
}

/** @param old the definition before, where the manifest is judged as part of an upgrade */
export async function checkManifest(
  object: JsonObject,
  { name, crd }: FoundCrd,
  old: JsonObject | undefined,
  { policy, minors, ...source }: Judging,
): Promise<CheckedManifest> {
  const definitions = { crd: crd.document, old };
  const { findings, unchecked } = judgeManifest(object, definitions, validators, minors, source);
  const subject = { groups: [name.slice(name.indexOf('.') + 1)], name };
  const { verdict } = await check({ subject, findings }, policy);
  return { name: nameOf(object), verdict, unchecked };
}

function nameOf(object: JsonObject): string {
  const { namespace, name } = metaOf(object);
  const shown = name === '' ? generatedName(object) : name;
  return `${own(object, 'kind') as string} ${namespace === '' ? '' : `${namespace}/`}${shown}`;
}

/** A server makes the rest of the name when it creates the object. */
function generatedName(object: JsonObject): string {
  const prefix = valueAt(object, 'metadata', 'generateName');
  return typeof prefix === 'string' ? `${prefix}…` : '';
}
