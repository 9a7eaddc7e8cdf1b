/** Mocha's own output for people, and what test/run.ts sums up in the file that OLM_GUARD_TEST_RESULTS names. */
import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const { Base, Spec } = Mocha.reporters;
const {
  EVENT_HOOK_END,
  EVENT_RUN_END,
  EVENT_TEST_END,
  EVENT_TEST_FAIL,
  EVENT_TEST_PASS,
  EVENT_TEST_PENDING,
} = Mocha.Runner.constants;

/** Above this a line per test says too much. Parallel runs do not know their tests beforehand. */
const linePerTestUpTo = 200;
/** Of many tests a dot stands for so many: thousands of single ones cost as much as many a test. */
const testsPerDot = 100;

/** What became of the tests of one file. */
export interface FileResult {
  passes: number;
  pending: number;
  /** Of its tests and their hooks. */
  milliseconds: number;
  /** A line for each failed test: its whole title and the first line of the error. */
  failures: string[];
}

/** By file, from the folder that mocha runs in. */
export type Results = Record<string, FileResult>;

export default class SummingReporter extends Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    if (runner.total === 0 || runner.total > linePerTestUpTo) {
      let ended = 0;
      runner.on(EVENT_TEST_END, () => {
        if (++ended % testsPerDot === 0) process.stdout.write('.');
      });
      runner.once(EVENT_RUN_END, () => this.epilogue());
    } else {
      // Its constructor subscribes it to the runner.
      void new Spec(runner, options);
    }
    const results: Results = {};
    const of = ({ file = '' }: Mocha.Runnable): FileResult =>
      (results[file === '' ? '' : relative(process.cwd(), file)] ??= {
        ...{ passes: 0, pending: 0, milliseconds: 0, failures: [] },
      });
    for (const end of [EVENT_HOOK_END, EVENT_TEST_END]) {
      runner.on(end, (each: Mocha.Runnable) => (of(each).milliseconds += each.duration ?? 0));
    }
    runner.on(EVENT_TEST_PASS, (test) => (of(test).passes += 1));
    runner.on(EVENT_TEST_PENDING, (test) => (of(test).pending += 1));
    // What a parallel run's worker sends is no Error any more.
    runner.on(EVENT_TEST_FAIL, (test, error: { readonly message: string }) => {
      const [message = ''] = error.message.split('\n');
      of(test).failures.push(`${test.titlePath().join(' › ')}: ${message.slice(0, 200)}`);
    });
    runner.once(EVENT_RUN_END, () => {
      const file = process.env['OLM_GUARD_TEST_RESULTS'];
      if (file !== undefined) writeFileSync(file, JSON.stringify(results));
    });
  }
}
