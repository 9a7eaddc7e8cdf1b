/** Programs that make manifests of what a repository holds: `kubectl`, `kustomize`, `helm`. */
import { defaultLimits, InvalidInputError } from '../../../text/documents/index.js';
import { withoutRepository } from '../../../text/documents/git-process.js';
import { runProgram } from '../../../text/documents/program.js';

/** How long a program may take: it may fetch what a kustomization or a chart refers to. */
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
/** Helm's error for a chart whose dependencies nobody fetched, and its hint in fewer words. */
const missingCharts =
  /An error occurred while checking for chart dependencies\. .*, but missing in charts\/ directory: (.*)/;
/** What they log in several lines is between `<` and `>`, and may quote a configuration. */
const endOfLog = /\s*\n\s*>$/;
const endOfQuote = /^\s*`:\s*/;
/** As Kubernetes' programs log an error, with the time and the number of their process. */
const loggedError = /^E\d{4} [\d:.]+ +\d+ \S+\] "command failed" err="(.*)"$/;

/**
 * What the first of these programs that this machine has prints; undefined where it has none.
 *
 * @param commands the program and its arguments, without a shell; names that a repository chose
 *   are behind `--`, else one such as `--post-renderer=./x` would be an option
 * @param env goes over the environment of this process
 * @throws InvalidInputError `E_INPUT` with the last line of what it says when it fails
 */
export async function render(
  commands: readonly (readonly [string, ...string[]])[],
  file: string,
  instead: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Buffer | undefined> {
  for (const [program, ...argv] of commands) {
    const answer = await runProgram(program, argv, {
      env: { ...environment(), ...env },
      maxBytes: defaultLimits.maxBytes,
      milliseconds: longestMs,
      maxMemory,
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
      'E_INPUT',
      `${program} cannot render it: ${reason === '' ? 'it gave no reason' : reason}; ${instead}`,
      { file },
    );
  }
  return undefined;
}

/**
 * They call git for remote bases, which a kustomization names. They are written in Go and end soon: to collect
 * garbage takes two fifths of their time, and few ever need that much memory.
 */
const environment = (): NodeJS.ProcessEnv => ({
  GOGC: 'off',
  GOMEMLIMIT: '512MiB',
  ...withoutRepository(),
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
});
