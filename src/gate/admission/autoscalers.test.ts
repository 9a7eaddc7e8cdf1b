/** Whose updates may list autoscalers, and when. */
import { expect } from 'chai';
import { Autoscalers } from './definition-consumers.js';
import type { AssessContext } from './reviewer.js';

const definition = { name: 'a.b', group: 'b', plural: 'a', kind: 'A' };

describe('Autoscalers', () => {
  it('are listed for another user while one asks again and again', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const find = (user: string): ReturnType<Autoscalers['find']> => {
      const list = (): Promise<never[]> => {
        asked.push(user);
        return new Promise((resolve) => answers.push(() => resolve([])));
      };
      const context = { view: { list }, asker: [user] };
      return autoscalers.find(definition, context as unknown as AssessContext);
    };
    const autoscalers = new Autoscalers();
    const found = ['one', 'one', 'one', 'other'].map(find);
    await new Promise(setImmediate);
    expect(asked).to.deep.equal(['one', 'other']);
    while (answers.length > 0) {
      answers.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (const each of await Promise.all(found)) expect(each).to.deep.equal({ objects: [] });
    expect(asked).to.deep.equal(['one', 'other', 'one', 'one']);
  });
});
