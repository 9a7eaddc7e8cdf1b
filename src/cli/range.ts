/** `olm-guard range`: a version range in words, for both OLMs. */
import { Argument, Command } from 'commander';
import { InvalidInputError } from '../text/documents/index.js';
import { renderRange } from '../report/index.js';
import {
  InvalidVersionError,
  type Version,
  explainRange,
  parseVersion,
} from '../text/versions/index.js';
import { answerFormats, printAnswer, type AnswerFormat } from './output.js';
import { outputOption } from './options/option-values.js';

interface RangeOptions {
  readonly output: AnswerFormat;
}

export function rangeCommand(): Command {
  return new Command('range')
    .description('explain a version range in words, and where OLM v1 and OLM classic disagree')
    .addArgument(new Argument('<range>', 'e.g. ">=1.11, <1.13"'))
    .addArgument(new Argument('[version]', 'a version to match, e.g. 1.12.4'))
    .addOption(outputOption(answerFormats))
    .addHelpText('after', '\nExit code: 0 valid, 2 not valid.')
    .action(async (range: string, version: string | undefined, options: RangeOptions) => {
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
