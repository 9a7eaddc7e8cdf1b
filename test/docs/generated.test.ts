/** Files made from the code are as the code would make them now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answeredPage } from '../../build/answered-page.js';
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

  it('hold no error of a program that was not built', async () => {
    const made = answeredPage('README.md', 'dist/nowhere.js');
    expect(await made.catch(String)).to.match(/^Error: olm-guard .*Cannot find module/s);
  });
});
