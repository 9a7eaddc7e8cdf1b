/** Programs that make manifests of what a repository holds: `kubectl`, `kustomize`, `helm`. */
import { spawn } from 'node:child_process';
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';

/** How long a program may take: it may fetch what a kustomization or a chart refers to. */
const longestMs = 120_000;

/**
 * What the first of these programs that this machine has prints; undefined where it has none.
 *
 * @param commands the program and its arguments, without a shell
 * @throws InvalidInputError `E_INPUT` with the last line of what it says when it fails
 */
export async function render(
  commands: readonly (readonly [string, ...string[]])[],
  file: string,
  instead: string,
): Promise<Buffer | undefined> {
  for (const [program, ...argv] of commands) {
    const answer = await run(program, argv);
    if (answer === undefined) continue;
    if (answer.code === 0) return answer.output;
    const reason = answer.said.trim().split('\n').at(-1)?.replace(/^error: /i, '') ?? '';
    throw new InvalidInputError(
      'E_INPUT',
      `${program} cannot render it: ${reason === '' ? 'it gave no reason' : reason}; ${instead}`,
      { file },
    );
  }
  return undefined;
}

interface Answer {
  readonly code: number | null;
  readonly output: Buffer;
  readonly said: string;
}

async function run(program: string, argv: readonly string[]): Promise<Answer | undefined> {
  const child = spawn(program, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nobody is there to type a password for a remote base.
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
  });
  const pieces: Buffer[] = [];
  let size = 0;
  let said = '';
  child.stdout.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size <= defaultLimits.maxBytes) pieces.push(piece);
    else child.kill();
  });
  child.stderr.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-10_000);
  });
  const timer = setTimeout(() => child.kill(), longestMs);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') resolve(undefined);
        else reject(error);
      });
      child.on('close', (code) => {
        resolve({ code, output: Buffer.concat(pieces), said });
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
