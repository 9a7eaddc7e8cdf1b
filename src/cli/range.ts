/** `olm-guard range`: a version range in words, for both OLMs. */
import { Command } from 'commander';
import { InvalidInputError } from '../text/documents/index.js';
import { renderRange } from '../report/index.js';
import {
  InvalidVersionError,
  type Version,
  explainRange,
  parseVersion,
} from '../text/versions/index.js';
import { answerFormats, printAnswer, type AnswerFormat } from './output.js';
import { flags, withFlags } from './options/flags.js';

interface RangeOptions {
  readonly output: AnswerFormat;
}

export function rangeCommand(): Command {
  const command = new Command('range').description(
    'explain a version range in words, and where OLM v1 and OLM classic disagree',
  );
  return withFlags(command, {
    '<range>': 'e.g. ">=1.11, <1.13"',
    '[version]': 'a version to match, e.g. 1.12.4',
    ...flags.output(answerFormats),
  }).action(async (range: string, version: string | undefined, options: RangeOptions) => {
    const explanation = explainRange(range, version === undefined ? undefined : read(version));
    await printAnswer(explanation, options.output, renderRange);
    process.exitCode = explanation.masterminds.valid || explanation.blang.valid ? 0 : 2;
  });
}

function read(version: string): Version {
  try {
    return parseVersion(version);
  } catch (error) {
    if (!(error instanceof InvalidVersionError)) throw error;
    throw new InvalidInputError(
      'E_VERSION',
      `${JSON.stringify(version)} is not a version: ${error.message}`,
    );
  }
}
