/** Text that is safe inside XML and HTML, and numbers without noise. */
import { visibleLines } from '../../text/visible.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Lines of a tooltip stay lines; control characters, which XML cannot hold at all, are written out. */
export function escapeText(text: string): string {
  return visibleLines(text).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

export function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
