import { expect } from 'chai';
import { capital } from './verdict.js';

describe('capital', () => {
  for (const [text, sentence] of [
    ['the field is gone', 'The field is gone'],
    ['channel stable: the head moves', 'Channel stable: the head moves'],
    ['', ''],
    ['spec.replicas: Invalid value', 'spec.replicas: Invalid value'],
    ['volumes[0].name: Required value', 'volumes[0].name: Required value'],
  ] as const) {
    it(`makes of "${text}": "${sentence}"`, () => {
      expect(capital(text)).to.equal(sentence);
    });
  }
});
