/** kubectl as a person would use it against a test's API server. */
import { spawn } from 'node:child_process';

export interface KubectlOptions {
  stdin?: string;
  user?: string;
  cwd?: string;
}

export interface KubectlResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** The text of a kubeconfig with one context per user, named like the user; the first is the current one. */
export function kubeconfig(
  server: string,
  caFile: string,
  tokens: ReadonlyMap<string, string>,
): string {
  const names = [...tokens.keys()];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': caFile } }],
    users: names.map((name) => ({ name, user: { token: tokens.get(name) } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'test', user: name } })),
    'current-context': names[0],
  };
  return JSON.stringify(config, null, 2);
}

export async function runKubectl(
  program: string,
  args: readonly string[],
  stdin: string,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string | undefined },
): Promise<KubectlResult> {
  const child = spawn(program, args, { env, cwd });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  // kubectl may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? -1));
  });
  return { code, ...output };
}
