/** What a person sees of an update graph: 200 versions, light and dark, with the keyboard alone. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { renderGraph } from '../../src/report/graph/index.js';
import { openBrowser } from './browser.js';
import {
  collisions,
  focusedLabel,
  focusRing,
  isFocusInView,
  isInView,
  isNodeFocused,
  lowestContrast,
  paper,
} from './in-page.js';
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

  it('the page can be walked with the keyboard alone, and loads nothing', async () => {
    const page = await show(renderGraph(graph, 'html'), 'big.html', 'light');
    const requests: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.reload();
    const focused = (): Promise<string> => page.evaluate(focusedLabel);
    await page.keyboard.press('/');
    await page.keyboard.type('4.4.9');
    expect(await page.textContent('#found')).to.equal('2 found');
    await page.keyboard.press('Enter');
    expect(await focused()).to.match(/^big\.v4\.4\.9 in stable: head of the channel/);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).to.match(/^big\.v4\.4\.8 in stable/);
    await page.keyboard.press('ArrowRight');
    expect(await focused()).to.match(/^big\.v4\.4\.8 in stranded: stranded/);
    await page.keyboard.press('End');
    expect(await focused()).to.match(/^big\.v1\.0\.0 in stranded/);
    const isVisible = await page.evaluate(isFocusInView);
    expect(isVisible, 'what has the focus is scrolled into view').to.equal(true);
    expect(await page.textContent('#details')).to.contain('big.v1.0.0 is end of life.');
    expect(
      requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
    ).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
    await page.close();
  });

  it('details lead on, and the focus is seen', async () => {
    const page = await show(renderGraph(graph, 'html'), 'big.html', 'light');
    expect(await page.evaluate(collisions)).to.deep.equal([]);
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(isNodeFocused)) break;
    }
    const label = await page.evaluate(focusedLabel);
    expect(label).to.match(/^big\.v3\.0\.1 in stable: .*installed/);
    const ring = await page.evaluate(focusRing);
    expect(ring).to.not.equal('none');
    await page.screenshot({ path: join(pictures, 'big.html.light.png') });
    await page.click('#details li button');
    expect(await page.textContent('#details h2')).to.match(/^big\.v/);
    await page.close();
  });

  it('opens at what was asked, and without a question at the head of the default channel', async () => {
    const asked = await show(renderGraph(graph, 'html'), 'big.html', 'light');
    expect(await asked.textContent('#details h2')).to.equal('big.v3.0.1');
    expect(await asked.textContent('#details')).to.match(/The way from here: \d+ updates/);
    expect(await asked.evaluate(isInView('.path-ring'))).to.equal(true);
    await asked.close();
    const nodes = graph.nodes.map((node) => ({ ...node, isInstalled: false, isOnPath: false }));
    const page = await show(renderGraph({ ...graph, nodes }, 'html'), 'plain.html', 'light');
    const [first] = graph.channels;
    expect(await page.textContent('#details h2')).to.equal(first?.head);
    await page.close();
  });

  for (const [name, width] of [
    ['desk', 1280],
    ['phone', 390],
  ] as const) {
    it(`one channel fits a ${name}, and says beside each entry what it is`, async () => {
      const [channel] = graph.channels;
      const own = <T extends { channel: string }>(all: readonly T[]): T[] =>
        all.filter((each) => each.channel === channel?.name);
      const one = {
        ...graph,
        channels: graph.channels.slice(0, 1),
        nodes: own(graph.nodes),
        edges: own(graph.edges).filter(({ fromChannel }) => fromChannel === undefined),
      };
      const page = await show(renderGraph(one, 'html'), 'one.html', 'light');
      await page.setViewportSize({ width, height: 800 });
      await page.reload();
      await page.screenshot({ path: join(pictures, `one-channel-${name}.png`) });
      const over = (of: string) => page.evaluate(`${of}.scrollWidth - ${of}.clientWidth`);
      expect(await over('document.documentElement')).to.be.at.most(0);
      expect(await over("document.querySelector('main')")).to.be.at.most(0);
      expect(await page.locator('.beside:visible').count()).to.be[
        name === 'desk' ? 'above' : 'equal'
      ](0);
      await page.close();
    });
  }

  it('the button turns light into dark', async () => {
    const page = await show(renderGraph(graph, 'html'), 'big.html', 'light');
    const before = await page.evaluate(paper);
    await page.click('#theme');
    expect(await page.evaluate(paper)).to.not.equal(before);
    expect(await page.evaluate(lowestContrast)).to.be.at.least(4.5);
    await page.screenshot({ path: join(pictures, 'big.html.dark.png') });
    await page.close();
  });
});
