/** Text that is safe inside XML and HTML, and numbers without noise. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters, which XML cannot hold at all, become a replacement character. */
export function escapeText(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

export function printable(text: string): string {
  return [...text].map((letter) => (isForbidden(letter) ? '\ufffd' : letter)).join('');
}

function isForbidden(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  return (
    (code < 0x20 && code !== 9 && code !== 10 && code !== 13) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code === 0xfffe ||
    code === 0xffff
  );
}

export function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
