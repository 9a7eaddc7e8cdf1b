import { type JsonObject, metaOf } from '../../text/documents/index.js';
import { docsFor, type Effect, type Family, type Finding, type Severity } from '../../finding.js';
import { textAt } from '../../olm/fields.js';
import type { OlmView } from '../../olm/view.js';

export type OlmKind =
  | 'OperatorGroup'
  | 'ClusterServiceVersion'
  | 'Subscription'
  | 'InstallPlan'
  | 'CatalogSource'
  | 'ClusterExtension'
  | 'ClusterVersion';

export type RequestOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** What a rule judges: an object against the state of the cluster. */
export interface RuleContext {
  readonly request: RequestOperation;
  /** The new object; for DELETE the one that goes. */
  readonly object: JsonObject;
  /** The stored object of an UPDATE. */
  readonly oldObject: JsonObject | null;
  readonly view: OlmView;
  /**
   * CRD upgrade safety under the policy's profile; for definitions that an InstallPlan brings.
   *
   * @throws InvalidInputError for a definition that cannot be judged
   */
  readonly crdSafety: (current: JsonObject, next: JsonObject) => readonly Finding[];
}

/** What a check says; the rule makes a finding of it. */
export interface Problem {
  readonly message: string;
  /** A rule of mode `deny` may still only warn about a case that time can mend. */
  readonly severity?: Severity;
  /** JSON path. */
  readonly path?: string;
  readonly cause?: string;
  readonly fix?: string;
  /** Of a finding that is passed on from another room. */
  readonly effect?: Effect;
  readonly version?: string;
  readonly witness?: unknown;
}

export interface RuleDefinition {
  readonly name: string;
  readonly kind: OlmKind;
  readonly requests: readonly RequestOperation[];
  /** What a finding does by default: `deny` refuses the request, `warn` never does. */
  readonly mode: 'deny' | 'warn';
  readonly family: Family;
  /** What OLM would say, or do silently, later. */
  readonly prevents: string;
  /** As `from` in ../source.ts writes it. */
  readonly source: string;
  /** Two or three sentences for a person: why, and what to do. */
  readonly explain: string;
  check(context: RuleContext): Iterable<Problem>;
}

/** A row of the table; `check` is asked for the requests that the row names. */
export interface OlmRule extends Omit<RuleDefinition, 'check'> {
  check(context: RuleContext): readonly Finding[];
}

export function defineRule(definition: RuleDefinition): OlmRule {
  const { name, kind, mode, family } = definition;
  const defaultSeverity: Severity = mode === 'deny' ? 'error' : 'warning';
  return {
    ...definition,
    check(context) {
      const meta = metaOf(context.object);
      const object = {
        apiVersion: textAt(context.object, 'apiVersion') ?? apiVersions[kind],
        kind,
        ...(meta.namespace === '' ? {} : { namespace: meta.namespace }),
        name: meta.name,
      };
      return [...definition.check(context)].map((problem) => ({
        rule: name,
        family,
        severity: defaultSeverity,
        ...problem,
        object,
        docs: docsFor(name),
      }));
    },
  };
}

const apiVersions: Readonly<Record<OlmKind, string>> = {
  OperatorGroup: 'operators.coreos.com/v1',
  ClusterServiceVersion: 'operators.coreos.com/v1alpha1',
  Subscription: 'operators.coreos.com/v1alpha1',
  InstallPlan: 'operators.coreos.com/v1alpha1',
  CatalogSource: 'operators.coreos.com/v1alpha1',
  ClusterExtension: 'olm.operatorframework.io/v1',
  ClusterVersion: 'config.openshift.io/v1',
};
