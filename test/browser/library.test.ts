/** The library as a browser loads it from the package: in a page and in a worker, without Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import type { Browser } from 'playwright-core';
import { judgeUpgrade } from '../../src/checks/library/upgrades.js';
import { answer } from '../../src/checks/library/operations.js';
import { root } from '../cli/command.js';
import { openBrowser } from './browser.js';

const files = join(root, 'dist', 'browser');
const read = (...path: string[]): unknown =>
  load(readFileSync(join(root, 'examples', ...path), 'utf8'));
const old = read('cluster', 'customresourcedefinition-samples.yaml') as object;
const upgrades = readdirSync(join(root, 'examples', 'upgrades')).map(
  (file) => [file, read('upgrades', file) as object] as const,
);

describe('the library in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address: string;
  before(async () => {
    server = createServer(({ url = '/' }, response) => {
      const name = basename(url);
      if (!name.endsWith('.js')) {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>');
        return;
      }
      response.setHeader('content-type', 'text/javascript');
      response.end(
        name === 'worker.js'
          ? `import { judgeUpgrade } from './upgrades.js';
             onmessage = ({ data: [old, next, options] }) => postMessage(judgeUpgrade(old, next, options));`
          : readFileSync(join(files, name)),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await openBrowser();
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  it('answers in a page and in a worker what it answers in Node', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    for (const [name, next] of upgrades) {
      for (const options of [{}, { profile: 'proof' as const }]) {
        const input = JSON.stringify([old, next, options]);
        const expected = JSON.stringify(judgeUpgrade(old, next, options));
        const inPage = await page.evaluate(
          `import('./upgrades.js').then(({ judgeUpgrade }) => JSON.stringify(judgeUpgrade(...${input})))`,
        );
        expect(inPage, name).to.equal(expected);
        const inWorker = await page.evaluate(`new Promise((resolve, reject) => {
          const worker = new Worker('./worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(JSON.stringify(data));
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(${input});
        })`);
        expect(inWorker, name).to.equal(expected);
      }
    }
    await page.close();
  });

  it('evaluates expressions', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const found = await page.evaluate(
      `import('./cel.js').then(({ compile }) => String(compile("size('a') + 1").evaluate({})))`,
    );
    expect(found).to.equal('2');
    await page.close();
  });

  it('knows every operation', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    const input = { dialect: 'blang', constraint: '>=1.0.0 <2.0.0', version: '1.4.0' };
    const found = await page.evaluate(
      `import('./operations.js').then(({ answer }) => answer('range', ${JSON.stringify(input)}))`,
    );
    expect(found).to.deep.equal(JSON.parse(JSON.stringify(answer('range', input))));
    await page.close();
  });
});
