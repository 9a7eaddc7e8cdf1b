/** Files made from the code are as the code would make them now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { generatedFiles } from '../../build/generated.js';

describe('generated files', () => {
  for (const { file, text } of generatedFiles) {
    it(`${file} is up to date`, async () => {
      const path = join(import.meta.dirname, '..', '..', file);
      expect(
        readFileSync(path, 'utf8') === (await text()),
        'it is old: run "npm run docs"',
      ).to.equal(true);
    });
  }
});
