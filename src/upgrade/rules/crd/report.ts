/** Collects findings about one definition, each with its place. */
import {
  docsFor,
  type Finding,
  foundAt,
  type ObjectReference,
  referenceToDefinition,
} from '../../../rule/index.js';
import { PathBudget } from '../../crd/difference.js';
import { exactPathOf, locationOf, type DocumentPlace } from '../../crd/place.js';

export interface Remark {
  readonly rule: string;
  readonly message: string;
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  /** Identifies the difference, beyond rule, version and path; by default the message. */
  readonly difference?: string;
  /** As {@link Finding.reference}. */
  readonly reference?: string | undefined;
  /** How many fields it stands for; by default one. */
  readonly fields?: number;
  readonly place: DocumentPlace;
}

/** Characters of findings; those of the longest report on a real definition have 0.2 million. */
const maxCharacters = 2 * 1024 * 1024;
const charactersBeside = 200;

export class Report {
  readonly paths = new PathBudget();
  readonly #reported: Finding[] = [];
  readonly #lines: { readonly validator: string; readonly message: string }[] = [];
  /** One for all findings: there may be a hundred thousand. */
  readonly #object: ObjectReference;
  readonly #docs = new Map<string, string>();
  /** Findings for which there is no room, by rule. */
  readonly #omitted = new Map<string, number>();
  #room = maxCharacters;

  constructor(readonly name: string) {
    this.#object = referenceToDefinition(name);
  }

  get findings(): readonly Finding[] {
    return [...this.#reported, ...this.summaries];
  }

  get reported(): readonly Finding[] {
    return this.#reported;
  }

  get lines(): readonly { readonly validator: string; readonly message: string }[] {
    return this.#lines;
  }

  /** A line of the reference that is no finding's own. */
  say(validator: string, message: string): void {
    this.#lines.push({ validator, message });
  }

  /** Told or not. */
  get count(): number {
    let count = this.#reported.length;
    for (const each of this.#omitted.values()) count += each;
    return count;
  }

  get summaries(): readonly Finding[] {
    return [...this.#omitted].map(([rule, count]) =>
      this.#finding({ rule, message: `and ${count} more (report limit reached)` }),
    );
  }

  add(remark: Remark): void {
    const { rule, message, version, path, difference = message, reference, fields } = remark;
    this.#room -= message.length + difference.length + (path?.length ?? 0) + charactersBeside;
    if (this.#room < 0) {
      this.leaveOut(rule, fields);
      return;
    }
    const place = locationOf(remark.place);
    const exactPath = path === undefined ? undefined : exactPathOf(place, path);
    const cause = [rule, version, path, difference].filter((part) => part !== undefined).join(' ');
    this.#reported.push({
      ...this.#finding({ rule, message }),
      version,
      path,
      exactPath,
      cause,
      reference,
      [foundAt]: place,
    });
    if (reference === undefined) this.say(rule, message);
  }

  leaveOut(rule: string, count = 1): void {
    if (count > 0) this.#omitted.set(rule, (this.#omitted.get(rule) ?? 0) + count);
  }

  #finding({ rule, message }: Pick<Remark, 'rule' | 'message'>): Finding {
    return {
      rule,
      family: 'crd-upgrade-safety',
      severity: 'error',
      message,
      audience: 'objects',
      object: this.#object,
      docs: this.#docsOf(rule),
    };
  }

  #docsOf(rule: string): string {
    const docs = this.#docs.get(rule) ?? docsFor(rule);
    this.#docs.set(rule, docs);
    return docs;
  }
}
