/** The lines around a place of a definition, in whatever file it is written. */
import type { FoundCrd } from '../../upgrade/index.js';
import type { Place } from '../../text/documents/index.js';
import { codeFrames, framesInTurn, type CodeFrame } from '../../report/index.js';

export function framesOf({ document, written }: FoundCrd): (place: Place) => CodeFrame | undefined {
  if (written === undefined) {
    const frameAt = codeFrames(document);
    return ({ line }) => frameAt(line);
  }
  const frameAt = framesInTurn();
  return ({ file = '', line }) => frameAt({ text: written.textOf(file) ?? '', line: 1 }, line);
}
