/** Answers to what was asked before: a dry run and the write behind it, and each attempt after a denial. */

/** The largest one that is kept, as a share of all. */
const maxShare = 1 / 8;

/**
 * Keeps the answers that were asked for last. Whoever asks much drops those of others, who then wait for
 * a judgement as they would have without.
 */
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

/** The engine takes two for a character, at most. */
function bytesOf(key: string, answer: string): number {
  return 2 * (key.length + answer.length);
}
