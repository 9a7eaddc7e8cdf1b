import { expect } from 'chai';
import { imageReferenceProblem } from './image-reference.js';

const digest = 'a'.repeat(64);
const rows: [image: string, problem: string | undefined][] = [
  ['quay.io/org/name:v1', undefined],
  ['localhost:5000/name', undefined],
  ['name', undefined],
  [`quay.io/org/name@sha256:${digest}`, undefined],
  ['quay.io/a--b/c__d', undefined],
  [digest, `invalid repository name (${digest}), cannot specify 64-byte hexadecimal strings`],
  ['quay.io/Org/name', 'invalid reference format: repository name must be lowercase'],
  ['quay.io/org/name:', 'invalid reference format'],
  ['quay.io/a___b', 'invalid reference format'],
  ['a b', 'invalid reference format'],
  [`quay.io/${'a'.repeat(300)}`, 'repository name must not be more than 255 characters'],
  [`quay.io/a@sha256:${'a'.repeat(63)}`, 'invalid checksum digest length'],
  [`quay.io/a@sha256:${'A'.repeat(64)}`, 'invalid checksum digest format'],
  [`quay.io/a@md5:${'a'.repeat(32)}`, 'unsupported digest algorithm'],
];

describe('references to images', () => {
  for (const [image, problem] of rows) {
    it(image.slice(0, 60), () => {
      expect(imageReferenceProblem(image)).to.equal(problem);
    });
  }

  it('parses hostile names in linear time', () => {
    expect(imageReferenceProblem(`quay.io/${'a-'.repeat(20_000)}!`)).to.equal(
      'invalid reference format',
    );
  });
});
