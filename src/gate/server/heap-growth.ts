/** Trades processor time for memory while more is asked than can be answered. */
import { setFlagsFromString } from 'node:v8';

/** By how much the heap may outgrow what is in use before garbage is collected, in percent. */
const sparingPercent = 40;
const rememberMilliseconds = 10_000;

/** By itself V8 lets a small heap grow fourfold; with a thousand connections that is too much. */
export class HeapGrowth {
  #timer: NodeJS.Timeout | undefined;

  /** Keeps the heap small from now on, until ten seconds after the last call. */
  spare(): void {
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    setFlagsFromString(`--heap-growing-percent=${sparingPercent}`);
    this.#timer = setTimeout(() => this.#stop(), rememberMilliseconds).unref();
  }

  /** Back to V8's own ways. */
  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    setFlagsFromString('--heap-growing-percent=0');
  }
}
