/** Icons: whether the data is an image of the type it is said to be. opm leaves that check out. */
import { decodeBase64 } from '../../text/go/index.js';

export function iconProblem(base64data: string, mediaType: string): string | undefined {
  if (base64data === '' && mediaType === '') return undefined;
  if (base64data === '') return `the icon has the media type ${mediaType} and no data`;
  const actual = imageType(decodeBase64(base64data));
  if (actual === undefined)
    return 'the icon is no image that OLM knows (SVG, PNG, JPEG, GIF, WebP)';
  if (mediaType === '') return `the icon has no media type; it is ${actual}`;
  if (actual !== mediaType) return `the icon says it is ${mediaType}; it is ${actual}`;
  return undefined;
}

function imageType(data: Buffer): string | undefined {
  const start = data.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return /<svg[\s>]/i.test(data.toString('utf8', 0, 8192)) ? 'image/svg+xml' : undefined;
}
