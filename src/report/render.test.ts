import { expect } from 'chai';
import { wantsColours } from './render.js';

describe('colours', () => {
  const rows: readonly (readonly [
    env: NodeJS.ProcessEnv,
    isTerminal: boolean,
    expected: boolean,
  ])[] = [
    [{}, true, true],
    [{}, false, false],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '1', TERM: 'dumb' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '' }, true, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
  ];
  for (const [env, isTerminal, expected] of rows) {
    it(`${JSON.stringify(env)} ${isTerminal ? 'at' : 'without'} a terminal`, () => {
      expect(wantsColours(env, isTerminal)).to.equal(expected);
    });
  }
});
