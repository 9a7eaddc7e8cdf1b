/** Answers of several parts for people: a blank line between them. */
import { visible } from '../text/visible.js';

/** Each line stays one line, whatever it holds. */
export function renderSections(sections: readonly (readonly string[])[]): string {
  return sections.map((lines) => lines.map((line) => `${visible(line)}\n`).join('')).join('\n');
}
