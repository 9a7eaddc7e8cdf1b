/** A token that callers must send, from a file that is read again when it changes. */
import { timingSafeEqual } from 'node:crypto';
import { InvalidInputError, invalidInput } from '../../text/documents/index.js';
import type { Logger } from '../log.js';
import { watchFiles, type WatchOptions } from './watched-files.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { sha256 } from '../../text/platform.js';

export interface TokenSource {
  /** Whether the value of an Authorization header has the token. */
  readonly accepts: (authorization: string | undefined) => boolean;
  close(): void;
}

/** Shorter ones can be guessed by trying, which is worth a warning. */
const enoughCharacters = 16;

/** A later file without a token is logged, and the token in use stays. @throws InvalidInputError for the first */
export async function tokenFromFile(
  file: string,
  log: Logger,
  options: WatchOptions = {},
): Promise<TokenSource> {
  let expected = sha256(await readToken(file, log));
  const watching = await watchFiles(
    [file],
    async () => {
      try {
        expected = sha256(await readToken(file, log));
        log.info({ file }, 'token reloaded');
      } catch (error) {
        const reason = error instanceof InvalidInputError ? error.describe() : String(error);
        log.error({ file, reason }, 'token not reloaded; the one in use is kept');
      }
    },
    options,
  );
  return {
    accepts: (authorization = '') => {
      const sent = bearerToken(authorization) ?? '';
      // Digests have equal length, so that the time of a comparison reveals nothing.
      return timingSafeEqual(sha256(sent), expected);
    },
    close: () => watching.close(),
  };
}

export function bearerToken(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

async function readToken(file: string, log: Logger): Promise<string> {
  const text = (await readRegularFile(file)).toString('utf8').trim();
  if (!/^[\x21-\x7e]+$/.test(text)) {
    const message = 'holds no token; write one line of printable characters without spaces';
    throw invalidInput(message, { file });
  }
  if (text.length < enoughCharacters) log.warn({ file }, 'the token is short enough to be guessed');
  return text;
}
