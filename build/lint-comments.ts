/**
 * Part of `npm run lint`: a comment names its subject first, and a pronoun for anyone is no subject.
 * comment-baseline.json counts the lines of each area that do otherwise since before; a count may only
 * shrink.
 *
 *     npx tsx build/lint-comments.ts [--write]
 *
 * Exit code 1 where a count differs; with `--write` smaller counts become the new baseline.
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

type Counts = Record<string, Record<string, number>>;

const lines: { area: string; habit: string; place: string }[] = [];
for (const area of readdirSync(join(root, 'src'))) {
  for (const file of readdirSync(join(root, 'src', area), { recursive: true, encoding: 'utf8' })) {
    const name = ['src', area, file].join('/');
    if (!file.endsWith('.ts') || isTest.test(name)) continue;
    readFileSync(join(root, name), 'utf8')
      .split('\n')
      .forEach((line, index) => {
        for (const [habit, pattern] of Object.entries(habits)) {
          if (pattern.test(line)) lines.push({ area, habit, place: `${name}:${index + 1}` });
        }
      });
  }
}

const counts: Counts = {};
for (const { area, habit } of lines) {
  const ofArea = (counts[area] ??= {});
  ofArea[habit] = (ofArea[habit] ?? 0) + 1;
}
const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Counts;
const areas = [...new Set([...Object.keys(counts), ...Object.keys(baseline)])];
const differing = areas.flatMap((area) =>
  Object.keys(habits).flatMap((habit) => {
    const [was = 0, is = 0] = [baseline[area]?.[habit], counts[area]?.[habit]];
    return was === is ? [] : [{ area, habit, was, is }];
  }),
);
const grown = differing.filter(({ was, is }) => is > was);
for (const { area, habit, was, is } of grown) {
  console.error(`src/${area}: ${is} ${habit}; ${was} are left from before`);
  for (const line of lines) {
    if (line.area === area && line.habit === habit) console.error(`  ${line.place}`);
  }
}
if (grown.length === 0 && process.argv.includes('--write')) {
  writeFileSync(baselineFile, `${JSON.stringify(counts, undefined, 2)}\n`);
} else if (grown.length === 0 && differing.length > 0) {
  console.error(
    'fewer lines than build/comment-baseline.json says: npx tsx build/lint-comments.ts --write',
  );
  process.exitCode = 1;
}
if (grown.length > 0) process.exitCode = 1;
