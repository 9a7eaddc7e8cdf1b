/** Public suites: what is answered otherwise is on a list with its reason, and the page says how many. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { conformancePage, page } from './page.js';
import { type Suite, tally, unexplained } from './suite.js';
import { regexpSuite, suites } from './suites.js';

function holds(suite: Suite): void {
  const counted = tally(suite);
  const { asked, same, different } = counted;
  expect(unexplained(suite, counted).join('\n')).to.equal('');
  const idle = suite.differences.filter(
    ({ questions }) => ![...different.keys()].some((name) => questions.test(name)),
  );
  expect(
    idle.map(({ because }) => because),
    'reasons without a question',
  ).to.deep.equal([]);
  expect(same, 'the same').to.be.greaterThan(0);
  expect(asked, 'asked').to.be.greaterThan(same - 1);
}

describe('public suites', () => {
  for (const suite of suites) it(suite.name, () => holds(suite)).timeout(120_000);

  it('RE2, by Go’s own tests', function () {
    this.timeout(120_000);
    const suite = regexpSuite();
    // They come with Go.
    if (suite === undefined) this.skip();
    holds(suite);
  });

  it('are told on the page as they are', () => {
    const text = readFileSync(page, 'utf8');
    // The version of Go is that of the machine.
    const ofAnyGo = (each: string): string => each.replaceAll(/ of go\d[^|]*\|/g, ' of Go |');
    expect(ofAnyGo(conformancePage(text))).to.equal(ofAnyGo(text));
  }).timeout(120_000);
});
