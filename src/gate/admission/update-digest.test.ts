import { expect } from 'chai';
import { measureShared } from '../../text/documents/index.js';
import { digestOfUpdate } from './custom-resource-definition.js';

/** Large enough to be a part of its own. */
const filler = 'x'.repeat(600);
const managers = (time: string): string =>
  `[{"manager":"kubectl","time":"${time}","fieldsV1":{"f:spec":"${filler}"}}]`;

function definition(more: { readonly time?: string; readonly spec?: string } = {}): string {
  const { time = '1', spec = '"a"' } = more;
  return `{"metadata":{"name":"widgets","managedFields":${managers(time)},"labels":{}},"spec":{"x":${spec},"y":"${filler}"}}`;
}

function review(object: string, oldObject: string, { uid = 'u', rest = '' } = {}): string {
  const head = `"kind":"AdmissionReview","request":{"uid":"${uid}"`;
  return `{${head},"object":${object},"oldObject":${oldObject},"dryRun":false${rest}}}`;
}

const digest = (text: string): string | undefined =>
  digestOfUpdate(measureShared(Buffer.from(text)));

describe('the digest of an update', () => {
  const first = digest(review(definition(), definition({ spec: '"b"', time: '0' })));

  it('is the same for a retried update', () => {
    expect(first).to.be.a('string');
    const again = review(definition({ time: '2' }), definition({ spec: '"b"', time: '3' }), {
      uid: 'v',
      rest: ',"options":{"kind":"UpdateOptions"}',
    });
    expect(digest(again)).to.equal(first);
  });

  const others: Readonly<Record<string, string>> = {
    'another new definition': review(definition({ spec: '"c"' }), definition({ spec: '"b"' })),
    'another old definition': review(definition(), definition({ spec: '"c"' })),
    'both in each other’s place': review(definition({ spec: '"b"' }), definition()),
    'managed fields elsewhere': review(
      definition({ spec: `{"managedFields":${managers('1')}}` }),
      definition({ spec: '"b"' }),
    ),
    'other managed fields elsewhere': review(
      definition({ spec: `{"managedFields":${managers('2')}}` }),
      definition({ spec: '"b"' }),
    ),
  };
  for (const [name, text] of Object.entries(others)) {
    it(`is another for ${name}`, () => {
      const found = digest(text);
      expect(found).to.be.a('string').and.not.equal(first);
      const rest = Object.entries(others).filter(([each]) => each !== name);
      expect(rest.map(([, other]) => digest(other))).to.not.include(found);
    });
  }

  const sides = [definition(), definition({ spec: '"b"' })] as const;
  const unknown: Readonly<Record<string, string>> = {
    'a later object': review(...sides, { rest: ',"object":{}' }),
    'a later old object': review(...sides, { rest: ',"oldObject":null' }),
    'a later name with an escape': review(...sides, { rest: ',"\\u006fbject":{}' }),
    'a later request': `${review(...sides).slice(0, -1)},"request":{}}`,
    'an object between the two': review(`${sides[0]},"object":{}`, sides[1]),
    'an object in another order': review(...sides)
      .replace('"object"', '"swap"')
      .replace('"oldObject"', '"object"')
      .replace('"swap"', '"oldObject"'),
    'spaces between': review(...sides).replace('"object":', '"object": '),
    'no old object': review(sides[0], 'null'),
    'a small object': review('{}', sides[1]),
    'a number that JavaScript would change': review(definition({ spec: '1.0' }), sides[1]),
    'no review': '[]',
  };
  for (const [name, text] of Object.entries(unknown)) {
    it(`is none for ${name}`, () => expect(digest(text)).to.equal(undefined));
  }
});
