import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import * as browser from './platform.browser.js';
import * as node from './platform.js';

for (const [name, platform] of Object.entries({ node, browser })) {
  describe(`the platform: ${name}`, () => {
    it('computes SHA-256', () => {
      expect(platform.sha256('olm-guard').toString('hex')).to.equal(
        node.sha256('olm-guard').toString('hex'),
      );
      expect(platform.sha224('ä').toString('base64')).to.equal(node.sha224('ä').toString('base64'));
      expect(platform.randomText(12)).to.match(/^[0-9a-f]{24}$/);
    });

    it('recognizes UTF-8 and ASCII', () => {
      expect(platform.isUtf8(Buffer.from('ä'))).to.equal(true);
      expect(platform.isUtf8(Buffer.from([0xc3]))).to.equal(false);
      expect(platform.isAscii(Buffer.from('a'))).to.equal(true);
      expect(platform.isAscii(Buffer.from('ä'))).to.equal(false);
    });

    it('unpacks up to a limit', () => {
      const packed = gzipSync('x'.repeat(10_000));
      expect(platform.gunzip(packed, 10_000).toString()).to.have.lengthOf(10_000);
      expect(() => platform.gunzip(packed, 9_999)).to.throw(RangeError);
      expect(() => platform.gunzip(Buffer.from('no gzip'), 10)).to.throw();
    });
  });
}
