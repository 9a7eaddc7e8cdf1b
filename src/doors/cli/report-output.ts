/** Where a check's results go: JSON as they come, every other format in one go at the end. */
import { once } from 'node:events';
import type { CheckReport, CheckResult } from '../report/check-report.js';
import { JsonReport } from '../report/json-report.js';
import { render, wantsColours } from '../report/render.js';
import { isReaderGone } from './reader-gone.js';

export interface ReportOutput {
  result(result: CheckResult): Promise<void>;
  end(counts: CheckReport['counts']): Promise<void>;
  /** What has been written so far is ended in a way that can be read. */
  fail(error: object): Promise<void>;
  /** One object that the next result is about; only where results are told one by one. */
  object?(name: string, object: object): Promise<void>;
}

/** @param subject plural noun for a closing line */
export function startReport(subject: string, format: string): ReportOutput {
  if (format === 'json') return new JsonReport(toStandardOutput);
  const results: CheckResult[] = [];
  return {
    result: (result) => {
      results.push(result);
      return Promise.resolve();
    },
    end: (counts) =>
      toStandardOutput(render({ subject, results, counts }, format, { colours: wantsColours() })),
    fail: () => Promise.resolve(),
  };
}

/** Settles when the reader has caught up, or has gone: what is judged still decides the exit code. */
async function toStandardOutput(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  try {
    await once(process.stdout, 'drain');
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  }
}
