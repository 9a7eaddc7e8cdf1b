/**
 * Checks the frames of the Language Server Protocol before its library reads them: that library waits for ever
 * after a length that cannot be one.
 */
import { Transform } from 'node:stream';
import { InvalidInputError } from '../../text/documents/index.js';
import { defaultLimits } from '../../text/documents/limits.js';

const longestHeader = 8_192;
/** A text in JSON is longer than it is itself. */
const longestMessage = 2 * defaultLimits.maxBytes;
const end = '\r\n\r\n';

/** Passes on what it reads. Ends with InvalidInputError where a message cannot be told from the next. */
export function checkedFrames(): Transform {
  let header = '';
  /** Bytes of the message that are still to come. */
  let left = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length;) {
          if (left > 0) {
            const taken = Math.min(left, chunk.length - at);
            left -= taken;
            at += taken;
            continue;
          }
          const before = header.length;
          header += chunk.toString('latin1', at, at + longestHeader);
          const found = header.indexOf(end);
          if (found < 0 && header.length < longestHeader) break;
          left = lengthIn(found < 0 ? '' : header.slice(0, found));
          at += found + end.length - before;
          header = '';
        }
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** @throws InvalidInputError */
function lengthIn(header: string): number {
  const lengths = header
    .split('\r\n')
    .flatMap((line) => /^content-length:(.*)$/i.exec(line)?.[1] ?? []);
  const [text = ''] = lengths;
  const length = /^ *\d{1,12} *$/.test(text) ? Number(text) : NaN;
  if (lengths.length === 1 && length <= longestMessage) return length;
  throw new InvalidInputError(
    'E_INPUT',
    `standard input is not the Language Server Protocol: each message begins with a Content-Length of at most ${longestMessage} bytes; start olm-guard lsp from an editor`,
  );
}
