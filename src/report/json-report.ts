/** `-o json` as it comes: each part is written when it is known and forgotten then. */
import { stringifyJson } from '../text/documents/index.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { harmFirst } from './grouping.js';

/** Takes text; settles when more may come. */
export type Write = (text: string) => Promise<void>;

export class JsonReport {
  private hasBegun = false;
  private results = 0;
  private objects = 0;

  constructor(private readonly write: Write) {}

  /** One object that the result named next has something to say about. */
  async object(name: string, object: unknown): Promise<void> {
    const before =
      this.objects === 0
        ? `${this.nextResult()}\n      "name": ${stringifyJson(name)},\n      "objects": [`
        : ',';
    this.objects += 1;
    await this.write(`${before}\n        ${stringifyJson(object)}`);
  }

  async result(result: CheckResult): Promise<void> {
    const { name, rendering, verdict, output, places } = harmFirst(result);
    const before =
      this.objects === 0
        ? `${this.nextResult()}\n      "name": ${stringifyJson(name)},`
        : '\n      ],';
    this.objects = 0;
    const fields = Object.entries({
      ...(rendering !== undefined && { rendering }),
      verdict,
      output,
      places,
    }).map(([field, value]) => `\n      "${field}": ${indented(value, 6)}`);
    await this.write(`${before}${fields.join(',')}\n    }`);
  }

  async end(
    counts: CheckReport['counts'],
    {
      warnings = [],
      unchecked = [],
      comparedWith = [],
      skipped = [],
    }: Pick<CheckReport, 'warnings' | 'unchecked' | 'comparedWith' | 'skipped'> = {},
  ): Promise<void> {
    const before = Object.entries({ warnings, unchecked, comparedWith, skipped })
      .filter(([, listed]) => listed.length > 0)
      .map(([field, listed]) => `"${field}": ${indented(listed, 2)},\n  `);
    await this.close(`${before.join('')}"counts": ${indented(counts, 2)}`);
  }

  /** Ends a document that was begun, so that it can be read; nothing is written for one that was not. */
  async fail(error: object): Promise<void> {
    if (this.hasBegun) await this.close(`"error": ${indented(error, 2)}`);
  }

  private nextResult(): string {
    const head = this.hasBegun ? '' : '{\n  "results": [';
    this.hasBegun = true;
    this.results += 1;
    return `${head}${this.results > 1 ? ',' : ''}\n    {`;
  }

  private async close(last: string): Promise<void> {
    const open = this.hasBegun ? '' : '{\n  "results": [';
    const unfinished = this.objects > 0 ? '\n      ]\n    }' : '';
    const end = this.results > 0 ? '\n  ]' : ']';
    await this.write(`${open}${unfinished}${end},\n  ${last}\n}\n`);
  }
}

/** Strings hold no line ends as they are: each one is the layout's. */
function indented(value: unknown, spaces: number): string {
  return stringifyJson(value, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
