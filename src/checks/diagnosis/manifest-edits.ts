/** Texts of manifests with the changes that end findings. */
import { withFixes, type ManifestFix, type PlacedChange } from '../../upgrade/index.js';
import { stringifyJson, type Document, type JsonValue } from '../../text/documents/index.js';
import { editFile } from '../../text/documents/edit.js';
import type { WrittenValue } from '../../repository/index.js';

export interface ManifestEdit {
  readonly fix: ManifestFix;
  readonly written: WrittenValue;
}

/** Of two changes of one value the first counts. @param onRewritten hears of a text that loses its comments */
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
    const { offset } = written.document;
    const ofDocument = changes.get(offset) ?? [];
    ofDocument.push({ path: written.path, change: fix.change });
    changes.set(offset, ofDocument);
  }
  const values = new Map<Document, JsonValue>();
  for (const [offset, document] of documents) {
    values.set(document, withFixes(document.value, changes.get(offset) ?? []));
  }
  const { text, rewritten } = editFile(values);
  if (rewritten.length > 0) onRewritten();
  return text;
}
