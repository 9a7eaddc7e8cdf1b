/** The page that judges what is pasted into it: in a real browser, alone, as the command does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { buildCheckPage, installSite } from '../../build/check-page.js';
import type { JudgedTexts, Texts } from '../../site/check/judge-texts.js';
import { parseJson, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { root, runHere } from '../cli/command.js';
import { describeReleases, releaseLines } from '../golden/releases.js';
import { openBrowser, picture, serveFolder } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const example = (file: string): string => readFileSync(join(root, 'examples', file), 'utf8');
const installed = example('cluster/customresourcedefinition-samples.yaml');

describe('the page that checks a definition', () => {
  let folder: string;
  let browser: Browser;
  let server: Server;
  let address: string;
  before(async function () {
    this.timeout(0);
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-page-'));
    installSite();
    await buildCheckPage(folder);
    const served = await serveFolder(folder);
    server = served.server;
    address = `${served.address}/`;
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  /** A page, and what was asked of anybody since it was opened. */
  const openPage = async (
    fragment = '',
    options: Parameters<Browser['newPage']>[0] = {},
  ): Promise<{ page: Page; requests: string[]; faults: string[] }> => {
    const page = await browser.newPage(options);
    const [requests, faults]: [string[], string[]] = [[], []];
    page.on('request', (request) => requests.push(request.url().replace(address, '')));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${address}${fragment}`);
    return { page, requests, faults };
  };
  const status = (page: Page, wanted: RegExp): Promise<void> =>
    page.locator('#status').filter({ hasText: wanted }).waitFor({ timeout: 0 });
  const write = async (page: Page, side: string, text: string): Promise<void> => {
    await page.locator(`input[data-side=${side}]`).setInputFiles({
      ...{ name: `${side}.yaml`, mimeType: 'text/plain', buffer: Buffer.from(text) },
    });
  };
  const headline = async (page: Page): Promise<string | null> =>
    page.frameLocator('#report').locator('h1').textContent();

  for (const [name, width, scheme] of [
    ['desk', 1280, 'light'],
    ['phone', 390, 'dark'],
  ] as const) {
    it(`${name}: shows a verdict at once, fits, is accessible, and asks nobody`, async () => {
      const viewport = { width, height: 900 };
      const { page, requests, faults } = await openPage('', { viewport, colorScheme: scheme });
      await status(page, /ms\)/);
      await page.selectOption('#example', 'field removed');
      await status(page, /Denied/);
      await page.locator('#take').waitFor();
      expect(await headline(page)).to.include('spec.pollInterval');
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.equal(0);
      expect(faults).to.deep.equal([]);
      expect(new Set(requests)).to.deep.equal(new Set(['', 'style.css', 'page.js', 'worker.js']));
      await picture(page, `check-${name}.png`);
      const found: string[] = await page.evaluate(
        `${axe}; axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes[0].html].join(' ')))`,
      );
      expect(found.filter((each) => /^(serious|critical)/.test(each))).to.deep.equal([]);
      await page.close();
    });
  }

  it('marks the line, leads to it, and takes the fix', async () => {
    const { page } = await openPage();
    await page.selectOption('#example', 'field removed');
    await write(page, 'objects', '');
    await status(page, /Denied/);
    await page.locator('#new .cm-lint-marker-error').waitFor();
    const link = page.frameLocator('#report').locator('.origin button').first();
    expect(await link.textContent()).to.match(/^after, line \d+$/);
    await link.click();
    await page.locator('#new .cm-focused').waitFor();
    await page.locator('#take').click();
    await status(page, /Allowed|harms/);
    expect(await page.locator('#minors li').count()).to.be.above(3);
    await page.close();
  });

  it('says what cannot be read, at its line, and goes on', async () => {
    const { page } = await openPage();
    await write(page, 'new', 'kind: CustomResourceDefinition\na: [1,\n');
    await status(page, /Not everything was checked/);
    await page.locator('#new .cm-lint-marker-error').waitFor();
    await write(page, 'new', installed);
    await status(page, /Allowed/);
    await page.close();
  });

  it('applies the options', async () => {
    const { page } = await openPage();
    await write(page, 'objects', '');
    // Refused by the rules, and harmless.
    const next = installed.replace(/^( *)minimum: 1$/m, '$&\n$1default: 1');
    await write(page, 'new', next);
    await status(page, /Allowed/);
    await page.check('#strict');
    await status(page, /Denied/);
    await page.selectOption('#profile', 'proof');
    await status(page, /Allowed/);
    await page.close();
  });

  it('decides by a policy, and marks the line of one that cannot be read', async () => {
    const { page } = await openPage();
    await page.selectOption('#example', 'field removed');
    await write(page, 'objects', '');
    await status(page, /Denied/);
    const head = 'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n';
    await page.locator('#policy-fold summary').click();
    await write(page, 'policy', `${head}promises: [{ versions: ["v*"], mode: audit }]\n`);
    await status(page, /Allowed|harms/);
    await write(page, 'policy', `${head}promises: [{ mode: allow }]\n`);
    await page.locator('#policy .cm-lint-marker-error').waitFor();
    await status(page, /Denied/);
    await page.close();
  });

  it('is shared by its address, which tells no server', async () => {
    const { page } = await openPage();
    await page.selectOption('#example', 'minimum raised');
    await status(page, /Denied/);
    await page.locator('#share').click();
    await page.waitForFunction('location.hash.length > 100');
    const fragment = new URL(page.url()).hash;
    const { page: other, requests } = await openPage(fragment);
    await status(other, /Denied/);
    expect(await headline(other)).to.equal(await headline(page));
    expect(requests.join(' ')).not.to.include(fragment.slice(1, 40));
    await Promise.all([page.close(), other.close()]);
  });

  it('refuses a link that is damaged, or unpacks to more than anybody writes', async () => {
    const bomb = await packed(' '.repeat(20 * 1024 * 1024));
    for (const fragment of ['#AAAA', '#%%%', `#${bomb}`]) {
      const { page, faults } = await openPage(fragment);
      await status(page, /damaged or too long/);
      expect(faults).to.deep.equal([]);
      await page.close();
    }
  });

  it('runs nothing of what stands in a text', async () => {
    const hostile = `</script><script>top.document.title='run'</script><img src=x onerror="top.document.title='run'">`;
    const { page, requests } = await openPage();
    const text = installed.replaceAll('pollInterval', JSON.stringify(hostile));
    await write(page, 'new', text);
    await status(page, /Denied/);
    await page.frameLocator('#report').locator('.finding').first().waitFor();
    expect(await page.title()).not.to.equal('run');
    expect(requests.filter((each) => each.includes('/x') || each === 'x')).to.deep.equal([]);
    await page.close();
  });

  /** What the page's worker says, without the page. */
  const judged = async (page: Page, texts: Texts): Promise<JudgedTexts> =>
    page.evaluate(
      `new Promise((resolve, reject) => {
        const worker = globalThis.judging ??= new Worker('worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => ('defect' in data ? reject(data.defect) : resolve(data.judged));
        worker.postMessage({ id: 1, isFixWanted: false, texts: ${JSON.stringify(texts)} });
      })`,
    );

  describeReleases('the verdicts of the command', () => {
    let page: Page;
    before(async () => ({ page } = await openPage()));
    after(() => page.close());
    for (const [index, line] of releaseLines('real/crd-pairs.jsonl.br').entries()) {
      it(`pair ${index}`, async () => {
        const pair = parseJson(line) as { old: JsonObject; new: JsonObject };
        const texts = { old: stringifyJson(pair.old, 2), new: stringifyJson(pair.new, 2) };
        const [{ verdict, messages }, { code, stdout }] = await Promise.all([
          judged(page, { ...texts, objects: '', profile: 'olm-v1', isStrict: false }),
          runHere(['check', 'crd', '-o', 'json', ...written(folder, texts)]),
        ]);
        expect(verdict.kind === 'denied').to.equal(code === 1);
        const { results } = JSON.parse(stdout) as {
          results: { verdict: { findings: { severity: string; message: string }[] } }[];
        };
        const errors = (list: readonly { severity: string; message: string }[]): string[] =>
          list
            .filter(({ severity }) => severity === 'error')
            .map(({ message }) => message)
            .sort();
        expect(errors(messages.new)).to.deep.equal(
          errors(results.flatMap(({ verdict: { findings } }) => findings)),
        );
      });
    }
  });
});

function written(folder: string, texts: { readonly old: string; readonly new: string }): string[] {
  return (['old', 'new'] as const).map((side) => {
    const file = join(folder, `${side}.txt.yaml`);
    writeFileSync(file, texts[side]);
    return file;
  });
}

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
}
