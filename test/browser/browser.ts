/** A headless Chromium that never looks for a network. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Browser, type Page } from 'playwright-core';
import { root } from '../cli/command.js';

/** Where pictures go that are looked at and not kept. */
export const pictures = join(root, '.cache', 'pictures');

export async function openBrowser(): Promise<Browser> {
  const found = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' });
  return chromium.launch({
    executablePath: found.stdout.trim(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Draws the page in .cache/pictures; with OLM_GUARD_PICTURES=docs in docs/graphs. */
export async function picture(page: Page, name: string): Promise<void> {
  const inDocs = process.env['OLM_GUARD_PICTURES'] === 'docs';
  const folder = inDocs ? join(root, 'docs', 'graphs') : pictures;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, name), fullPage: true });
  // What is drawn is more than a frame.
  expect(readFileSync(join(folder, name)).length).to.be.above(20_000);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves a folder as a host of static pages does: `/`, and pages without their ending. */
export async function serveFolder(folder: string): Promise<{ server: Server; address: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const found = [pathname, `${pathname}.html`, `${pathname}index.html`]
      .map((each) => join(folder, each))
      .find((file) => extname(file) !== '' && existsSync(file));
    if (found === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[extname(found)] ?? 'application/octet-stream');
    createReadStream(found).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
