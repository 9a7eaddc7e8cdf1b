/**
 * The type of a rule. `explain`, the pages of docs/rules, the descriptions in SARIF and the names that a policy may
 * use are all derived from this one object; a rule is in a file of its own, named after its id.
 */
import { docsFor, type Audience, type Family, type Finding, type Severity } from './finding.js';
import { renderMessage, type MessageData, type MessageOf, type Messages } from './message.js';

/** Subjects of rules, in the order of docs/rules.md. */
export const subjects = [
  'CustomResourceDefinition',
  'clients',
  'server-side apply',
  'readers',
  'display',
  'rollback',
  'stored objects',
  'manifests',
  'consumers',
  'chart',
  'conversion',
  'switch-off',
  'promises',
  'OperatorGroup',
  'ClusterServiceVersion',
  'Subscription',
  'InstallPlan',
  'CatalogSource',
  'ClusterExtension',
  'ClusterVersion',
  'bundle',
  'catalog',
  'catalog update',
  'resolution',
  'cluster',
] as const;
export type Subject = (typeof subjects)[number];

interface RuleExample {
  /**
   * The state before, as YAML documents: the old definition, bundle or catalog, or the objects on
   * the cluster. Of a CustomResourceDefinition only what matters: its `spec` and `status` in part, or
   * the schema of a custom resource's `spec`. Left out where nothing is needed.
   */
  readonly before?: string;
  /** The proposal, in the same form. */
  readonly after: string;
  readonly says: string;
  /** A proposal in which the rule finds nothing, in the same form. */
  readonly accepted?: string;
}

export interface RuleDescription {
  /** The name that findings carry and policies use: `OperatorGroupIntersection`. */
  readonly id: string;
  /** Names of the same rule in other profiles. */
  readonly aliases?: readonly string[];
  readonly family: Family;
  readonly audience?: Audience;
  readonly subject: Subject;
  readonly severity: Severity;
  /** The condition that it checks, in one sentence. */
  readonly checks: string;
  /** The sentence for a reader who may not learn of other objects: about the one under review. */
  readonly withoutNames?: string;
  /** The harm otherwise, and when it shows. */
  readonly why: string;
  /** The later answer of OLM, opm or the API server, in their words. */
  readonly otherwise?: string;
  /** How to have the same without harm. */
  readonly instead: string;
  /** Where the rule comes from: repository and function, or the page of a public document. */
  readonly source: string;
  /** The texts of its findings; none where they repeat the reference. */
  readonly messages?: Messages;
  readonly example: RuleExample;
  /** A switch-off that a namespace's owner can write reaches only rules that protect that namespace. */
  readonly protects?: 'own-namespace' | 'other-namespaces' | 'cluster';
  /** The part that it judges: the object’s content by default, or metadata that controllers act upon. */
  readonly about?: 'content' | 'bookkeeping';
  /** OLM does not upgrade while it finds something, although what it finds is allowed. */
  readonly blocksUpgrade?: boolean;
  /** The API server refuses what its errors say, whatever is switched off here. */
  readonly refusedByServer?: boolean;
  /** It is about what a definition does to objects, so `enforce: proven` waits for the proof. */
  readonly awaitsProof?: boolean;
  /** Findings of several rules about one version that goes are shown as one, and those of one rule about a field and its fields. */
  readonly groupsWith?: 'removed-version' | 'removed-field';
}

type Unworded = Omit<Finding, 'rule' | 'family' | 'severity' | 'docs' | 'message' | 'id' | 'data'> &
  Partial<Pick<Finding, 'rule' | 'severity'>>;

/** The words of a finding: one of the rule's messages, or a text of the reference. */
export type Words =
  { readonly message: string } | { readonly id: string; readonly data?: MessageData };

type WordsOf<Definition extends RuleDescription> = Definition extends {
  readonly messages: infer Of extends Messages;
}
  ? MessageOf<Of>
  : 'messages' extends keyof Definition
    ? Words
    : { readonly message: string };

/** The part of a finding that differs from case to case. */
export type Remark<Of = Words> = Unworded & Of;

export type Rule<Definition extends RuleDescription = RuleDescription> = Definition & {
  /** Makes a finding of a remark; without a severity of its own it has the rule's. */
  finding(remark: Remark<WordsOf<Definition>>): Finding;
};

/** Makes a rule of its description and of what finds its cases. */
export function defineRule<const Definition extends RuleDescription>(
  definition: Definition,
): Rule<Definition> {
  const { id, family, severity, audience, messages } = definition;
  const docs = docsFor(id);
  const finding = (remark: Remark): Finding => ({
    rule: id,
    family,
    severity,
    audience,
    docs,
    ...remark,
    message: formatWords(remark, messages),
  });
  return { ...definition, finding } as Rule<Definition>;
}

type Common = Pick<RuleDescription, 'subject' | 'family'>;

/** As {@link defineRule}, for rules that share a subject, a family and perhaps more. */
export function rulesWith<const Shared extends Common>(shared: Shared) {
  return <const Own extends Omit<RuleDescription, keyof Common>>(own: Own): Rule<Own & Shared> =>
    defineRule<Own & Shared>({ ...own, ...shared });
}

/** @throws Error for an id that no message has */
export function formatWords(words: Words, messages: Messages = {}): string {
  if ('message' in words) return words.message;
  const { id, data } = words;
  const text = messages[id];
  if (text === undefined) throw new Error(`no message of the rule is called ${id}`);
  return renderMessage(text, data);
}

/** Every name by which findings and policies may call the rule. */
export function namesOf({ id, aliases = [] }: RuleDescription): readonly string[] {
  return [id, ...aliases];
}
