import type { JsonObject } from '../../../text/documents/index.js';
import {
  defineRule,
  type Family,
  type Finding,
  type MessageOf,
  type Messages,
  referenceTo,
  type Rule,
  type RuleDescription,
  type Severity,
} from '../../../rule/index.js';
import type { OlmView } from '../../objects/view.js';

export interface ScanContext {
  readonly view: OlmView;
  /** Objects of a kind that is followed, or of one that is only read for a scan. */
  readonly objects: (kind: string) => Iterable<JsonObject>;
  /** OpenShift's version; null elsewhere. */
  readonly clusterVersion: string | null;
  readonly now: Date;
  /** Which switch-offs an object has, and which of them do not count and why. */
  readonly switchOffs: (object: JsonObject) => {
    readonly bypasses: readonly {
      readonly description: string;
      readonly families: readonly Family[] | 'all';
    }[];
    readonly problems: readonly string[];
  };
}

type ScanProblem<Of extends Messages> = MessageOf<Of> & {
  readonly object: JsonObject;
  readonly severity?: Severity;
  readonly cause?: string;
  readonly fix?: string;
};

interface ScanRuleDefinition<Of extends Messages> extends Omit<RuleDescription, 'subject'> {
  readonly messages: Of;
  readonly kinds: readonly string[];
  judge(context: ScanContext): Iterable<ScanProblem<Of>>;
}

export type ScanRule = Rule<
  Omit<ScanRuleDefinition<Messages>, 'judge'> & {
    readonly subject: 'cluster';
    judge(context: ScanContext): readonly Finding[];
  }
>;

export function defineScanRule<const Of extends Messages>(
  definition: ScanRuleDefinition<Of>,
): ScanRule {
  const rule: ScanRule = defineRule({
    ...definition,
    subject: 'cluster',
    judge: (context: ScanContext): readonly Finding[] =>
      [...definition.judge(context)].map(({ object, ...problem }) =>
        rule.finding({ ...(problem as { id: string }), object: referenceTo(object) }),
      ),
  });
  return rule;
}
