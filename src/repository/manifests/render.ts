/** Programs that make manifests of what a repository holds: `kubectl`, `kustomize`, `helm`. */
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import { programIdentity, runProgram } from '../../text/documents/program.js';

/** How long a program may take, which may fetch what a kustomization refers to. */
const longestMs = 120_000;
/** In bytes: one line of a template can ask for any amount. */
const maxMemory = 4 * 1024 ** 3;

const limits = { maxBytes: defaultLimits.maxBytes, milliseconds: longestMs, maxMemory };

const bounds = {
  memory: `it takes more than ${maxMemory} bytes of memory`,
  size: `it prints more than ${defaultLimits.maxBytes} bytes`,
  time: `it takes more than ${longestMs / 1000} seconds`,
};

/** Helm's last line, below the reason. */
const hintOfHelm = /\s*\nUse --debug flag to render out invalid YAML$/;
/** Helm's error for a chart whose dependencies were not fetched, and its hint in fewer words. */
const missingCharts =
  /An error occurred while checking for chart dependencies\. .*, but missing in charts\/ directory: (.*)/;
/** Log messages of several lines are between `<` and `>`, and may quote a configuration. */
const endOfLog = /\s*\n\s*>$/;
const endOfQuote = /^\s*`:\s*/;
/** As Kubernetes' programs log an error, with the time and the number of their process. */
const loggedError = /^E\d{4} [\d:.]+ +\d+ \S+\] "command failed" err="(.*)"$/;

export interface Rendering {
  readonly file: string;
  readonly cwd: string;
  readonly usesNetwork: boolean;
}

/** The arguments of each program that render, and that print its version. */
const commands = {
  kustomize: { render: ['build'], version: ['version'] },
  kubectl: { render: ['kustomize'], version: ['version', '--client'] },
  helm: { render: ['template', '--include-crds'], version: ['version'] },
} as const;

export type RenderProgram = keyof typeof commands;

export interface InstalledProgram {
  readonly name: RenderProgram;
  /** Changes with each version of the program. */
  readonly identity: string;
}

const versions = new Map<string, Promise<string>>();

/** @param asksVersion for an identity that holds in later runs: the file may only start the program */
export async function installedProgram(
  names: readonly RenderProgram[],
  asksVersion: boolean,
): Promise<InstalledProgram | undefined> {
  for (const name of names) {
    const file = programIdentity(name);
    if (file === undefined) continue;
    if (!asksVersion) return { name, identity: file };
    const version = versions.get(file) ?? versionOf(name);
    versions.set(file, version);
    return { name, identity: `${file}\n${await version}` };
  }
  return undefined;
}

async function versionOf(name: RenderProgram): Promise<string> {
  const answer = await runProgram(name, commands[name].version, { ...limits, env: offlineOnly });
  return `${String(answer?.code)} ${answer?.output.toString('utf8') ?? ''}`;
}

/**
 * @param argv without a shell; names that a repository chose are behind `--`, else one such as
 *   `--post-renderer=./x` would be an option
 * @throws InvalidInputError `E_INPUT` with the last line of what it says when it fails, and `E_LIMIT`
 *   past a bound
 */
export async function render(
  { name }: InstalledProgram,
  argv: readonly string[],
  { file, cwd, usesNetwork }: Rendering,
): Promise<Buffer> {
  const env = usesNetwork ? { ...environment, ...online } : offlineOnly;
  const options = { ...limits, cwd, env, usesNetwork };
  const answer = await runProgram(name, [...commands[name].render, ...argv], options);
  if (answer?.code === 0) return answer.output;
  const said =
    (answer?.said ?? 'it is gone')
      .trim()
      .replace(hintOfHelm, '')
      .replace(endOfLog, '')
      .split('\n')
      .at(-1)
      ?.replace(/^error: /i, '')
      .replace(endOfQuote, '')
      .replace(
        missingCharts,
        'its dependencies ($1) are not in charts/: helm dependency build fetches them',
      )
      .replace(loggedError, (_, message: string) => message.replaceAll('\\"', '"')) ?? '';
  const reason = answer?.past === undefined ? said : bounds[answer.past];
  throw new InvalidInputError(
    answer?.past === undefined ? 'E_INPUT' : 'E_LIMIT',
    `${name} cannot render it: ${reason === '' ? 'it gave no reason' : reason}; mend it, or render it yourself and name the result`,
    { file },
  );
}

/** They are written in Go and end soon: to collect garbage takes two fifths of their time, and few ever need that much memory. */
const environment = {
  GOGC: 'off',
  GOMEMLIMIT: '512MiB',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** For Go's programs and the git that they call. */
const offline = {
  GIT_ALLOW_PROTOCOL: 'none',
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [
      name,
      // The discard port: nothing answers there. Go asks no proxy for what is on this machine.
      'http://127.0.0.1:9',
    ]),
  ),
};

const offlineOnly = { ...environment, ...offline };

/** Neither files of this machine nor keys of its user. */
const online = { GIT_ALLOW_PROTOCOL: 'git:http:https' };
