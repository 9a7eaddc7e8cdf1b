/** What the first definition costs in a process of its own: bench/definition.ts builds it as programs are built. */
import '../src/app/cli/v8-tuning.js';
import { costOfLarge, largeDefinition } from './many-rules.js';

console.log(costOfLarge(largeDefinition()));
