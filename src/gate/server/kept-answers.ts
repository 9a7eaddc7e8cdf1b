/** The largest answer that is kept, as a share of the cache. */
const maxShare = 1 / 8;

/** The answers used last, up to a number of bytes: a write after its dry run, and a retry after a denial, ask the same again. */
export class KeptAnswers {
  readonly #answers = new Map<string, string>();
  #bytes = 0;

  constructor(readonly maxBytes: number) {}

  get(key: string): string | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  keep(key: string, answer: string): void {
    const bytes = bytesOf(key, answer);
    if (bytes > this.maxBytes * maxShare || this.#answers.has(key)) return;
    this.#answers.set(key, answer);
    this.#bytes += bytes;
    for (const [oldest, text] of this.#answers) {
      if (this.#bytes <= this.maxBytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= bytesOf(oldest, text);
    }
  }
}

/** JavaScript engines store a character in at most two bytes. */
function bytesOf(key: string, answer: string): number {
  return 2 * (key.length + answer.length);
}
