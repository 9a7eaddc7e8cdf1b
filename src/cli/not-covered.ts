/** Changes that policies do not cover: most of them are the same for every definition. */
import { firstNames } from '../text/shortened.js';
import { groupBy } from '../text/group.js';

/** How many definitions one line names. */
const maxNamed = 3;

/** Why policies of a definition do not cover some of its changes. */
export interface NotCovered {
  readonly name: string;
  readonly sentence: string;
}

export function notCoveredLines(found: readonly NotCovered[], definitions: number): string[] {
  return [...groupBy(found, ({ sentence }) => sentence)].map(([sentence, about]) => {
    const names = about.map(({ name }) => name);
    return `${subjectOf(names, definitions)}: not covered: ${sentence}`;
  });
}

function subjectOf(names: readonly string[], definitions: number): string {
  if (names.length === definitions && definitions > 1) return `all ${definitions} definitions`;
  return firstNames(names, maxNamed);
}
