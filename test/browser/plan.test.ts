/** `olm-guard plan -o html` as people meet it: on a desk, on a phone, in the dark, on paper. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { root, run } from '../cli/command.js';
import { openBrowser } from './browser.js';

const pictures = join(root, '.cache', 'pictures');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe('the plan as a page', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-plan-page-'));
  const file = join(folder, 'plan.html');
  before(async () => {
    mkdirSync(pictures, { recursive: true });
    const { stdout, code } = await run([
      ...['plan', '--package', 'reports', '--state', 'examples/olm', '-o', 'html'],
      ...['--catalog', 'community=examples/catalogs/before', '--bundles', 'examples/bundles'],
    ]);
    expect(code).to.equal(1);
    writeFileSync(file, stdout);
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => asked.push(String(error)));
    await page.goto(`file://${file}`);
    expect(asked).to.deep.equal([`file://${file}`]);
    return page;
  }

  for (const [name, width, scheme] of [
    ['desk', 1280, 'light'],
    ['desk-dark', 1280, 'dark'],
    ['phone', 390, 'light'],
    ['phone-dark', 390, 'dark'],
  ] as const) {
    it(`${name}: fits, loads nothing, and has no serious fault for who cannot see it`, async () => {
      const page = await open(width, scheme);
      await page.screenshot({ path: join(pictures, `plan-${name}.png`), fullPage: true });
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(over).to.be.at.most(0);
      const found = await page.evaluate<string[]>(
        `${axe}; axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html].join(' ')))`,
      );
      expect(found.filter((each) => /^(serious|critical)/.test(each))).to.deep.equal([]);
      await page.close();
    });
  }

  it('numbers what to do, marks what comes first, and copies its command', async () => {
    const page = await open(1280, 'light');
    const actions = page.locator('ol.actions > li');
    expect(await actions.first().textContent()).to.match(/^set installPlanApproval: Manual in /);
    const marked = page.locator('ol.actions > li.needed');
    expect(await marked.first().textContent()).to.match(/^first: bundle reports\.v1\.1\.0: /);
    expect(await page.locator('li.needed').count()).to.equal(3);
    await page.locator('button[data-copy]').first().click();
    await page.locator('button[data-copy]:text-is("Copied")').waitFor();
    await page.close();
  });

  it('prints completely on paper', async () => {
    const page = await open(1280, 'light');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible').count()).to.equal(0);
    const all = await page.locator('pre').count();
    expect(all).to.be.above(1);
    expect(await page.locator('pre:visible').count()).to.equal(all);
    await page.close();
  });
});
