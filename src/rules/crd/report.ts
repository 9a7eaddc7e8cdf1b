/** Collects findings about one definition, each with its place. */
import { InvalidInputError } from '../../text/documents/index.js';
import { docsFor, type Finding, type ObjectReference } from '../../finding.js';
import { locationOf, type DocumentPlace, type Location } from '../../crd/place.js';

/** What a finding says, without what all findings of a definition share. */
export interface Remark {
  readonly rule: string;
  readonly message: string;
  readonly version?: string | undefined;
  readonly path?: string | undefined;
  /** What the difference is, beyond rule, version and path; by default the message. */
  readonly difference?: string;
  readonly place: DocumentPlace;
}

// Deep paths of many fields would otherwise add up to more text than a string can hold.
const longestReport = 64 * 1024 * 1024;

export class Report {
  readonly findings: Finding[] = [];
  readonly #places = new Map<Finding, DocumentPlace>();
  /** One for all findings: there may be a hundred thousand. */
  readonly #object: ObjectReference;
  readonly #docs = new Map<string, string>();
  #length = 0;

  constructor(readonly name: string) {
    this.#object = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name,
    };
  }

  /** @throws InvalidInputError `E_LIMIT` when all messages together are too long to be told. */
  add({ rule, message, version, path, difference = message, place }: Remark): void {
    this.#length += message.length;
    if (this.#length > longestReport) {
      throw new InvalidInputError(
        'E_LIMIT',
        `the definitions differ in more than ${longestReport} characters of findings; compare them in smaller steps`,
      );
    }
    const finding: Finding = {
      rule,
      family: 'crd-upgrade-safety',
      severity: 'error',
      message,
      object: this.#object,
      ...(version === undefined ? {} : { version }),
      ...(path === undefined ? {} : { path }),
      cause: [rule, version, path, difference].filter((part) => part !== undefined).join(' '),
      docs: this.#docsOf(rule),
    };
    this.findings.push(finding);
    this.#places.set(finding, place);
  }

  #docsOf(rule: string): string {
    const docs = this.#docs.get(rule) ?? docsFor(rule);
    this.#docs.set(rule, docs);
    return docs;
  }

  /** Where a finding of this report stands in the old or the new document. */
  readonly locate = (finding: Finding): Location | undefined => {
    const place = this.#places.get(finding);
    return place === undefined ? undefined : locationOf(place);
  };
}
