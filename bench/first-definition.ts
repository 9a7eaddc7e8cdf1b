/** What the first definition costs in a process of its own: bench/definition.ts builds it as programs are built. */
import { tuneV8 } from '../src/cli/v8-tuning.js';
import { costOfLarge, largeDefinition } from './many-rules.js';

tuneV8();
console.log(costOfLarge(largeDefinition()));
