/** The authority that signs API servers' client certificates: a file, read again when it changes. */
import { X509Certificate } from 'node:crypto';
import { InvalidInputError, invalidInput } from '../../../text/documents/index.js';
import { readRegularFile } from '../../../text/documents/regular-file.js';
import type { Logger } from '../../log.js';
import type { ChangeWatch } from '../../../text/documents/changes.js';
import { watchFiles, type WatchOptions } from '../watched-files.js';

export interface ClientAuthority {
  readonly current: string;
  /** Calls `use` with every later authority, until closed. */
  onChange(use: (authority: string) => void): Promise<void>;
  close(): void;
}

/** A later file without a certificate is logged and not used. @throws InvalidInputError `E_INPUT` for the first */
export async function clientAuthorityFromFile(
  file: string,
  log: Logger,
  options: WatchOptions = {},
): Promise<ClientAuthority> {
  const current = await readAuthority(file);
  let watching: ChangeWatch | undefined;
  return {
    current,
    async onChange(use) {
      watching = await watchFiles(
        [file],
        async () => {
          try {
            use(await readAuthority(file));
            log.info({ file }, 'client CA reloaded');
          } catch (error) {
            const reason = error instanceof InvalidInputError ? error.describe() : String(error);
            log.error({ reason }, 'client CA not reloaded; the one in use is kept');
          }
        },
        options,
      );
    },
    close: () => watching?.close(),
  };
}

/** PEM. @throws InvalidInputError `E_INPUT` */
export async function readAuthority(file: string): Promise<string> {
  const text = (await readRegularFile(file)).toString('utf8');
  try {
    new X509Certificate(text);
    return text;
  } catch {
    throw invalidInput('is not a PEM certificate', { file });
  }
}
