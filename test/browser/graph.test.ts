/** An update graph of 200 versions as a person sees it, light and dark. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { renderGraph } from '../../src/report/graph/index.js';
import { openBrowser } from './browser.js';
import { collisions, lowestContrast } from './in-page.js';
import { sampleGraph } from './sample-graph.js';

const root = join(import.meta.dirname, '..', '..');
const pictures = join(root, '.cache', 'pictures');
const graph = sampleGraph();

/** As a page would hold it: Chromium takes no screenshots of a document that is an SVG. */
function inPage(svg: string): string {
  return `<!doctype html><meta charset="utf-8"><body style="margin: 0">${svg}`;
}

describe('pictures in a browser', () => {
  let browser: Browser;
  before(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await openBrowser();
  });
  after(() => browser.close());

  const show = async (text: string, name: string, scheme: 'light' | 'dark'): Promise<Page> => {
    const file = join(pictures, name);
    writeFileSync(file, text);
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      colorScheme: scheme,
    });
    await page.goto(`file://${file}`);
    return page;
  };

  const committed = readdirSync(join(root, 'docs', 'graphs')).filter((file) =>
    file.endsWith('.svg'),
  );
  const svgs: [name: string, text: string][] = [
    ['big.svg', renderGraph(graph, 'svg')],
    ...committed.map((file): [string, string] => [
      file,
      readFileSync(join(root, 'docs', 'graphs', file), 'utf8'),
    ]),
  ];
  for (const [name, text] of svgs) {
    for (const scheme of ['light', 'dark'] as const) {
      it(`${name} is legible in ${scheme}: no text touches another, all stand out`, async () => {
        const page = await show(inPage(text), `${name}.html`, scheme);
        expect(await page.evaluate(collisions)).to.deep.equal([]);
        expect(await page.evaluate(lowestContrast)).to.be.at.least(4.5);
        const picture = await page.screenshot({
          fullPage: true,
          path: join(pictures, `${name}.${scheme}.png`),
        });
        expect(picture.subarray(1, 4).toString()).to.equal('PNG');
        await page.close();
      });
    }
  }
});
