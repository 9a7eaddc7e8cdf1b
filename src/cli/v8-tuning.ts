/**
 * Has V8 wait several times as long before it compiles a function for speed: what a command runs is mostly
 * run once, and compiling took more processor time than it saved, in the threads of a gate too.
 */
import { setFlagsFromString } from 'node:v8';

/** Of lines of Node whose V8 is known to have the flag: it prints an error about one that it does not know. */
const flags: ReadonlyMap<string, string> = new Map([
  ['20', `--interrupt-budget=${528 * 1024}`],
  // The cheaper compiler in between is not delayed: what it saves is soon more than it takes.
  ['22', '--invocation-count-for-turbofan=24000'],
  ['24', '--invocation-count-for-turbofan=24000'],
]);

/** After most is loaded: V8 takes nothing from Node's and the compile cache once a flag has changed. */
export function tuneV8(): void {
  const [major = ''] = process.versions.node.split('.');
  const flag = flags.get(major);
  if (flag !== undefined) setFlagsFromString(flag);
}
