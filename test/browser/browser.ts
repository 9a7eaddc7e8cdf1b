/** A headless Chromium that never looks for a network. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
