/**
 * Part of `npm run lint`: a comment names its subject first, and a pronoun for anyone is no subject.
 * comment-baseline.json counts the lines that do otherwise since before; a count may only shrink.
 *
 *     npx tsx build/lint-comments.ts [--write]
 *
 * Exit code 1 where a count differs, with the places if it grew; with `--write` smaller counts become the new baseline.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const baselineFile = join(root, 'build', 'comment-baseline.json');
const isTest = /\.test\.ts$|\/testing\/|\/testdata\//;

const habits = {
  'comments that begin with What, Who, Whoever, Those, As of':
    /(?:\/\/|\/\*\*?|^\s*\*)\s+(?:What|Who|Whoever|Those|As of)\b/,
  'comments that are a fragment with In, Of or As':
    /(?:\/\/|\/\*\*?|^\s*\*)\s+(?:In|Of|As) [^.,]{1,40}\.\s*(?:\*\/)?$/,
  'lines with whoever, nobody, everybody, somebody': /\b(?:whoever|nobody|everybody|somebody)\b/i,
};

const lines: { habit: string; place: string }[] = [];
for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
  const name = `src/${file}`;
  if (!file.endsWith('.ts') || isTest.test(name)) continue;
  readFileSync(join(root, name), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      for (const [habit, pattern] of Object.entries(habits)) {
        if (pattern.test(line)) lines.push({ habit, place: `${name}:${index + 1}` });
      }
    });
}

const counts = Object.fromEntries(
  Object.keys(habits).map((habit) => [habit, lines.filter((line) => line.habit === habit).length]),
);
const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, number>;
const [grown, shrunk] = [1, -1].map((sign) =>
  Object.keys(habits).filter(
    (habit) => Math.sign((counts[habit] ?? 0) - (baseline[habit] ?? 0)) === sign,
  ),
) as [string[], string[]];
for (const habit of grown) {
  console.error(`${counts[habit]} ${habit}; ${baseline[habit] ?? 0} are left from before`);
  for (const line of lines) if (line.habit === habit) console.error(`  ${line.place}`);
}
if (grown.length > 0) {
  process.exitCode = 1;
} else if (process.argv.includes('--write')) {
  writeFileSync(baselineFile, `${JSON.stringify(counts, undefined, 2)}\n`);
} else if (shrunk.length > 0) {
  console.error(
    'fewer lines than build/comment-baseline.json says: npx tsx build/lint-comments.ts --write',
  );
  process.exitCode = 1;
}
