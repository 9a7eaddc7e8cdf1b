/**
 * Has V8 wait four times as long before it compiles a function for speed: what a command runs is mostly
 * run once, and compiling took more processor time than it saved, in the threads of a gate too.
 * Node 22 and later have a cheaper compiler in between, and no such flag.
 */
import { setFlagsFromString } from 'node:v8';

if (process.versions.node.startsWith('20.')) setFlagsFromString(`--interrupt-budget=${528 * 1024}`);
