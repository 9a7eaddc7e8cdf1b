/**
 * A real kube-apiserver with its etcd, for one suite: on free ports, in a folder of its own, gone
 * when the suite is over. There are no controllers, no nodes and no garbage collector behind it.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePrograms } from './binaries.js';
import {
  atExit,
  freePorts,
  hasExited,
  lastLines,
  startProcess,
  stopProcess,
  until,
  type ServerProcess,
} from './processes.js';
import { kubeconfig, runKubectl, type KubectlOptions, type KubectlResult } from './kubectl.js';
import { send, type Answer } from './request.js';

/** Somebody who may talk to the server beside the administrator; RBAC says what they may do. */
interface TestUser {
  name: string;
  groups?: string[];
}

export interface ClusterOptions {
  users?: TestUser[];
  /** Further flags of kube-apiserver. */
  apiServerFlags?: string[];
  /** How many API servers share the etcd; one when it is left out. */
  apiServers?: number;
  /** What an API server takes for the address of etcd, for example of a proxy in front of it. */
  etcdUrlFor?: (apiServer: number, etcdUrl: string) => Promise<string>;
}

interface RequestOptions {
  contentType?: string;
  /** Name of one of the cluster's users; the administrator without it. */
  user?: string;
}

export interface ApiServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  request(
    method: string,
    path: string,
    body?: string | object,
    options?: RequestOptions,
  ): Promise<Answer>;
  /** Ends it at once and leaves etcd, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again (ending it first if need be), on the same port and data. */
  restart(): Promise<void>;
}

/** With the first of its API servers, or the only one. */
export interface TestCluster extends ApiServer {
  readonly apiServers: readonly ApiServer[];
  /** Bearer token of the administrator (system:masters). */
  readonly token: string;
  /** Where etcd speaks JSON over HTTP (`POST /v3/kv/…`). */
  readonly etcdUrl: string;
  readonly caFile: string;
  /** Has a context for each user, named like the user; the current one is `admin`. */
  readonly kubeconfigPath: string;
  /** A folder that is removed with the cluster. */
  readonly folder: string;
  tokenOf(user: string): string;
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>;
  /** Stops etcd where it stands, as a disk that hangs would, or lets it go on. */
  signalEtcd(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

/** Each definition makes the server write its OpenAPI anew, and a sixth of its time went to collecting garbage. */
const rareCollections = { GOGC: '400', GOMEMLIMIT: '1GiB' };

const administrator: Required<TestUser> = { name: 'admin', groups: ['system:masters'] };

/**
 * Resolves when the server is ready.
 *
 * @throws Error with the end of the server's log when it does not come up
 */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const paths = await ensurePrograms();
  const program = (name: 'etcd' | 'kube-apiserver' | 'kubectl'): string => paths.get(name) ?? name;

  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-cluster-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  const forgetFolder = atExit(removeFolder);

  const { apiServers: count = 1, etcdUrlFor = (_apiServer, at) => Promise.resolve(at) } = options;
  const [etcdPort = 0, ...ports] = await freePorts(1 + count);
  const urls = ports.map((port) => `https://127.0.0.1:${port}`);
  const [url = ''] = urls;
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const certificates = join(folder, 'certificates');
  const caFile = join(certificates, 'apiserver.crt');
  const kubeconfigPath = join(folder, 'kubeconfig');
  const users = [administrator, ...(options.users ?? [])];
  const tokens = new Map(users.map((user) => [user.name, randomBytes(16).toString('hex')]));
  const tokenOf = (user: string): string => {
    const token = tokens.get(user);
    if (token === undefined) throw new Error(`the cluster has no user ${user}`);
    return token;
  };

  mkdirSync(certificates);
  writeServiceAccountKeys(folder);
  const tokenLines = users.map(
    ({ name, groups = [] }) => `${tokenOf(name)},${name},${name},"${groups.join(',')}"\n`,
  );
  writeFileSync(join(folder, 'tokens.csv'), tokenLines.join(''));
  writeFileSync(kubeconfigPath, kubeconfig(url, caFile, tokens), {
    mode: 0o600,
  });

  const startApiServer = (port: number, store: string): ServerProcess =>
    startProcess(
      'kube-apiserver',
      program('kube-apiserver'),
      [
        `--etcd-servers=${store}`,
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        `--cert-dir=${certificates}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${join(folder, 'sa.pub')}`,
        `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
        '--service-cluster-ip-range=10.0.0.0/24',
        '--authorization-mode=RBAC',
        `--token-auth-file=${join(folder, 'tokens.csv')}`,
        '--disable-admission-plugins=ServiceAccount',
        ...(options.apiServerFlags ?? []),
      ],
      join(folder, port === ports[0] ? 'kube-apiserver.log' : `kube-apiserver-${port}.log`),
      { ...rareCollections, ...process.env },
    );

  const etcd = startProcess(
    'etcd',
    program('etcd'),
    [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      // It has no peers: any port.
      '--listen-peer-urls=http://127.0.0.1:0',
      '--unsafe-no-fsync',
    ],
    join(folder, 'etcd.log'),
  );

  const addApiServer = async (
    index: number,
  ): Promise<ApiServer & { ready: () => Promise<true> }> => {
    const port = ports[index] ?? 0;
    const own = urls[index] ?? '';
    const store = await etcdUrlFor(index, etcdUrl);
    let server = startApiServer(port, store);
    let agent = new Agent({ keepAlive: true });
    const request: ApiServer['request'] = async (
      method,
      path,
      body,
      { contentType = 'application/json', user = administrator.name } = {},
    ) => {
      const target = { url: own, ca: readFileSync(caFile, 'utf8'), token: tokenOf(user), agent };
      return send(target, method, path, body, contentType);
    };
    const ready = (): Promise<true> =>
      until(
        'kube-apiserver to be ready',
        async () => {
          for (const each of [etcd, server]) {
            if (hasExited(each)) throw new Error(`${each.name} ended:\n${lastLines(each)}`);
          }
          // Until then there is no certificate to trust, nobody listens, or a hook is still at work.
          return request('GET', '/readyz').then(
            (answer) => (answer.code === 200 ? true : undefined),
            () => undefined,
          );
        },
        { timeoutMs: 120_000, everyMs: 200 },
      );
    const kill = async (): Promise<void> => {
      agent.destroy();
      agent = new Agent({ keepAlive: true });
      await stopProcess(server, 'SIGKILL');
    };
    const restart = async (): Promise<void> => {
      await kill();
      server = startApiServer(port, store);
      await ready();
    };
    return { ...{ url: own, request, kill, restart }, ready };
  };

  const apiServers: ApiServer[] = [];
  const stop = async (): Promise<void> => {
    for (const each of apiServers) await each.kill();
    await stopProcess(etcd, 'SIGKILL');
    removeFolder();
    forgetFolder();
  };

  try {
    for (let index = 0; index < count; index++) {
      // One after the other: the first makes the certificate that all of them show.
      const { ready, ...added } = await addApiServer(index);
      apiServers.push(added);
      await ready();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const [first] = apiServers as [ApiServer];

  return {
    ...first,
    apiServers,
    token: tokenOf(administrator.name),
    etcdUrl,
    caFile,
    kubeconfigPath,
    folder,
    tokenOf,
    kubectl: (args, { stdin, user, cwd } = {}) => {
      const context = user === undefined ? [] : [`--context=${user}`];
      const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfigPath };
      return runKubectl(program('kubectl'), [...context, ...args], stdin ?? '', { env, cwd });
    },
    signalEtcd: (signal) => void etcd.child.kill(signal),
    stop,
  };
}

function writeServiceAccountKeys(folder: string): void {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  writeFileSync(join(folder, 'sa.pub'), publicKey);
  writeFileSync(join(folder, 'sa.key'), privateKey, { mode: 0o600 });
}
