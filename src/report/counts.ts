import type { CheckReport } from './check-report.js';
import { firstNames } from '../text/shortened.js';

/** Counts as words: `{ edgesCompared: 1, errors: 2 }` is "1 edge compared, 2 errors". */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => {
      const words = name.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase();
      return `${count} ${count === 1 ? words.replace(/s\b/, '') : words}`;
    })
    .join(', ');
}

export function renderCounts({ subject, counts, comparedWith = [] }: CheckReport): string {
  const sides = comparedWith.length === 0 ? '' : `; compared with ${firstNames(comparedWith, 3)}`;
  return `${subject}: ${formatCounts(counts)}${sides}`;
}
