/** Texts in the fragment of an address, which no browser sends to a server. */
import type { Texts } from './judge-texts.js';

/** Characters of a fragment that browsers and chats still take. */
const longestFragment = 200_000;
/** Bytes that a fragment may unpack to: who sends a link chooses what is in it. */
const longestText = 8 * 1024 * 1024;

/** @throws RangeError for more than a link holds */
export async function fragmentOf(texts: Texts): Promise<string> {
  const packed = await bytesOf(
    new Blob([JSON.stringify(texts)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  );
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  const fragment = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (fragment.length > longestFragment) throw new RangeError('longer than a link can be');
  return fragment;
}

/** Undefined for what is no such fragment. */
export async function textsIn(fragment: string): Promise<Partial<Texts> | undefined> {
  if (fragment === '' || fragment.length > longestFragment) return undefined;
  try {
    const binary = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream();
    const bytes = await bytesOf(stream.pipeThrough(new DecompressionStream('deflate-raw')));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @throws RangeError for more than {@link longestText} */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > longestText) {
      await reader.cancel();
      throw new RangeError(`more than ${longestText} bytes`);
    }
    parts.push(new Uint8Array(value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
