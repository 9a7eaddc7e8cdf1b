import { metaOf, type JsonObject } from '../../../text/documents/index.js';
import {
  defineRule,
  type Finding,
  type MessageOf,
  type Messages,
  type Rule,
  type RuleDescription,
  type StoredWrites,
} from '../../../rule/index.js';
import { textAt } from '../../../text/documents/fields.js';
import type { OlmView } from '../../objects/view.js';

export type OlmKind =
  | 'OperatorGroup'
  | 'ClusterServiceVersion'
  | 'Subscription'
  | 'InstallPlan'
  | 'CatalogSource'
  | 'ClusterExtension'
  | 'ClusterVersion';

export type RequestOperation = 'CREATE' | 'UPDATE' | 'DELETE';

interface ObjectReview {
  readonly request: RequestOperation;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  /** Whether OLM itself makes the request. */
  readonly isByOlm?: boolean;
  readonly view: OlmView;
  /** For definitions that an InstallPlan brings. @throws InvalidInputError */
  readonly crdSafety: (current: JsonObject, next: JsonObject) => readonly Finding[];
}

/** The input of a rule. Facts that several rules need are found once in a review. */
export class RuleContext implements ObjectReview {
  readonly request: RequestOperation;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  readonly isByOlm: boolean;
  readonly view: OlmView;
  readonly crdSafety: ObjectReview['crdSafety'];
  readonly #facts = new Map<(context: RuleContext) => unknown, unknown>();

  constructor({ request, object, oldObject, isByOlm = false, view, crdSafety }: ObjectReview) {
    this.request = request;
    this.object = object;
    this.oldObject = oldObject;
    this.isByOlm = isByOlm;
    this.view = view;
    this.crdSafety = crdSafety;
  }

  fact<Value>(find: (context: RuleContext) => Value): Value {
    if (!this.#facts.has(find)) this.#facts.set(find, find(this));
    return this.#facts.get(find) as Value;
  }
}

/** The parts of a finding that another area has made, such as one about a definition. */
type OfOthers = 'effect' | 'harm' | 'version' | 'witness' | 'unprovable' | 'audience' | 'request';

/** A problem without its words; the rule makes a finding of it. */
export type ProblemDetails = StoredWrites &
  Partial<Pick<Finding, 'severity' | 'path' | 'cause' | 'foundBy' | OfOthers>> & {
    readonly fix?: string;
  };

export type NoMessages = Readonly<Record<never, string>>;

/** @typeParam Of the messages of the rule; none where it says what OLM says */
export type Problem<Of extends Messages = NoMessages> = ProblemDetails &
  (keyof Of extends never ? { readonly message: string } : MessageOf<Of>);

/** An OlmRuleDefinition without what all rules of its kind share. */
export interface OlmRuleBody<Of extends Messages = NoMessages> extends Omit<
  RuleDescription,
  'subject'
> {
  readonly messages?: Of;
  /** OLM's own later error, or its silent effect. */
  readonly otherwise: string;
  readonly protects: NonNullable<RuleDescription['protects']>;
  judge(context: RuleContext): Iterable<Problem<Of>>;
}

interface OlmRuleDefinition<Of extends Messages> extends OlmRuleBody<Of> {
  readonly subject: OlmKind;
  /** Absent: creates and updates. */
  readonly requests?: readonly RequestOperation[];
}

export type OlmRule = Rule<
  Omit<OlmRuleDefinition<Messages>, 'judge' | 'requests'> & {
    readonly requests: readonly RequestOperation[];
    judge(context: RuleContext): readonly Finding[];
  }
>;

export function defineOlmRule<const Of extends Messages = NoMessages>(
  definition: OlmRuleDefinition<Of>,
): OlmRule {
  const { subject, requests = ['CREATE', 'UPDATE'] } = definition;
  const rule: OlmRule = defineRule({
    ...definition,
    requests,
    judge(context: RuleContext): readonly Finding[] {
      const { namespace, name } = metaOf(context.object);
      const object = {
        apiVersion: textAt(context.object, 'apiVersion') ?? apiVersions[subject],
        kind: subject,
        ...(namespace === '' ? {} : { namespace }),
        name,
      };
      return [...definition.judge(context)].map((problem) => rule.finding({ ...problem, object }));
    },
  });
  return rule;
}

type AboutKind<Of extends Messages, Shared extends keyof OlmRuleBody> = Omit<
  OlmRuleDefinition<Of>,
  'subject' | Shared
>;

export function defineOperatorGroupRule<const Of extends Messages = NoMessages>(
  definition: AboutKind<Of, 'family'>,
): OlmRule {
  return defineOlmRule<Of>({ ...definition, subject: 'OperatorGroup', family: 'operator-groups' });
}

export function defineCsvRule<const Of extends Messages = NoMessages>(
  definition: AboutKind<Of, 'family' | 'protects'> & Partial<Pick<OlmRuleBody, 'protects'>>,
): OlmRule {
  const shared = { family: 'operator-groups', protects: 'own-namespace' } as const;
  return defineOlmRule<Of>({ ...shared, ...definition, subject: 'ClusterServiceVersion' });
}

export function defineCatalogSourceRule<const Of extends Messages = NoMessages>(
  definition: AboutKind<Of, 'family' | 'protects'>,
): OlmRule {
  const shared = { family: 'catalogs', protects: 'own-namespace' } as const;
  return defineOlmRule<Of>({ ...definition, ...shared, subject: 'CatalogSource' });
}

export function defineSubscriptionRule<const Of extends Messages = NoMessages>(
  definition: AboutKind<Of, 'protects'>,
): OlmRule {
  return defineOlmRule<Of>({ ...definition, subject: 'Subscription', protects: 'own-namespace' });
}

export function defineExtensionRule<const Of extends Messages = NoMessages>(
  definition: AboutKind<Of, 'family' | 'protects'>,
): OlmRule {
  const shared = { family: 'catalogs', protects: 'cluster' } as const;
  return defineOlmRule<Of>({ ...definition, ...shared, subject: 'ClusterExtension' });
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
