/**
 * Pages that show commands with their answers: every console block whose first line is
 * `$ olm-guard …` is run as built, from the root of the repository, and what follows that line is what the
 * command printed. Other console blocks (kubectl, a cluster) are left as they are.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const block = /^```console\n\$ olm-guard (.+)\n(?:[^`]|`(?!``))*?```$/gm;

/**
 * The page as it would be with today's answers.
 *
 * @param program from the root of the repository
 * @throws Error when a command is killed, or ends without an answer
 */
export async function answeredPage(file: string, program = 'dist/main.js'): Promise<string> {
  const text = readFileSync(join(root, file), 'utf8');
  const commands = [...text.matchAll(block)].map(([, command = '']) => command);
  const answers = await Promise.all(commands.map((command) => answer(program, command)));
  return text.replace(
    block,
    (_, command: string) => `\`\`\`console\n$ olm-guard ${command}\n${answers.shift() ?? ''}\`\`\``,
  );
}

/** What the command prints, both streams in the order a terminal would most likely show them. */
async function answer(program: string, command: string): Promise<string> {
  const arguments_ = command.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...arguments_],
      { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) => {
        // 1 is an answer: denied; but Node ends with it too, on standard error alone, where the program
        // cannot be loaded. 2 is a page that asks for what does not exist.
        if (error !== null && (error.code !== 1 || stdout === '')) {
          reject(new Error(`olm-guard ${command}: ${stderr || error.message}`));
        } else resolve(stdout + stderr);
      },
    );
  });
}
