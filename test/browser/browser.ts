/** A headless Chromium that never looks for a network. */
import { spawnSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

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
