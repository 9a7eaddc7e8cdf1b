import { expect } from 'chai';
import { serviceOf } from './service.js';

const service = (path?: string): unknown =>
  serviceOf({
    service: { namespace: 'widgets', name: 'webhook', ...(path === undefined ? {} : { path }) },
  });

describe('the Service of a conversion webhook', () => {
  for (const [path, read] of [
    [undefined, '/'],
    ['/', '/'],
    ['/convert', '/convert'],
    ['/v1.example.com/convert/', '/v1.example.com/convert/'],
  ] as const) {
    it(`takes the path ${path}`, () => {
      expect(service(path)).to.include({ port: 443, path: read });
    });
  }

  for (const path of [
    'convert',
    '/..',
    '/./a',
    '/a/../../b',
    '/%2e%2e',
    '/a?b',
    '/a#b',
    '/a\\b',
    '//a',
  ]) {
    it(`takes no path that could lead elsewhere: ${path}`, () => {
      expect(service(path)).to.equal(undefined);
    });
  }

  it('reads a path of any length at once', () => {
    expect(service(`/${'a.'.repeat(100_000)}!`)).to.equal(undefined);
    expect(service(`/${'a-'.repeat(900)}!`)).to.equal(undefined);
  });
});
