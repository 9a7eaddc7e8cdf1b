/**
 * Has V8 wait several times as long before it compiles a function for speed: what a command runs is mostly
 * run once, and compiling took more processor time than it saved, in the threads of a gate too.
 */
import { setFlagsFromString } from 'node:v8';

/** Only lines of Node whose V8 has the flag: V8 prints an error about one that it does not know. */
const flags: ReadonlyMap<
  string,
  { readonly name: string; readonly own: number; readonly patient: number }
> = new Map([
  ['20', { name: '--interrupt-budget', own: 66 * 1024, patient: 528 * 1024 }],
  // The cheaper compiler in between is not delayed: what it saves is soon more than it takes.
  ['22', { name: '--invocation-count-for-turbofan', own: 3000, patient: 24_000 }],
  ['24', { name: '--invocation-count-for-turbofan', own: 10_000, patient: 24_000 }],
]);

/**
 * After most is loaded: V8 takes nothing from Node's and the compile cache once a flag has changed.
 *
 * @param isPatient false restores V8's own number: the next run begins with it, and V8 takes no code of other flags
 */
export function tuneV8(isPatient = true): void {
  const [major = ''] = process.versions.node.split('.');
  const flag = flags.get(major);
  if (flag === undefined) return;
  setFlagsFromString(`${flag.name}=${isPatient ? flag.patient : flag.own}`);
  // To its limit in one step: what a command reads mostly lives until it ends, and each step copies it.
  setFlagsFromString(`--semi-space-growth-factor=${isPatient ? 8 : 2}`);
}
