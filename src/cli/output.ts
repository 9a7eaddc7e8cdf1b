/**
 * The one way out: standard output and standard error of every command.
 *
 * Names and messages hold what others wrote, and the reader may be a terminal, which obeys
 * control characters, or a CI runner, which obeys lines. Neither is sent a command that is not ours.
 */
import { once } from 'node:events';
import { load } from 'js-yaml';
import { stringifyJson, writeYaml } from '../text/documents/index.js';
import { shortened } from '../text/shortened.js';
import { visible, visibleJson, visibleLines } from '../text/visible.js';
import { duration, formatCount } from '../text/plural.js';

export type Form = 'lines' | 'coloured lines' | 'json' | 'yaml' | 'markup' | 'github';

const forms: Readonly<Record<string, Form>> = {
  json: 'json',
  sarif: 'json',
  yaml: 'yaml',
  junit: 'markup',
  svg: 'markup',
  html: 'markup',
  github: 'github',
};

/** The form of an output format, by its name on the command line. */
export function formOf(format: string): Form {
  return forms[format] ?? 'lines';
}

/** Has the process end with 2 when its output cannot be written: 0 or 1 would say that there is a verdict to read. */
export function watchStreams(): void {
  process.stdout.on('error', (error: Error) => {
    // A closed pipe does not change the verdict.
    if (isReaderGone(error)) return;
    printError(`olm-guard: standard output cannot be written: ${error.message}`);
    process.exit(2);
  });
  // Nothing can be written; the exit code still says it.
  process.stderr.on('error', () => undefined);
}

/** Settles when the reader has caught up, or has gone: what is judged still decides the exit code. */
export async function print(text: string, form: Form = 'lines'): Promise<void> {
  if (process.stdout.write(guarded(text, form))) return;
  try {
    await once(process.stdout, 'drain');
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  }
}

export const answerFormats = ['text', 'json', 'yaml'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

export async function printAnswer<Answer>(
  answer: Answer,
  format: AnswerFormat,
  renderText: (answer: Answer) => string,
): Promise<void> {
  const text =
    format === 'text'
      ? renderText(answer)
      : format === 'yaml'
        ? writeYaml(answer)
        : `${stringifyJson(answer, 2)}\n`;
  await print(text, formOf(format));
}

export function printError(sentence: string): void {
  showProgress('');
  process.stderr.write(`${guarded(shortened(visible(sentence), longestSentence), 'lines')}\n`);
}

export function sayLines(text: string): void {
  showProgress('');
  process.stderr.write(guarded(text, 'lines'));
}

let isProgressShown = false;

/** Replaces the line that was shown before. An empty text wipes it, as the next output does. */
export function showProgress(line: string): void {
  if (line === '' && !isProgressShown) return;
  isProgressShown = line !== '';
  process.stderr.write(`\r\u001b[K${visible(line)}`);
}

const longestSentence = 1000;

/** Our own colours, which `styleText` writes. */
// eslint-disable-next-line no-control-regex -- they begin with one
const colour = /(\u001b\[(?:[12]|22|3[1-36]|39)m)/;

/**
 * Commands of CI runners. GitHub's and its kin take `::name::` at the beginning of a line, blanks
 * aside, and `##[name]` anywhere; Azure Pipelines `##vso[`, TeamCity `##teamcity[`.
 */
const lineCommand = /^(\s*):(?=:)/gm;
const inlineCommand = /#(?=#(?:vso|teamcity)?\[)/gi;

/** Returns the text in a form that is safe to send. */
export function guarded(text: string, form: Form): string {
  switch (form) {
    case 'json':
      return visibleJson(text).replaceAll(inlineCommand, '\\u0023');
    case 'yaml': {
      // JSON is YAML too, and can write everything out without meaning something else.
      if (guarded(text, 'lines') === text) return text;
      return guarded(`${JSON.stringify(load(text), undefined, 2)}\n`, 'json');
    }
    case 'markup':
      return withoutCommands(visibleLines(text), { colon: '&#58;', hash: '&#35;' });
    case 'github':
      return visibleLines(text)
        .split('\n')
        .map((line) => (ownCommand.test(line) ? withoutInline(line) : withoutCommands(line)))
        .join('\n');
    case 'coloured lines':
      return withoutCommands(
        text
          .split(colour)
          .map((part, index) => (index % 2 === 1 ? part : visibleLines(part)))
          .join(''),
      );
    case 'lines':
      return withoutCommands(visibleLines(text));
  }
}

/** Commands of our own annotations. */
const ownCommand = /^::(?:error|warning|notice) /;
const writtenOut = { colon: '\\x3a', hash: '\\x23' };

function withoutCommands(text: string, { colon, hash } = writtenOut): string {
  return withoutInline(
    text.replaceAll(lineCommand, (_, blanks: string) => blanks + colon),
    hash,
  );
}

function withoutInline(text: string, hash = writtenOut.hash): string {
  return text.replaceAll(inlineCommand, hash);
}

/** Whether a write failed because its reader is gone. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/** With its stack: bad input never comes here. */
export function printInternalError(error: unknown): void {
  const defect = error instanceof Error ? (error.stack ?? error.message) : String(error);
  sayLines(`olm-guard: a defect of olm-guard itself, please report it: ${defect}\n`);
}

/** Resolves with the first signal to stop; until then the process goes on. */
export function terminationSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

export interface Progress {
  /** @param total zero where it is not known */
  readonly update: (done: number, total: number) => void;
  /** Wipes the line. */
  readonly stop: () => void;
}

interface ProgressOptions {
  readonly size?: number;
  /** Where there is no terminal, milliseconds between lines; none are printed by default. */
  readonly betweenLines?: number;
  readonly now?: () => number;
}

/** Work that takes less than this needs no progress. */
const quietMilliseconds = 500;
const betweenMilliseconds = 100;
const width = 30;

/** @param what plural noun: `widgets` */
export function startProgress(
  what: string,
  { size = 1, betweenLines = Infinity, now = Date.now }: ProgressOptions = {},
): Progress {
  const { isTTY } = process.stderr;
  const start = now();
  let last = isTTY ? start + quietMilliseconds - betweenMilliseconds : start;
  let first: number | undefined;
  const number = (value: number): string => formatCount(Math.round(value / size));
  return {
    update(done, total) {
      const time = now();
      // A run that goes on has not done all of it itself.
      first ??= done;
      if (time - last < (isTTY ? betweenMilliseconds : betweenLines)) return;
      last = time;
      const perSecond = ((done - first) * 1000) / Math.max(time - start, 1);
      const left = Math.ceil((total - done) / perSecond);
      const end = perSecond > 0 && total > 0 ? `, ${duration(left)} left` : '';
      const of = total > 0 ? ` of ${number(total)}` : '';
      const sentence = `${number(done)}${of} ${what}, ${number(perSecond)}/s${end}`;
      const full = Math.round((width * done) / Math.max(done, total, 1));
      const bar = total > 0 ? `[${'='.repeat(full)}${' '.repeat(width - full)}] ` : '';
      if (isTTY) showProgress(`${bar}${sentence}`);
      else printError(`olm-guard: ${sentence}`);
    },
    stop: () => showProgress(''),
  };
}
