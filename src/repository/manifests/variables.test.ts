import { expect } from 'chai';
import { InvalidInputError } from '../../text/documents/index.js';
import { substituted } from './variables.js';

describe('variables of Flux', () => {
  const withValue = (text: string, value = 'v'): string => {
    const left = { unknown: new Set<string>(), changed: new Set<string>() };
    const variables = { known: new Map([['a', value]]), unknownFrom: [] };
    return substituted({ file: 'f', path: 'f', bytes: Buffer.from(text) }, variables, left).bytes.toString(); // prettier-ignore
  };

  it('are substituted in a text of any length, whatever only begins there', () => {
    const begun = '${a:='.repeat(200_000);
    expect(withValue(`\${a}${begun}`)).to.equal(`v${begun}`);
  });

  it('make no file that is too large to be read', () => {
    expect(() => withValue('${a}'.repeat(300), 'v'.repeat(1024 * 1024)))
      .to.throw(InvalidInputError, /more than \d+ bytes with its variables/)
      .with.property('code', 'E_LIMIT');
  });
});
