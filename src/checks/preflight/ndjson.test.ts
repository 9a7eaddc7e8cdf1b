import { expect } from 'chai';
import { parseJson } from '../../text/documents/index.js';
import { answerLines } from './ndjson.js';

async function answers(chunks: string[], maxBytes = 1_000_000): Promise<unknown[]> {
  const lines: unknown[] = [];
  async function* input(): AsyncGenerator<string> {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  for await (const line of answerLines(input(), { maxBytes })) lines.push(parseJson(line));
  return lines;
}

describe('preflight: NDJSON door', () => {
  it('answers a line that is not JSON with its number and goes on', async () => {
    expect(await answers(['{"id":1,', '"operation":"nope"}\n\n  \nnot json\n', '7'])).to.deep.equal(
      [
        {
          id: 1,
          operation: 'nope',
          error: { code: 'E_OPERATION', message: 'there is no operation "nope"' },
        },
        {
          id: null,
          error: {
            code: 'E_JSON',
            message: 'is not JSON: value expected',
            where: { line: 4, column: 1 },
          },
        },
        {
          id: null,
          error: { code: 'E_INPUT', message: 'a request must be an object', where: { path: '$' } },
        },
      ],
    );
  });

  it('drops a line past the limit and answers the next', async () => {
    const found = await answers([`{"id":1,"x":"${'a'.repeat(90)}`, '"}\n{"id":{"a":[1]}}\n'], 64);
    expect(found).to.deep.equal([
      {
        id: null,
        error: { code: 'E_LIMIT', message: 'the line is longer than 64 bytes', where: { line: 1 } },
      },
      {
        id: { a: [1] },
        error: {
          code: 'E_OPERATION',
          message: 'operation must be the name of an operation',
          where: { path: '$.operation' },
        },
      },
    ]);
  });

  it('answers nothing to empty input', async () => {
    expect(await answers([])).to.deep.equal([]);
  });
});
