/** Programs that make manifests of what a repository holds: `kubectl`, `kustomize`, `helm`. */
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import { runProgram } from '../../text/documents/program.js';

/** How long a program may take, which may fetch what a kustomization refers to. */
const longestMs = 120_000;
/** In bytes: one line of a template can ask for any amount. */
const maxMemory = 4 * 1024 ** 3;

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
  /** The rendered file or folder, for messages. */
  readonly file: string;
  /** Where it starts. */
  readonly cwd: string;
  readonly usesNetwork: boolean;
}

/**
 * The output of the first of these programs that this machine has; undefined where it has none.
 *
 * @param commands the program and its arguments, without a shell; names that a repository chose
 *   are behind `--`, else one such as `--post-renderer=./x` would be an option
 * @throws InvalidInputError `E_INPUT` with the last line of what it says when it fails, and `E_LIMIT`
 *   past a bound
 */
export async function render(
  commands: readonly (readonly [string, ...string[]])[],
  { file, cwd, usesNetwork }: Rendering,
): Promise<Buffer | undefined> {
  for (const [program, ...argv] of commands) {
    const answer = await runProgram(program, argv, {
      ...{ cwd, env: { ...environment, ...(usesNetwork ? online : offline) }, usesNetwork },
      ...{ maxBytes: defaultLimits.maxBytes, milliseconds: longestMs, maxMemory },
    });
    if (answer === undefined) continue;
    if (answer.code === 0) return answer.output;
    const said =
      answer.said
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
    const reason = answer.past === undefined ? said : bounds[answer.past];
    throw new InvalidInputError(
      answer.past === undefined ? 'E_INPUT' : 'E_LIMIT',
      `${program} cannot render it: ${reason === '' ? 'it gave no reason' : reason}; mend it, or render it yourself and name the result`,
      { file },
    );
  }
  return undefined;
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

/** Neither files of this machine nor keys of its user. */
const online = { GIT_ALLOW_PROTOCOL: 'git:http:https' };
