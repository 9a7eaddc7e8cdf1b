/** Texts of definitions changed so that no object breaks. */
import type { FoundCrd, RefusedBound, Repair } from '../../upgrade/index.js';
import {
  sameJson,
  stringifyJson,
  writeYaml,
  type Document,
  type JsonValue,
} from '../../text/documents/index.js';
import { editDocument, editFile } from '../../text/documents/edit.js';
import { withValueAt } from '../../text/documents/fields.js';

export interface Repaired {
  readonly next: FoundCrd;
  readonly repair: Repair;
  /** Bounds that would make rules cheap enough, and are not written. */
  readonly refused?: readonly RefusedBound[];
}

/** The whole file or one definition; `onRewritten` hears of a text that loses its comments. */
export function textOf(changed: readonly Repaired[], onRewritten: (name: string) => void): string {
  const [first] = changed as readonly [Repaired];
  if (!standsAsJudged(first.next)) return textAlone(first, onRewritten);
  const documents = new Map<Document, JsonValue>();
  for (const { next, repair } of changed) {
    const before = documents.get(next.document) ?? next.document.value;
    documents.set(next.document, withValueAt(before, next.path, repair.patched));
  }
  const { text, rewritten } = editFile(documents);
  for (const { next } of changed) if (rewritten.includes(next.document)) onRewritten(next.name);
  return text;
}

export function textAlone(
  { next: { name, document, path, crd }, repair: { patched } }: Repaired,
  onRewritten: (name: string) => void,
): string {
  if (path.length > 0 || document.text === '' || !sameJson(document.value, crd.document)) {
    return document.format === 'json' ? `${stringifyJson(patched, 2)}\n` : writeYaml(patched);
  }
  const { text, isRewritten } = editDocument(document, patched);
  if (isRewritten) onRewritten(name);
  const isEnded = text.endsWith('\n') || !document.fileText.endsWith('\n');
  return isEnded ? text : `${text}\n`;
}

/** Not where patches of a kustomization or a cluster have made it what it is. */
export function standsAsJudged({ document, path, crd }: FoundCrd): boolean {
  let value: unknown = document.value;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return document.text !== '' && sameJson(value as JsonValue, crd.document);
}
