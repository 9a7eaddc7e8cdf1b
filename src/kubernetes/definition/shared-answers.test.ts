import { expect } from 'chai';
import { traitsOf, SharedAnswers } from './minors.js';

describe('SharedAnswers', () => {
  const [oldest, newest] = [traitsOf('1.29'), traitsOf('1.36')];

  it('gives minors one answer that agree in what it took', () => {
    const answers = new SharedAnswers<symbol>();
    const make = ({ toleratesSelectableFields }: typeof oldest): symbol =>
      Symbol(String(toleratesSelectableFields));
    const first = answers.of(oldest, make);
    expect(answers.of(traitsOf('1.30'), make)).to.equal(first);
    expect(answers.of(newest, make)).not.to.equal(first);
    expect(answers.of(oldest, make)).to.equal(first);
  });

  it('asks again where a trait differs that only one of the ways looks at', () => {
    const answers = new SharedAnswers<string>();
    const lazy = (traits: typeof oldest): string =>
      traits.knowsFirstAndLast ? `new ${traits.celGo}` : 'old';
    expect(answers.of(traitsOf('1.33'), lazy)).to.equal('new v0.23.2');
    expect(answers.of(newest, lazy)).to.equal('new v0.26.0');
    expect(answers.of(oldest, lazy)).to.equal('old');
    expect(answers.of(traitsOf('1.35'), lazy)).to.equal('new v0.26.0');
  });
});
