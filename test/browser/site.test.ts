/** The documentation as a site, as `npm run site` builds it; VitePress itself refuses dead links. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { root } from '../cli/command.js';
import { openBrowser, pictures, serveFolder } from './browser.js';

const built = join(root, 'site', 'dist');
describe('the site', () => {
  let browser: Browser;
  let server: Server;
  let address: string;
  before(async function () {
    this.timeout(0);
    const build = spawn('npm', ['run', 'site'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    build.stdout.on('data', (part: Buffer) => output.push(part));
    build.stderr.on('data', (part: Buffer) => output.push(part));
    const [code] = (await once(build, 'close')) as [number];
    expect(code, Buffer.concat(output).toString()).to.equal(0);
    ({ server, address } = await serveFolder(built));
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  for (const [name, width, scheme] of [
    ['desk', 1280, 'light'],
    ['phone', 390, 'dark'],
  ] as const) {
    for (const path of [
      '/',
      '/commands',
      '/rules',
      '/rules/NoExistingFieldRemoved',
      '/operations',
    ]) {
      it(`${name}: ${path} fits, finds all that it loads, and asks nobody else`, async () => {
        const page = await browser.newPage({
          viewport: { width, height: 900 },
          colorScheme: scheme,
        });
        const faults: string[] = [];
        page.on('pageerror', (error) => faults.push(String(error)));
        page.on('request', (request) => {
          if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) faults.push(request.url());
        });
        page.on('response', (response) => {
          if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
        });
        await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
        expect(faults).to.deep.equal([]);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).to.be.at.most(0);
        // A template of Vue that was shown instead of being filled in.
        expect(await page.locator('header, .VPHero').allTextContents()).not.to.match(/\{\{/);
        const picture = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
        await page.screenshot({ path: join(pictures, `site-${picture}-${name}.png`) });
        await page.close();
      });
    }
  }

  it('can be searched', async () => {
    const page = await browser.newPage();
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('OperatorGroupIntersection', { delay: 5 });
    const first = page.locator('.VPLocalSearchBox .result').first();
    await first.waitFor();
    expect(await first.textContent()).to.include('OperatorGroupIntersection');
    await page.close();
  });
});
