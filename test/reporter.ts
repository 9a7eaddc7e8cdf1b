/** Mocha's own output for people, and the counts for test/run.ts in the file that OLM_GUARD_TEST_COUNTS names. */
import Mocha from 'mocha';
import { writeFileSync } from 'node:fs';

const { Base, Dot, Spec } = Mocha.reporters;
const { EVENT_RUN_END } = Mocha.Runner.constants;

/** Above this a line per test says less than a dot. Parallel runs do not know their tests beforehand. */
const linePerTestUpTo = 200;

export default class CountingReporter extends Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    // Its constructor subscribes it to the runner.
    void (runner.total === 0 || runner.total > linePerTestUpTo
      ? new Dot(runner, options)
      : new Spec(runner, options));
    runner.once(EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const file = process.env['OLM_GUARD_TEST_COUNTS'];
      if (file !== undefined) writeFileSync(file, JSON.stringify({ passes, failures, pending }));
    });
  }
}
