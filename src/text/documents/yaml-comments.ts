/** The comments of a YAML text. */
import { LineStarts } from './place.js';
import { YamlDefect, YamlScanner } from './yaml-scanner.js';

export interface Comment {
  /** With its `#`. */
  readonly text: string;
  /** The line in the text, counted from 1. */
  readonly line: number;
  /** Whether nothing else is on its line. */
  readonly isAlone: boolean;
}

/** In order. Invalid YAML yields those before the error, JSON none. */
export function commentsIn(text: string): Comment[] {
  const scanner = new YamlScanner(text);
  try {
    while (scanner.peek().kind !== 'stream-end') scanner.skip();
  } catch (error) {
    if (!(error instanceof YamlDefect) && !(error instanceof RangeError)) throw error;
  }
  const lines = new LineStarts(text);
  return scanner.comments.map(({ start, end }) => {
    const { line, column } = lines.placeAt(start);
    const isAlone = text.slice(start - column + 1, start).trim() === '';
    return { text: text.slice(start, end), line, isAlone };
  });
}
