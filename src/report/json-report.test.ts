/** A document that is written while it becomes known. */
import { expect } from 'chai';
import type { CheckResult } from './check-report.js';
import { JsonReport } from './json-report.js';
import { render } from './render.js';

const result = (name: string): CheckResult => ({
  name,
  verdict: { allowed: true, findings: [], warnings: ['a\nb'] },
  output: { message: '', results: [] },
  places: [],
});

function started() {
  const pieces: string[] = [];
  const report = new JsonReport((text) => {
    pieces.push(text);
    return Promise.resolve();
  });
  return { pieces, report, parsed: () => JSON.parse(pieces.join('')) as unknown };
}

describe('JsonReport', () => {
  for (const names of [[], ['a'], ['a', 'b']]) {
    it(`writes ${names.length} results as they are written in one go`, async () => {
      const { pieces, report } = started();
      for (const name of names) await report.result(result(name));
      await report.end({ denied: 0 });
      const results = names.map(result);
      expect(pieces.join('')).to.equal(
        await render({ subject: '', results, counts: { denied: 0 } }, 'json'),
      );
    });
  }

  it('writes each object when it is found, in the result that follows', async () => {
    const { pieces, report, parsed } = started();
    await report.result(result('a'));
    for (let index = 0; index < 3; index++) {
      await report.object('b', { index });
      expect(pieces.at(-1)).to.include(`{"index":${index}}`);
    }
    await report.result(result('b'));
    await report.end({});
    expect(parsed()).to.deep.equal({
      results: [
        { ...result('a') },
        { ...result('b'), objects: [{ index: 0 }, { index: 1 }, { index: 2 }] },
      ],
      counts: {},
    });
  });

  it('ends with the error what it has begun, and begins nothing for one', async () => {
    const begun = started();
    await begun.report.object('a', { index: 0 });
    await begun.report.fail({ code: 'E_JSON' });
    expect(begun.parsed()).to.deep.equal({
      results: [{ name: 'a', objects: [{ index: 0 }] }],
      error: { code: 'E_JSON' },
    });
    const silent = started();
    await silent.report.fail({ code: 'E_JSON' });
    expect(silent.pieces).to.deep.equal([]);
  });
});
