/** `npm run docs`: writes everything that is made from the code, or nothing where one file cannot be made. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles } from './generated.js';

const made: [path: string, text: string][] = [];
for (const { file, text } of generatedFiles) {
  made.push([join(import.meta.dirname, '..', file), await text()]);
}
for (const [path, text] of made) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
