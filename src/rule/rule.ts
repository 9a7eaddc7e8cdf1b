/**
 * The type of a rule. `explain`, the pages of docs/rules, the descriptions in SARIF and the names that a policy may
 * use are all derived from this one object; a rule is in a file of its own, named after its id.
 */
import {
  docsFor,
  type Audience,
  type Family,
  type Finding,
  type Severity,
  renderMessage,
  type MessageData,
  type MessageOf,
  type Messages,
  type ObjectReference,
} from './finding.js';
import { textAt } from '../text/documents/fields.js';
import { metaOf, type JsonObject } from '../text/documents/index.js';

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
  /** Findings of several rules about one removed version are shown as one, and those of one rule about a field and its fields. */
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

export function referenceTo(object: JsonObject): ObjectReference {
  const { name, namespace } = metaOf(object);
  return {
    apiVersion: textAt(object, 'apiVersion') ?? '',
    kind: textAt(object, 'kind') ?? '',
    ...(namespace === '' ? {} : { namespace }),
    name,
  };
}

export function referenceToDefinition(name: string): ObjectReference {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
}

/** `Kind namespace/name` */
export function formatReference({ kind, namespace, name }: ObjectReference): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Where a rule comes from: public pages and files, cited in the version that was read. */
type Repository = `${string}/${string}`;
type Cite = (path: `${string}.go`, ...functions: string[]) => string;

function files(repository: Repository, version: string): Cite {
  return (path, ...functions) =>
    `${repository} ${version} ${path}${functions.length === 0 ? '' : ` (${functions.join(', ')})`}`;
}

function pages(site: string): (title: string) => string {
  return (title) => `${site} documentation, “${title}”`;
}

/** The projects that rules, profiles and facts follow: the version that was read, and its day. */
export const followedVersions = {
  'operator-framework/operator-lifecycle-manager': { version: 'v0.46.0', date: '2026-07-23' },
  'operator-framework/api': { version: 'v0.45.0', date: '2026-07-21' },
  'operator-framework/operator-registry': { version: 'v1.73.0', date: '2026-07-23' },
  'operator-framework/operator-controller': { version: 'v1.11.0', date: '2026-07-23' },
  'openshift/cluster-olm-operator': { version: '9983877d', date: '2026-07-24' },
  'openshift/crd-schema-checker': { version: 'a406d101', date: '2026-05-20' },
  'kubernetes-sigs/crdify': { version: 'bb9957d', date: '2026-06-02' },
  /** The files that rules cite; verdicts are those of each minor's own release. */
  'kubernetes/apiextensions-apiserver': { version: 'v0.35.4', date: '2026-04-16' },
} as const;

/** Older ones that are followed too, because clusters have them. */
const older = {
  /** The last release with the validators that OpenShift 4.17 documents. */
  'operator-framework/operator-controller': 'v1.3.0',
  /** As operator-controller had it before v1.10. */
  'kubernetes-sigs/crdify': '54162f2',
} as const;

/** The program whose verdicts a profile repeats. */
export const followedByProfile = {
  'olm-v1': `operator-framework/operator-controller ${older['operator-framework/operator-controller']}`,
  crdify: `kubernetes-sigs/crdify ${older['kubernetes-sigs/crdify']}`,
  'olm-v1.10': `kubernetes-sigs/crdify ${followedVersions['kubernetes-sigs/crdify'].version}, as operator-framework/operator-controller ${followedVersions['operator-framework/operator-controller'].version} has it`,
} as const;

const followed = (repository: keyof typeof followedVersions): Cite =>
  files(repository, followedVersions[repository].version);

export const from = {
  olm: followed('operator-framework/operator-lifecycle-manager'),
  olmApi: followed('operator-framework/api'),
  operatorRegistry: followed('operator-framework/operator-registry'),
  operatorController: followed('operator-framework/operator-controller'),
  operatorController417: files(
    'operator-framework/operator-controller',
    older['operator-framework/operator-controller'],
  ),
  clusterOlmOperator: followed('openshift/cluster-olm-operator'),
  crdSchemaChecker: followed('openshift/crd-schema-checker'),
  crdify: files('kubernetes-sigs/crdify', older['kubernetes-sigs/crdify']),
  /** As operator-controller v1.10 and v1.11 have it. */
  crdifyOfOlm110: followed('kubernetes-sigs/crdify'),
  apiextensions: followed('kubernetes/apiextensions-apiserver'),
  helm: files('helm/helm', 'v3.20.2'),
  kubernetesPages: pages('Kubernetes'),
  openShift: pages('OpenShift'),
  olmPages: pages('OLM'),
  issue: (repository: Repository, number: number): string => `${repository}#${number}`,
  /** A rule of our own: the page of this repository that argues for it. */
  us: (page: `docs/${string}.md`): string => `olm-guard ${page}`,
} as const;

/** For a rule with more than one. */
export const sources = (...each: string[]): string => each.join('; ');
