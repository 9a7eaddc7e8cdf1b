export { judgeDefinition, type Refusal } from './judge.js';
export { knownMinors, newestMinor, parseMinors } from './minors.js';
