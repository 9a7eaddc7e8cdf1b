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

/** The page as it would be with today's answers. Throws when a command is killed or cannot start. */
export async function answeredPage(file: string): Promise<string> {
  const text = readFileSync(join(root, file), 'utf8');
  const commands = [...text.matchAll(block)].map(([, command = '']) => command);
  const answers = await Promise.all(commands.map(answer));
  return text.replace(
    block,
    (_, command: string) => `\`\`\`console\n$ olm-guard ${command}\n${answers.shift() ?? ''}\`\`\``,
  );
}

/** What the command prints, both streams in the order a terminal would most likely show them. */
async function answer(command: string): Promise<string> {
  const arguments_ = command.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join('dist', 'main.js'), ...arguments_],
      { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) => {
        // 1 is an answer: denied. 2 is a page that asks for what does not exist.
        if (error !== null && error.code !== 1) {
          reject(new Error(`olm-guard ${command}: ${stderr || error.message}`));
        } else resolve(stdout + stderr);
      },
    );
  });
}
