/** Where a check's results go: JSON as they come, every other format in one go at the end. */
import {
  type CheckReport,
  type CheckResult,
  JsonReport,
  render,
  wantsColours,
  type RenderOptions,
} from '../report/index.js';
import { formOf, print } from './output.js';

interface AboutRun extends Pick<
  CheckReport,
  'warnings' | 'unchecked' | 'comparedWith' | 'skipped' | 'closing'
> {
  /** Whether it ends with exit code 2 for what is unchecked. */
  readonly isFailure?: boolean;
}

export interface ReportOutput {
  result(result: CheckResult): Promise<void>;
  end(counts: CheckReport['counts'], about?: AboutRun): Promise<void>;
  /** Ends the output so far in a way that can be read. */
  fail(error: object): Promise<void>;
  /** One object that the next result is about; only where results are reported one by one. */
  object?(name: string, object: object): Promise<void>;
}

/** @param subject plural noun for a closing line */
export function startReport(
  subject: string,
  format: string,
  listing: Pick<RenderOptions, 'isAllListed'> = {},
): ReportOutput {
  if (format === 'json') return new JsonReport((text) => print(text, 'json'));
  const results: CheckResult[] = [];
  return {
    result: (result) => {
      results.push(result);
      return Promise.resolve();
    },
    end: async (counts, { isFailure = false, ...about } = {}) => {
      const colours = format === 'text' && wantsColours();
      const failed = isFailure ? { failed: {} } : {};
      const report = { subject, results, ...about, ...failed, counts, command: typed() };
      const text = await render(report, format, { colours, ...listing });
      await print(text, colours ? 'coloured lines' : formOf(format));
    },
    fail: () => Promise.resolve(),
  };
}

/** The command as it can be pasted, for an answer on the terminal. */
function typed(): string {
  const words = process.argv.slice(2);
  const at = words.findIndex((word) => word === '-o' || word === '--output');
  if (at >= 0) words.splice(at, 2);
  const quoted = words
    .filter((word) => !/^(-o|--output=)/.test(word))
    .map((word) => (/^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return ['olm-guard', ...quoted].join(' ');
}
