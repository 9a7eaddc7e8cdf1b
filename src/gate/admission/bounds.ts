/** Answers of a bounded size: installers store what the gate says in conditions of limited length. */

/** At most `maxBytes` of UTF-8, `more` included; a first line that is too long by itself is cut within. */
export function cutAtLine(
  text: string,
  maxBytes: number,
  more: (linesLeftOut: number) => string,
): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const lines = text.split('\n');
  const room = maxBytes - Buffer.byteLength(`\n${more(lines.length)}`);
  let used = -1;
  let kept = 0;
  for (const line of lines) {
    used += 1 + Buffer.byteLength(line);
    if (used > room) break;
    kept++;
  }
  const shown =
    kept > 0 ? lines.slice(0, kept).join('\n') : `${cutAtCharacter(lines[0] ?? '', room - 3)}…`;
  const leftOut = lines.length - Math.max(kept, 1);
  return leftOut === 0 ? shown : `${shown}\n${more(leftOut)}`;
}

/** At most `maxBytes` of UTF-8, never half a character. */
export function cutAtCharacter(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes);
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

const longestPath = 1024;

/** A path to be shown: names may be as long as the object, and nest as deep. */
export function shortPath(path: string): string {
  return path.length <= longestPath
    ? path
    : `${cutAtCharacter(path.slice(0, longestPath), longestPath)}…`;
}

/** A name as part of a command; what no API server would have let be one is not repeated there. */
export function shortName(name: string): string {
  return /^[a-z0-9][a-z0-9.:-]{0,252}$/i.test(name) ? name : 'NAME';
}

/** The API server drops warnings past 4096 characters in total, and then cuts each to 256. */
const warningCharacters = 4096;
const longWarning = 256;

/** One line each, and few enough that the API server passes on every one. */
export function boundWarnings(warnings: readonly string[]): string[] {
  const lines = warnings.map((warning) =>
    warning
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
  const single = [...new Set(lines)];
  const total = single.reduce((sum, warning) => sum + warning.length, 0);
  if (total <= warningCharacters) return single;
  const kept: string[] = [];
  let room = warningCharacters - 64;
  for (const warning of single) {
    const short = warning.length <= longWarning ? warning : `${warning.slice(0, longWarning - 1)}…`;
    if (short.length > room) break;
    room -= short.length;
    kept.push(short);
  }
  const left = single.length - kept.length;
  return left === 0 ? kept : [...kept, `and ${left} more warnings: see the log of olm-guard`];
}
