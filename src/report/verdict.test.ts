import { expect } from 'chai';
import type { Finding } from '../rule/finding.js';
import { capital, verdictOf } from './verdict.js';

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

describe('verdictOf', () => {
  const denied = (name: string) => ({
    name,
    output: {},
    places: [],
    verdict: {
      allowed: false,
      warnings: [],
      findings: [
        { rule: 'A', family: 'crd-upgrade-safety', severity: 'error', message: 'is wrong' },
      ],
    } as unknown as { allowed: false; warnings: []; findings: Finding[] },
  });
  const sentence = (...names: string[]): string =>
    verdictOf({ subject: 'Definitions', counts: {}, results: names.map(denied) }).sentence;

  it('names all that is denied', () => {
    expect(sentence('a')).to.equal('a is wrong');
    expect(sentence('a', 'b', 'c')).to.equal('a is wrong; denied: a, b, c');
    const many = Array.from({ length: 60 }, (_, index) => `definition${index}.example.com`);
    for (const name of many) expect(sentence(...many)).to.include(name);
  });
});
