/** HTTPS to an API server with the credentials that a kubeconfig or a pod has. */
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import {
  type InvalidInputError,
  invalidInput,
  isObject,
  parseJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { ClusterError } from './view.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { didYouMean } from '../../text/nearest.js';

export interface RequestInit {
  /** Path and query. */
  readonly path: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** GET when it is left out. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: string;
  /** `application/json` when it is left out. */
  readonly contentType?: string;
  /** Larger answers are cut off; 256 MiB when it is left out. */
  readonly maxAnswerBytes?: number;
}

/** Answers larger than this are cut off: one page of a list is asked for in pieces long before. */
const defaultMaxAnswerBytes = 256 * 1024 * 1024;

export class Connection {
  private agent: Agent | undefined;
  private agentKey = '';
  /** Agents with earlier credentials, whose open requests are still answered. */
  private earlier: readonly Agent[] = [];
  private answered: { readonly at: number; readonly date: number } | undefined;

  private constructor(
    private readonly config: KubeConfig,
    private readonly server: URL,
  ) {}

  /** Nothing is sent yet. @throws InvalidInputError when it cannot be read or has no current context */
  static async fromKubeconfig(file: string, context?: string): Promise<Connection> {
    // Its index brings the types of every API and costs over a second; this costs a good part of one.
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
    const config = new KubeConfig();
    const text = (await readRegularFile(file)).toString('utf8');
    try {
      config.loadFromString(text);
      config.makePathsAbsolute(dirname(file));
    } catch (error) {
      throw notAKubeconfig(file, error);
    }
    if (context !== undefined) config.setCurrentContext(context);
    const server = config.getCurrentCluster()?.server;
    if (server === undefined) {
      const name = config.getCurrentContext();
      throw invalidInput(
        name === '' || name === undefined
          ? 'has no current context; set current-context'
          : `has no cluster for its context "${name}"${otherContexts(config, name)}`,
        { file },
      );
    }
    return new Connection(config, serverUrl(server, file));
  }

  /** Uses the pod's own service account. @throws InvalidInputError outside a pod */
  static async inCluster(): Promise<Connection> {
    const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
    const config = new KubeConfig();
    if (process.env['KUBERNETES_SERVICE_HOST'] === undefined) {
      throw invalidInput(
        '--in-cluster works in a pod only (KUBERNETES_SERVICE_HOST is not set); use --kubeconfig FILE',
      );
    }
    config.loadFromCluster();
    const server = config.getCurrentCluster()?.server ?? '';
    return new Connection(config, serverUrl(server));
  }

  /** A whole answer. @throws ClusterError for no answer and for every status but 200 and 201. */
  async read(init: RequestInit): Promise<Buffer<ArrayBuffer>> {
    return (await this.answer(init)).body;
  }

  /** Warnings that the API server and its webhooks add to an answer. @throws ClusterError as {@link read} does. */
  async warningsOf(init: RequestInit): Promise<string> {
    return String((await this.answer(init)).response.headers.warning ?? '');
  }

  private async answer(init: RequestInit) {
    const response = await this.open(init);
    const body = await collect(response, init);
    if (response.statusCode !== 200 && response.statusCode !== 201)
      throw statusError(response, body, init.path);
    return { response, body };
  }

  /** An object, or undefined where there is none. @throws ClusterError as {@link read} does. */
  async find(init: RequestInit): Promise<JsonObject | undefined> {
    try {
      const object = parseJson(await this.read(init));
      return isObject(object) ? object : undefined;
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** An answer as it arrives, for watches. @throws ClusterError like {@link read}. */
  async stream(init: RequestInit): Promise<IncomingMessage> {
    const response = await this.open(init);
    if (response.statusCode === 200) return response;
    throw statusError(response, await collect(response, init), init.path);
  }

  /** Milliseconds since 1970 by the clock of the API server where its answers carry a date, else by ours. */
  now(): number {
    if (this.answered === undefined) return Date.now();
    return this.answered.date + (performance.now() - this.answered.at);
  }

  close(): void {
    for (const agent of this.earlier) agent.destroy();
    this.agent?.destroy();
  }

  private async open({
    path,
    accept = 'application/json',
    signal,
    method = 'GET',
    body,
    contentType = 'application/json',
  }: RequestInit): Promise<IncomingMessage> {
    const sent = body === undefined ? {} : { 'content-type': contentType };
    const headers = { accept, 'user-agent': 'olm-guard', ...sent };
    const options: RequestOptions = { method, headers };
    try {
      await this.config.applyToHTTPSOptions(options);
    } catch (error) {
      throw new ClusterError(`the credentials cannot be used: ${messageOf(error)}`);
    }
    options.agent = this.agentFor(options);
    if (signal !== undefined) options.signal = signal;
    const base = this.server.href.replace(/\/$/, '');
    const url = new URL(base + path);
    // Reading a URL takes steps upwards, spelled in many ways, to wherever they lead.
    const [asked = ''] = path.split('?', 1);
    if (url.hash !== '' || url.pathname !== new URL(base).pathname.replace(/\/$/, '') + asked) {
      throw new ClusterError('the path of a request leads elsewhere: a name in it is none');
    }
    return this.send(url, options, body);
  }

  private send(
    url: URL,
    options: RequestOptions,
    body: string | undefined,
    isSecond = false,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const request = httpsRequest(url, options, (response) => {
        isAnswered = true;
        const date = Date.parse(response.headers.date ?? '');
        if (!Number.isNaN(date)) this.answered = { at: performance.now(), date };
        resolve(response);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The reader of the answer gets an error when it breaks off.
        if (isAnswered) return;
        // The server may have ended a connection that was kept, just as it was used again.
        const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
        if (isStale && options.method === 'GET' && !isSecond) {
          // Others that were kept may have ended with it: a connection of its own.
          resolve(this.send(url, { ...options, agent: false }, body, true));
          return;
        }
        reject(new ClusterError(`${this.server.host} does not answer: ${messageOf(error)}`));
      });
      request.end(body);
    });
  }

  /** One pool of connections for as long as the credentials stay the same. */
  private agentFor(options: RequestOptions): RequestOptions['agent'] {
    if (this.config.getCurrentCluster()?.proxyUrl !== undefined && this.agent === undefined) {
      return options.agent;
    }
    const { ca, cert, key, rejectUnauthorized, servername } = options;
    const agentKey = JSON.stringify([ca, cert, key].map(String));
    if (this.agent === undefined || this.agentKey !== agentKey) {
      this.retire();
      this.agentKey = agentKey;
      this.agent = new Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized, servername });
    }
    return this.agent;
  }

  /** Ends agents without a request; a watch goes on until the server ends it. */
  private retire(): void {
    const all = this.agent === undefined ? this.earlier : [...this.earlier, this.agent];
    const isUsed = (agent: Agent): boolean => Object.keys(agent.sockets).length > 0;
    for (const agent of all) if (!isUsed(agent)) agent.destroy();
    this.earlier = all.filter(isUsed);
  }
}

/** Without the parser's own words: they quote the file, which may hold a key. */
function notAKubeconfig(file: string, error: unknown): InvalidInputError {
  const mark: unknown = error instanceof Error && 'mark' in error ? error.mark : undefined;
  const line: unknown =
    typeof mark === 'object' && mark !== null && 'line' in mark ? mark.line : undefined;
  const place = typeof line === 'number' ? { file, line: line + 1 } : { file };
  const message = 'is not a kubeconfig that can be read; kubectl config view says more';
  return invalidInput(message, place);
}

function serverUrl(server: string, file?: string): URL {
  if (URL.canParse(server) && server.startsWith('https:')) return new URL(server);
  throw invalidInput(`names the server "${server}"; it must be an https:// URL`, { file });
}

async function collect(
  response: IncomingMessage,
  { path, maxAnswerBytes = defaultMaxAnswerBytes }: RequestInit,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxAnswerBytes) {
        const message = `the answer to ${path} is larger than ${maxAnswerBytes} bytes`;
        throw new ClusterError(message, undefined, { isTooLarge: true });
      }
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ClusterError) throw error;
    throw new ClusterError(`the answer to ${path} broke off: ${messageOf(error)}`);
  }
  return Buffer.concat(pieces);
}

function statusError(
  { statusCode = 0, headers }: IncomingMessage,
  body: Buffer,
  path: string,
): ClusterError {
  let said = body.toString('utf8').trim();
  let continueToken: unknown;
  try {
    const parsed = JSON.parse(said) as { message?: unknown; metadata?: { continue?: unknown } };
    if (typeof parsed.message === 'string') said = parsed.message;
    continueToken = parsed.metadata?.continue;
  } catch {
    // Proxies and terminating servers answer in plain text.
  }
  const short = said.length > 300 ? `${said.slice(0, 300)}…` : said;
  const after = Number(headers['retry-after'] ?? Number.NaN);
  // An API server answers the one word, to an expired token as to none.
  const why = statusCode === 401 ? ': the credentials are not valid, or have expired' : '';
  return new ClusterError(
    short === '' ? `${path} was answered with status ${statusCode}` : `${short}${why}`,
    statusCode,
    {
      ...(after >= 0 ? { afterSeconds: after } : {}),
      ...(typeof continueToken === 'string' && continueToken !== '' ? { continueToken } : {}),
    },
  );
}

/** `; it has admin, production`, or the one that was probably meant. */
function otherContexts(config: KubeConfig, asked: string): string {
  const names = config.getContexts().map(({ name }) => name);
  if (names.length === 0 || names.includes(asked)) return '';
  const few = names.slice(0, 10).join(', ');
  return didYouMean(asked, names) || `; it has ${few}${names.length > 10 ? ', …' : ''}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return 'no answer within the deadline';
  // A connection tried over several addresses fails with an AggregateError that says nothing itself.
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
