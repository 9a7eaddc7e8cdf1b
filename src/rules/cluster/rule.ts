/** Rules about what is on a cluster as a whole, beside those that the gate asks of each object. */
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { docsFor, type Family, type Finding, type Severity } from '../../finding.js';
import { textAt } from '../../olm/fields.js';
import type { OlmView } from '../../olm/view.js';

export interface ScanContext {
  readonly view: OlmView;
  /** Followed objects of a kind. */
  readonly objects: (kind: string) => Iterable<JsonObject>;
  /** OpenShift's version; null elsewhere. */
  readonly clusterVersion: string | null;
  /** Which switch-offs an object carries, and which of them do not count and why. */
  readonly switchOffs: (object: JsonObject) => {
    readonly bypasses: readonly {
      readonly description: string;
      readonly families: readonly Family[] | 'all';
    }[];
    readonly problems: readonly string[];
  };
}

/** Something to say about one object. */
export interface ScanProblem {
  readonly object: JsonObject;
  readonly message: string;
  readonly severity?: Severity;
  readonly cause?: string;
}

export interface ScanRuleDefinition {
  readonly name: string;
  readonly severity: Severity;
  readonly family: Family;
  /** Kinds that must be known for an answer. */
  readonly kinds: readonly string[];
  /** What would be said, or go wrong silently, later. */
  readonly prevents: string;
  /** As `from` in ../source.ts writes it. */
  readonly source: string;
  readonly explain: string;
  check(context: ScanContext): Iterable<ScanProblem>;
}

export interface ScanRule extends Omit<ScanRuleDefinition, 'check'> {
  check(context: ScanContext): Finding[];
}

export function defineScanRule(definition: ScanRuleDefinition): ScanRule {
  const { name, family, severity } = definition;
  return {
    ...definition,
    check: (context) =>
      [...definition.check(context)].map(({ object, ...problem }) => ({
        rule: name,
        family,
        severity,
        ...problem,
        object: referenceTo(object),
        docs: docsFor(name),
      })),
  };
}

export function referenceTo(object: JsonObject): NonNullable<Finding['object']> {
  const { name, namespace } = metaOf(object);
  return {
    apiVersion: textAt(object, 'apiVersion') ?? '',
    kind: textAt(object, 'kind') ?? '',
    ...(namespace === '' ? {} : { namespace }),
    name,
  };
}
