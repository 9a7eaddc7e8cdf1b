/** The API server shows its front proxy's certificate and names the user in a header. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ClusterError } from '../../../cluster/index.js';
import { objectAt, textAt } from '../../../text/documents/fields.js';
import { parseJson, invalidInput } from '../../../text/documents/index.js';
import type { Logger } from '../../log.js';
import type { ClientCertificates } from '../caller.js';
import { certificatesOf } from './authority.js';
import type { ClientAuthority } from './client-authority.js';

const configMap = 'ConfigMap kube-system/extension-apiserver-authentication';
const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

interface FrontProxy extends Required<ClientCertificates> {
  readonly authority: string;
}

export interface FrontProxyOptions {
  /** Between looks at the ConfigMap. */
  readonly roundMilliseconds?: number;
}

/** A later ConfigMap that cannot be used is logged, and what is in use is kept. @throws InvalidInputError */
export async function frontProxyClients(
  connection: Connection,
  log: Logger,
  { roundMilliseconds = 60_000 }: FrontProxyOptions = {},
): Promise<Required<ClientCertificates> & { readonly authority: ClientAuthority }> {
  let current = await readFrontProxy(connection);
  const closed = new AbortController();
  const { signal } = closed;

  async function follow(use: (authority: string) => void): Promise<void> {
    for (;;) {
      await sleep(roundMilliseconds, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const next = await readFrontProxy(connection);
        if (JSON.stringify(next) === JSON.stringify(current)) continue;
        const isRenewed = next.authority !== current.authority;
        current = next;
        if (isRenewed) use(next.authority);
        log.info({ file: configMap }, 'client CA reloaded');
      } catch (error) {
        log.error({ reason: String(error) }, 'client CA not reloaded; the one in use is kept');
      }
    }
  }

  return {
    get names() {
      return current.names;
    },
    get userHeaders() {
      return current.userHeaders;
    },
    authority: {
      current: current.authority,
      onChange(use) {
        void follow(use);
        return Promise.resolve();
      },
      close: () => closed.abort(),
    },
  };
}

/** @throws InvalidInputError where the cluster does not say how its API server shows itself */
export async function readFrontProxy(connection: Pick<Connection, 'find'>): Promise<FrontProxy> {
  const found = await connection
    .find({ path, signal: AbortSignal.timeout(10_000) })
    .catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.status !== 403) throw error;
      const rights = `${error.message}; the right is in manifests/components/aggregated-api`;
      throw invalidInput(rights);
    });
  const data = objectAt(found ?? {}, 'data') ?? {};
  const text = (key: string): string => textAt(data, key) ?? '';
  const authority = text('requestheader-client-ca-file');
  const userHeaders = listIn(text('requestheader-username-headers'));
  if (authority === '' || userHeaders.length === 0) {
    throw invalidInput(
      `${configMap} names no requestheader-client-ca-file: this API server serves no aggregated APIs`,
    );
  }
  const names = listIn(text('requestheader-allowed-names'));
  const users = certificatesOf(text('client-ca-file'));
  if (names.length === 0 && certificatesOf(authority).some((each) => users.includes(each))) {
    throw invalidInput(
      'the CA that signs certificates of users also signs those of the front proxy, and --requestheader-allowed-names of the API server is empty: anybody with a certificate could take its place',
    );
  }
  return { authority, userHeaders, names };
}

function listIn(json: string): string[] {
  if (json === '') return [];
  const parsed = parseJson(json);
  return Array.isArray(parsed)
    ? parsed.filter((each): each is string => typeof each === 'string' && each !== '')
    : [];
}
