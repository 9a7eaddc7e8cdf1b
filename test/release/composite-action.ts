/** Runs a composite action as GitHub's runner does: its own bash, files for outputs and summary, expressions. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { load } from 'js-yaml';

interface Action {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly outputs: Record<string, { readonly value: string }>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}

interface Ran {
  /** Of the first step that failed, or 0. */
  readonly code: number | null;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Record<string, string>;
  /** Actions of others, which are not run: what they set up is there. */
  readonly uses: readonly string[];
}

/**
 * @param folder the action's own, with action.yml
 * @param workspace where it runs
 * @param runner a folder of the runner, for its files
 */
export function runCompositeAction(
  folder: string,
  workspace: string,
  runner: string,
  given: Record<string, string>,
  env: NodeJS.ProcessEnv,
): Ran {
  const action = load(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action;
  if (action.runs.using !== 'composite') throw new Error('not a composite action');
  const unknown = Object.keys(given).filter((name) => action.inputs[name] === undefined);
  if (unknown.length > 0) throw new Error(`unexpected inputs: ${unknown.join(', ')}`);
  mkdirSync(runner, { recursive: true });
  const github = { token: 'none', base_ref: 'main', event: {} };
  const inputs: Record<string, string> = {};
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const evaluated = (text: string): string =>
    text.replaceAll(/\$\{\{(.*?)\}\}/g, (_all, expression: string) =>
      evaluate(expression, { github, inputs, steps }),
    );
  for (const [name, { default: other = '' }] of Object.entries(action.inputs))
    inputs[name] = given[name] ?? evaluated(other);

  const file = (name: string): string => {
    const path = join(runner, name);
    writeFileSync(path, '', { flag: 'a' });
    return path;
  };
  const summary = file('summary');
  let log = '';
  let code: number | null = 0;
  const uses: string[] = [];
  for (const [at, step] of action.runs.steps.entries()) {
    if (step.uses !== undefined) uses.push(step.uses);
    if (step.run === undefined) continue;
    if (step.shell !== 'bash') throw new Error('a step of a composite action names its shell');
    const script = file(`${at}.sh`);
    writeFileSync(script, evaluated(step.run));
    const output = file(`output-${at}`);
    const own: NodeJS.ProcessEnv = {};
    for (const [name, value] of Object.entries(step.env ?? {})) own[name] = evaluated(value);
    const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: workspace,
      encoding: 'utf8',
      env: {
        ...env,
        ...own,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: folder,
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
      },
    });
    log += `${ran.stdout}${ran.stderr}`;
    const outputs: Record<string, string> = {};
    for (const [, name = '', value = ''] of readFileSync(output, 'utf8').matchAll(
      /^([^=]+)=(.*)$/gm,
    ))
      outputs[name] = value;
    if (step.id !== undefined) steps[step.id] = { outputs };
    code = ran.status;
    if (code !== 0) break;
  }
  const outputs: Record<string, string> = {};
  for (const [name, { value }] of Object.entries(action.outputs)) outputs[name] = evaluated(value);
  return { code, log, summary: readFileSync(summary, 'utf8'), outputs, uses };
}

/** GitHub's expressions are JavaScript's, but that what is absent is empty all the way down. */
export function evaluate(expression: string, contexts: Record<string, unknown>): string {
  // Names may have hyphens.
  const optional = expression.replaceAll(/(?<=[\w-])\.([A-Za-z_][\w-]*)/g, "?.['$1']");
  const text = `String((${optional}) ?? '')`;
  return runInNewContext(text, contexts) as string;
}
