/** One decision path: what the gate says to a request, every other door says of the same objects. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parsePolicy } from '../../src/policy/parse.js';
import type { AdmissionRequest } from '../../src/gate/admission/admission-review.js';
import { scan } from '../../src/checks/cluster-scan/scan.js';
import { review, type Reviewed } from '../../src/gate/admission/review.js';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { answerLine } from '../../src/checks/preflight/ndjson.js';
import { type Answer, judgeUpgrade } from '../../src/checks/library/upgrades.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import {
  metaOf,
  isObject,
  parseDocuments,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { textAt } from '../../src/text/documents/fields.js';
import { root, runHere } from './command.js';
import { Repository } from './repository.js';

const definition = (schema: string, metadata = '', scope = 'Namespaced'): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com, uid: u, resourceVersion: "1"${metadata} }
spec:
  group: example.com
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  scope: ${scope}
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: ${schema} } }]
status: { storedVersions: [v1] }
`;
/** {@link definition} with these versions, all served, of which the last is stored. */
const versioned = (stored: string, ...names: string[]): string =>
  definition(sized)
    .replace(
      /versions: .*/,
      `versions: [${names
        .map((name, index) => {
          const storage = String(index === names.length - 1);
          return `{ name: ${name}, served: true, storage: ${storage}, schema: { openAPIV3Schema: ${sized} } }`;
        })
        .join(', ')}]`,
    )
    .replace('storedVersions: [v1]', `storedVersions: ${stored}`);
/** An operator that owns the definition. */
const owner = (namespace: string, name = 'widgets.v1'): string =>
  member(namespace).replace('cats.v1', name).replace('cats.pets', 'widgets.example.com');
const sized = '{ type: object, properties: { size: { type: integer } } }';
const bare = '{ type: object }';
const bounded = '{ type: object, properties: { size: { type: integer, maximum: 3 } } }';
const longer = '{ type: object, properties: { size: { type: integer }, name: { type: string } } }';
/** As kubectl annotate leaves it. */
const switchedOff =
  ', annotations: { olm-guard.io/disable: all }, managedFields: [{ manager: kubectl-annotate, operation: Update, apiVersion: apiextensions.k8s.io/v1, fieldsType: FieldsV1, fieldsV1: { "f:metadata": { "f:annotations": { "f:olm-guard.io/disable": {} } } } }]';
const past = '2020-01-01T00:00:00Z';

const group = (
  name: string,
  metadata = '',
  spec = '{ targetNamespaces: [team, shared] }',
): string => `
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: { name: ${name}, namespace: ${name}, annotations: { olm.providedAPIs: Cat.v1.pets }${metadata} }
spec: ${spec}
status: { namespaces: [${name}, shared] }
`;
/** An operator that lives by its group, and provides Cat.v1.pets. */
const member = (namespace: string): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: { name: cats.v1, namespace: ${namespace}, annotations: { olm.operatorGroup: ${namespace}, olm.operatorNamespace: ${namespace}, olm.targetNamespaces: "${namespace},shared" } }
spec:
  version: 1.0.0
  installModes: [{ type: OwnNamespace, supported: true }, { type: SingleNamespace, supported: true }, { type: MultiNamespace, supported: true }, { type: AllNamespaces, supported: true }]
  customresourcedefinitions: { owned: [{ name: cats.pets, version: v1, kind: Cat }] }
status: { phase: Succeeded, reason: InstallSucceeded }
`;
const conflict = [
  group('other', '', '{ targetNamespaces: [other, shared] }'),
  member('other'),
  member('team'),
];

const subscription = (name: string): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: { name: ${name}, namespace: team }
spec: { name: cats, channel: stable, source: community, sourceNamespace: olm }
`;
const catalogSource = (spec: string): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata: { name: community, namespace: olm }
spec: ${spec}
`;
const extension = (version: string): string => `
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: { name: cats }
spec: { namespace: team, serviceAccount: { name: cats }, source: { sourceType: Catalog, catalog: { packageName: cats, version: "${version}" } } }
`;
const plan = (spec: string): string => `
apiVersion: operators.coreos.com/v1alpha1
kind: InstallPlan
metadata: { name: install-1, namespace: team }
spec: { approval: Manual, clusterServiceVersionNames: [cats.v1], ${spec} }
`;

interface Case {
  readonly when: string;
  /** What the cluster has, beside the object under review. */
  readonly cluster?: readonly string[];
  /** Left out: the object is created. */
  readonly old?: string;
  readonly proposed: string;
  readonly policy?: string;
  /** Said by the API server itself, which the gate stands behind. */
  readonly isOfServers?: true;
  /** Decided by what else the cluster has: a bundle and a program's question know nothing of it. */
  readonly isOfCluster?: true;
  readonly verdict: Verdict;
}
type Verdict = 'allowed' | 'denied';

/** A field that keeps what it does not know. */
const open = (known: string): string =>
  `{ type: object, properties: { settings: { type: object, ${known}x-kubernetes-preserve-unknown-fields: true } } }`;

/** An integer without a format, and with one. */
const counted = {
  old: definition(sized),
  proposed: definition('{ type: object, properties: { size: { type: integer, format: int32 } } }'),
};

const cases: readonly Case[] = [
  {
    when: 'a field is added',
    old: definition(sized),
    proposed: definition(longer),
    verdict: 'allowed',
  },
  {
    when: 'a field is removed',
    old: definition(sized),
    proposed: definition(bare),
    verdict: 'denied',
  },
  ...['', 'enforce: proven'].flatMap((policy): Case[] => [
    {
      when: `a description changes under ${policy === '' ? 'the defaults' : policy}`,
      old: definition(sized),
      proposed: definition(sized.replace('{ type: object', '{ type: object, description: other')),
      policy,
      verdict: 'allowed',
    },
    {
      when: `objects break under ${policy === '' ? 'the defaults' : policy}`,
      old: definition(sized),
      proposed: definition(bounded),
      policy,
      verdict: 'denied',
    },
  ]),
  {
    when: 'a description changes, and all that OLM refuses is denied',
    old: definition(sized),
    proposed: definition(sized.replace('{ type: object', '{ type: object, description: other')),
    policy: 'enforce: all',
    verdict: 'denied',
  },
  {
    when: 'a rule only warns',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'modes: { NoExistingFieldRemoved: warn, ChangeValidator: audit }',
    verdict: 'allowed',
  },
  {
    when: 'the family only warns, and one of its rules denies',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'modes: { crd-upgrade-safety: warn, NoExistingFieldRemoved: deny }',
    verdict: 'denied',
  },
  {
    when: 'the version has promised nothing',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'promises: [{ versions: [v1], mode: audit }]',
    verdict: 'allowed',
  },
  {
    when: 'another version has promised nothing',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'promises: [{ versions: ["v1alpha*"], mode: audit }]',
    verdict: 'denied',
  },
  {
    when: 'what goes was deprecated',
    old: definition(sized.replace('type: integer', 'type: integer, description: "Deprecated: n"')),
    proposed: definition(bare),
    policy: 'promises: [{ deprecated: true, mode: warn }]',
    verdict: 'allowed',
  },
  {
    when: 'a harmless field is added to what is frozen',
    old: definition(sized),
    proposed: definition(longer),
    policy: 'promises: [{ versions: [v1], mode: frozen }]',
    verdict: 'denied',
  },
  {
    when: 'a promise excuses what Kubernetes itself refuses',
    old: definition(sized),
    proposed: definition(sized, '', 'Cluster'),
    policy: 'promises: [{ rules: [NoScopeChange], mode: audit }]',
    isOfServers: true,
    verdict: 'denied',
  },
  {
    when: 'it is exempt',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'exemptions: [{ names: [widgets.*] }]',
    verdict: 'allowed',
  },
  {
    when: 'the exemption has expired',
    old: definition(sized),
    proposed: definition(bare),
    policy: `exemptions: [{ names: [widgets.*], until: "${past}" }]`,
    verdict: 'denied',
  },
  ...(['deny', 'warn'] as const).map((mode): Case => ({
    when: `the rules allow what is proven to break, and that is to ${mode}`,
    old: definition(open('')),
    proposed: definition(open('properties: { size: { type: integer } }, ')),
    policy: `enforce: proven\nmodes: { Proof: ${mode} }`,
    verdict: mode === 'deny' ? 'denied' : 'allowed',
  })),
  {
    when: 'only proven harm is denied, and there is none',
    old: definition('{ type: object, properties: { size: { type: integer, default: 1 } } }'),
    proposed: definition('{ type: object, properties: { size: { type: integer, default: 2 } } }'),
    policy: 'enforce: proven',
    verdict: 'allowed',
  },
  {
    when: 'only proven harm is denied, and there is',
    old: definition(sized),
    proposed: definition(bounded),
    policy: 'enforce: proven',
    verdict: 'denied',
  },
  ...(['Allow', 'Disallow'] as const).map((additionPolicy): Case => ({
    when: `crdify is to ${additionPolicy.toLowerCase()} values that are added to an enum`,
    old: definition('{ type: object, properties: { size: { type: string, enum: [a] } } }'),
    proposed: definition('{ type: object, properties: { size: { type: string, enum: [a, b] } } }'),
    policy: `profile: crdify\nenforce: all\ncrdify: { enum: { additionPolicy: ${additionPolicy} } }`,
    verdict: additionPolicy === 'Allow' ? 'allowed' : 'denied',
  })),
  {
    when: 'only labels change',
    old: definition(sized),
    proposed: definition(sized, ', labels: { a: b }'),
    policy: 'ratchet: false',
    verdict: 'allowed',
  },
  {
    when: 'the request brings its own switch-off',
    old: definition(sized),
    proposed: definition(bare, ', annotations: { olm-guard.io/disable: all }'),
    verdict: 'denied',
  },
  {
    when: 'no switch-off is allowed',
    old: definition(sized, ', annotations: { olm-guard.io/disable: all }'),
    proposed: definition(bare, ', annotations: { olm-guard.io/disable: all }'),
    policy: 'bypass: { allowed: false }',
    verdict: 'denied',
  },
  ...['', 'profile: proof', 'profile: crdify', 'enforce: proven'].map((policy): Case => ({
    when: `a stored version is removed under ${policy === '' ? 'the defaults' : policy}`,
    old: versioned('[v1alpha1, v1]', 'v1alpha1', 'v1'),
    proposed: versioned('[v1alpha1, v1]', 'v1'),
    policy,
    verdict: 'denied',
  })),
  ...['', 'profile: crdify', 'enforce: proven'].map((policy): Case => ({
    when: `the scope changes under ${policy === '' ? 'the defaults' : policy}`,
    old: definition(sized),
    proposed: definition(sized, '', 'Cluster'),
    policy,
    verdict: 'denied',
  })),
  {
    when: 'a served version goes, and one operator owns the definition',
    cluster: [owner('one')],
    old: versioned('[v1]', 'v1alpha1', 'v1'),
    proposed: versioned('[v1]', 'v1'),
    verdict: 'allowed',
  },
  {
    when: 'a served version goes, and two operators own the definition',
    cluster: [owner('one'), owner('two')],
    old: versioned('[v1]', 'v1alpha1', 'v1'),
    proposed: versioned('[v1]', 'v1'),
    isOfCluster: true,
    verdict: 'denied',
  },
  {
    when: 'a served version goes, and one of two owners replaces the other',
    cluster: [
      owner('one'),
      owner('one', 'widgets.v2').replace(
        'version: 1.0.0',
        'version: 1.1.0\n  replaces: widgets.v1',
      ),
    ],
    old: versioned('[v1]', 'v1alpha1', 'v1'),
    proposed: versioned('[v1]', 'v1'),
    verdict: 'allowed',
  },
  { when: 'a group beside nobody', proposed: group('team'), verdict: 'allowed' },
  { when: 'a group in conflict', cluster: conflict, proposed: group('team'), verdict: 'denied' },
  {
    when: 'a group in conflict already gets a label, without a ratchet',
    cluster: conflict,
    old: group('team'),
    proposed: group('team', ', labels: { a: b }'),
    policy: 'ratchet: false',
    verdict: 'allowed',
  },
  {
    when: 'a group in conflict already gets an annotation, by the ratchet',
    cluster: conflict,
    old: group('team'),
    proposed: group('team').replace('Cat.v1.pets', 'Cat.v1.pets, note: x'),
    verdict: 'allowed',
  },
  {
    when: 'a conflict that the policy exempts',
    cluster: conflict,
    proposed: group('team'),
    policy: 'exemptions: [{ rules: [OperatorGroupIntersection], names: [team] }]',
    verdict: 'allowed',
  },
  {
    when: 'a conflict that only warns',
    cluster: conflict,
    proposed: group('team'),
    policy: 'modes: { operator-groups: warn }',
    verdict: 'allowed',
  },
  {
    when: 'a group in conflict already gets an annotation, without a ratchet',
    cluster: conflict,
    old: group('team'),
    proposed: group('team').replace('Cat.v1.pets', 'Cat.v1.pets, note: x'),
    policy: 'ratchet: false',
    verdict: 'denied',
  },
  {
    when: 'a group in conflict already gets other targets, without a ratchet',
    cluster: conflict,
    old: group('team'),
    proposed: group('team', '', '{ targetNamespaces: [team, shared, more] }'),
    policy: 'ratchet: false',
    verdict: 'denied',
  },
  {
    when: 'the definition has been switched off by itself',
    old: definition(sized, switchedOff),
    proposed: definition(bare, switchedOff),
    verdict: 'allowed',
  },
  {
    when: 'what changed is exempt by its name',
    old: definition(sized),
    proposed: definition(bare),
    policy: 'exemptions: [{ rules: [FieldRemoved], groups: [example.com] }]',
    verdict: 'allowed',
  },
  {
    when: 'a rule that no reference has is set to deny',
    old: definition('{ type: object, properties: { size: { type: string, enum: [a] } } }'),
    proposed: definition('{ type: object, properties: { size: { type: string, enum: [a, b] } } }'),
    policy: 'modes: { EnumValueAdded: deny }',
    verdict: 'denied',
  },
  {
    when: 'an API server refuses the definition',
    old: definition(sized),
    proposed: definition(
      '{ type: object, properties: { size: { type: integer, default: text } } }',
    ),
    policy: 'modes: { crd-upgrade-safety: audit }',
    isOfServers: true,
    verdict: 'denied',
  },
  {
    ...counted,
    when: 'a format of numbers is new, for no minor',
    policy: 'enforce: proven',
    verdict: 'allowed',
  },
  {
    ...counted,
    when: 'a format of numbers is new, for minors that ignore it',
    policy: 'kubernetes: 1.30..1.35',
    verdict: 'allowed',
  },
  {
    ...counted,
    when: 'a format of numbers is new, for a minor that holds numbers to it',
    policy: 'kubernetes: 1.30..1.36',
    verdict: 'denied',
  },
  {
    ...counted,
    when: 'a format of numbers is new under the proof, for a minor that holds numbers to it',
    policy: 'profile: proof\nkubernetes: 1.36+',
    verdict: 'denied',
  },
  { when: 'an operator without a group', proposed: member('team'), verdict: 'allowed' },
  {
    when: 'an operator without a group, where that is denied',
    proposed: member('team'),
    policy: 'modes: { NoOperatorGroup: deny }',
    verdict: 'denied',
  },
  {
    when: 'an operator whose APIs another group has',
    cluster: [...conflict.slice(0, 2), group('team')],
    proposed: member('team').replace('annotations: {', 'annotations: { x: y,'),
    verdict: 'denied',
  },
  {
    when: 'the same under a policy that denies only what is proven',
    cluster: [...conflict.slice(0, 2), group('team')],
    proposed: member('team').replace('annotations: {', 'annotations: { x: y,'),
    policy: 'enforce: proven',
    verdict: 'denied',
  },
  {
    when: 'a second subscription to a package',
    cluster: [group('team'), subscription('first')],
    proposed: subscription('second'),
    policy: 'modes: { DuplicateSubscription: deny }',
    verdict: 'denied',
  },
  {
    when: 'a second subscription to a package, exempt',
    cluster: [group('team'), subscription('first')],
    proposed: subscription('second'),
    policy:
      'modes: { DuplicateSubscription: deny }\nexemptions: [{ rules: [DuplicateSubscription], names: [second] }]',
    verdict: 'allowed',
  },
  {
    when: 'a catalog whose image nobody can pull',
    proposed: catalogSource('{ sourceType: grpc }'),
    verdict: 'denied',
  },
  {
    when: 'a catalog whose image nobody can pull, where that is only noted',
    proposed: catalogSource('{ sourceType: grpc }'),
    policy: 'modes: { CatalogSourceSpecInvalid: audit }',
    verdict: 'allowed',
  },
  {
    when: 'an extension with a range that is none',
    proposed: extension('1.2 ||'),
    verdict: 'denied',
  },
  {
    when: 'an extension with a range that is none, where that only warns',
    proposed: extension('1.2 ||'),
    policy: 'modes: { ClusterExtensionRange: warn }',
    verdict: 'allowed',
  },
  {
    when: 'a plan in a namespace of two groups',
    cluster: [group('team'), group('team').replace('name: team', 'name: second')],
    proposed: plan('approved: true'),
    verdict: 'denied',
  },
  {
    when: 'a plan in a namespace of two groups, exempt until long ago',
    cluster: [group('team'), group('team').replace('name: team', 'name: second')],
    proposed: plan('approved: true'),
    policy: `exemptions: [{ families: [install-plans], until: "${past}" }]`,
    verdict: 'denied',
  },
];

/** A case with its objects and files. */
interface Asked extends Case {
  readonly kind: string;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  readonly policyText: string;
  /** A folder of its own. */
  readonly home: string;
}

interface Door {
  readonly name: string;
  readonly asks: (asked: Asked) => boolean;
  readonly verdict: (asked: Asked) => Promise<Verdict>;
}

const byPolicy = ['--policy', 'policy.yaml'];

const isUpdate = ({ kind, old }: Asked): boolean =>
  kind === 'CustomResourceDefinition' && old !== undefined;

/** Nobody switches off or exempts by the name of a definition what a catalog or a plan brings. */
function isAskedOfCatalogs(asked: Asked): boolean {
  return (
    isUpdate(asked) &&
    asked.isOfServers !== true &&
    asked.isOfCluster !== true &&
    /^((enforce|profile|crdify|kubernetes): .*\n?)*$/.test(asked.policy ?? '') &&
    !asked.old?.includes('olm-guard.io/disable')
  );
}

function isAskedOfPrograms(asked: Asked): boolean {
  return isUpdate(asked) && asked.isOfCluster !== true && asked.isOfServers !== true;
}

function answerTo(operation: string, input: JsonObject, policyText?: string): Verdict {
  const policy =
    policyText === undefined ? undefined : parsePolicy(policyText, 'policy.yaml', ruleNames);
  const line = { number: 1, bytes: Buffer.from(stringifyJson({ operation, input })) };
  return verdictIn(JSON.parse(answerLine(line, { maxBytes: 1e6, policy })) as Answer);
}

function verdictIn({ verdict, error }: Answer): Verdict {
  expect(error).to.equal(undefined);
  return verdict?.allowed === true ? 'allowed' : 'denied';
}

const observed = [
  ...['crd-upgrade-safety', 'stored-objects', 'operator-groups'],
  ...['install-plans', 'catalogs', 'resolution'],
];

const doors: readonly Door[] = [
  { name: 'the gate', asks: ({ isOfServers }) => isOfServers !== true, verdict: atTheGate },
  {
    // In the first week: nothing is denied, and what would be is counted.
    name: 'the gate that observes',
    asks: ({ isOfServers, policy = '' }) => isOfServers !== true && !policy.includes('modes:'),
    verdict: async (asked) => {
      const modes = observed.map((family) => `${family}: audit`).join(', ');
      const policyText = `${asked.policyText}modes: { ${modes} }\n`;
      const { response, decided } = await reviewAtTheGate({ ...asked, policyText });
      if (!response.allowed) return 'denied';
      const isCounted = decided.some(({ wouldDeny }) => wouldDeny);
      const notes = response.auditAnnotations ?? {};
      expect('would-deny' in notes).to.equal(isCounted);
      return isCounted ? 'denied' : 'allowed';
    },
  },
  {
    name: 'check crd',
    asks: isUpdate,
    verdict: ({ home }) => byCommand(home, 'check', 'crd', 'state', 'proposed.yaml', ...byPolicy),
  },
  {
    name: 'check crd, without a policy',
    asks: (asked) => isUpdate(asked) && (asked.policy ?? '') === '',
    verdict: ({ home }) => byCommand(home, 'check', 'crd', 'state', 'proposed.yaml'),
  },
  {
    name: 'the Action, of a pull request',
    asks: isAskedOfCatalogs,
    verdict: ({ home, old = '', proposed, policy = '' }) => {
      const repository = new Repository({ 'crds/definition.yaml': old });
      repository.commit('main');
      repository.git('checkout', '-q', '-b', 'pull');
      repository.write({ 'crds/definition.yaml': proposed });
      repository.commit('pull request');
      const { status, stderr } = spawnSync('bash', [join(root, 'action', 'check.sh')], {
        cwd: repository.folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...{ CHECK_OLD: 'main', CHECK_PATHS: 'crds' },
          OLM_GUARD: `${process.execPath} ${join(root, 'dist', 'main.js')}`,
          POLICY: policy === '' ? '' : join(home, 'policy.yaml'),
          GITHUB_STEP_SUMMARY: join(home, 'summary.md'),
        },
      });
      repository.remove();
      expect(status, stderr).to.be.oneOf([0, 1]);
      return Promise.resolve(status === 0 ? 'allowed' : 'denied');
    },
  },
  {
    name: 'catalog diff',
    asks: isAskedOfCatalogs,
    verdict: ({ home, policy = '', ...asked }) => {
      writeCatalogs(home, asked);
      const args = ['catalog', 'diff', 'published', 'next', '--bundles', 'bundles'];
      return byCommand(home, ...args, ...(policy === '' ? [] : ['--policy', 'policy.yaml']));
    },
  },
  {
    name: 'scan, of a plan that brings the definition',
    asks: isAskedOfCatalogs,
    verdict: async ({ object, oldObject, policyText }) => {
      const policy = parsePolicy(policyText, 'policy.yaml', ruleNames);
      const state = FolderState.of([oldObject ?? {}, planBringing(object)]);
      const { results, unchecked } = await scan(state, { policy, now: new Date() });
      expect(unchecked.join()).to.not.include('cannot be judged');
      const found = results.find(({ name }) => name === 'InstallPlan team/install-1');
      return found?.verdict.allowed === false ? 'denied' : 'allowed';
    },
  },
  {
    name: 'the gate, of a plan that brings the definition',
    asks: isAskedOfCatalogs,
    verdict: ({ cluster = [], old = '', object, ...asked }) =>
      atTheGate({
        ...asked,
        cluster: [...cluster, old],
        ...{ old: '', kind: 'InstallPlan', object: planBringing(object), oldObject: null },
      }),
  },
  {
    // Switch-offs are on objects of a cluster, and a bundle is on none.
    name: 'check bundle',
    asks: (asked) =>
      isUpdate(asked) && asked.isOfCluster !== true && !asked.old?.includes('olm-guard.io/disable'),
    verdict: async ({ home, old = '', proposed }) => {
      writeBundle(join(home, 'old'), 'operator.v1.0.0', '', old);
      writeBundle(join(home, 'new'), 'operator.v1.1.0', 'replaces: operator.v1.0.0', proposed);
      return byCommand(home, 'check', 'bundle', 'new', '--against', 'old', ...byPolicy);
    },
  },
  {
    // No program's question knows what else the cluster has.
    name: 'the operation crd, by NDJSON',
    asks: isAskedOfPrograms,
    verdict: ({ object, oldObject, policyText, policy = '' }) =>
      Promise.resolve(
        answerTo('crd', { old: oldObject, new: object }, policy === '' ? undefined : policyText),
      ),
  },
  {
    name: 'the operation crd, by the name of a profile',
    asks: (asked) => isAskedOfPrograms(asked) && /^profile: \S+$/.test(asked.policy ?? ''),
    verdict: ({ object, oldObject, policy = '' }) => {
      const profile = policy.slice('profile: '.length);
      return Promise.resolve(answerTo('crd', { old: oldObject, new: object, profile }));
    },
  },
  {
    name: 'the operation bundle, by NDJSON',
    asks: (asked) => isAskedOfPrograms(asked) && !asked.old?.includes('olm-guard.io/disable'),
    verdict: ({ home, old = '', proposed, policyText, policy = '' }) => {
      const files = (
        folder: string,
        version: string,
        replaces: string,
        crd: string,
      ): JsonObject => {
        writeBundle(join(home, folder), `operator.v${version}`, replaces, crd);
        const names = ['manifests/crd.yaml', 'manifests/csv.yaml', 'metadata/annotations.yaml'];
        return Object.fromEntries(
          names.map((name) => [name, readFileSync(join(home, folder, name), 'utf8')]),
        );
      };
      const against = files('asked-old', '1.0.0', '', old);
      const input = {
        files: files('asked-new', '1.1.0', 'replaces: operator.v1.0.0', proposed),
        against,
      };
      return Promise.resolve(answerTo('bundle', input, policy === '' ? undefined : policyText));
    },
  },
  {
    name: 'the library',
    asks: (asked) => isAskedOfPrograms(asked) && (asked.policy ?? '') === '',
    verdict: ({ object, oldObject }) =>
      Promise.resolve(verdictIn(judgeUpgrade(oldObject ?? {}, object))),
  },
  {
    name: 'check operatorgroup',
    asks: ({ kind }) => kind === 'OperatorGroup',
    verdict: ({ home }) =>
      byCommand(home, 'check', 'operatorgroup', 'proposed.yaml', '--state', 'state', ...byPolicy),
  },
  {
    // The same once it is there.
    name: 'scan',
    asks: ({ kind, old }) => kind !== 'CustomResourceDefinition' && old === undefined,
    verdict: async ({ cluster = [], kind, object, policyText }) => {
      const policy = parsePolicy(policyText, 'policy.yaml', ruleNames);
      const state = FolderState.of([...objectsOf(cluster), object]);
      const { results } = await scan(state, { policy, now: new Date() });
      const { namespace, name } = metaOf(object);
      const called = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
      const found = results.find((each) => each.name === called);
      return found?.verdict.allowed === false ? 'denied' : 'allowed';
    },
  },
];

describe('every door gives one verdict', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-doors-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, each] of cases.entries()) {
    const [object] = objectsOf([each.proposed]);
    if (object === undefined) throw new Error(`nothing is proposed: ${each.when}`);
    const [oldObject = null] = objectsOf(each.old === undefined ? [] : [each.old]);
    const kind = textAt(object, 'kind') ?? '';
    const policyText = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n${each.policy ?? ''}\n`;

    it(`${each.when}: ${each.verdict}`, async () => {
      const home = join(folder, String(index));
      mkdirSync(join(home, 'state'), { recursive: true });
      const there = [...(each.cluster ?? []), ...(each.old === undefined ? [] : [each.old])];
      writeFileSync(join(home, 'state', 'cluster.yaml'), there.join('---\n'));
      writeFileSync(join(home, 'proposed.yaml'), each.proposed);
      writeFileSync(join(home, 'policy.yaml'), policyText);
      const asked = { ...each, kind, object, oldObject, policyText, home };
      const said: string[] = [];
      for (const door of doors.filter(({ asks }) => asks(asked))) {
        said.push(`${door.name}: ${await door.verdict(asked)}`);
      }
      expect(said.length).to.be.greaterThan(1);
      const expected = said.map((line) => line.replace(/: \w+$/, `: ${each.verdict}`));
      expect(said).to.deep.equal(expected);
    });
  }
});

function objectsOf(texts: readonly string[]): JsonObject[] {
  return texts.flatMap((text) =>
    parseDocuments(Buffer.from(text), {})
      .map(({ value }) => value)
      .filter(isObject),
  );
}

/** An approved plan whose one step is the definition. */
function planBringing(definition: JsonObject): JsonObject {
  const kind = 'CustomResourceDefinition';
  const resource = { kind, name: metaOf(definition).name, manifest: stringifyJson(definition) };
  const step = { resolving: 'cats.v1', status: 'Unknown', resource };
  const [approved = {}] = objectsOf([plan('approved: true')]);
  return { ...approved, status: { phase: 'Installing', plan: [step] } };
}

async function byCommand(home: string, ...args: string[]): Promise<Verdict> {
  const { code, stderr } = await runHere(args, { cwd: home });
  expect(code, stderr).to.be.oneOf([0, 1]);
  return code === 0 ? 'allowed' : 'denied';
}

/** A catalog before and after a release, and the bundles of both. */
function writeCatalogs(
  home: string,
  { old = '', proposed }: Pick<Asked, 'old' | 'proposed'>,
): void {
  writeBundle(join(home, 'bundles', 'old'), 'operator.v1.0.0', '', old);
  writeBundle(
    join(home, 'bundles', 'new'),
    'operator.v1.1.0',
    'replaces: operator.v1.0.0',
    proposed,
  );
  const bundle = (version: string): string =>
    `---\n{ schema: olm.bundle, package: operator, name: operator.v${version}, image: quay.io/operator@sha256:${'0'.repeat(64)}, properties: [{ type: olm.package, value: { packageName: operator, version: ${version} } }] }\n`;
  const catalog = (entries: string, ...versions: string[]): string =>
    `---\n{ schema: olm.package, name: operator, defaultChannel: stable }\n---\n{ schema: olm.channel, package: operator, name: stable, entries: [${entries}] }\n${versions.map(bundle).join('')}`;
  const first = '{ name: operator.v1.0.0 }';
  const both = `${first}, { name: operator.v1.1.0, replaces: operator.v1.0.0 }`;
  const catalogs = {
    published: catalog(first, '1.0.0'),
    next: catalog(both, '1.0.0', '1.1.0'),
  };
  for (const [folder, text] of Object.entries(catalogs)) {
    mkdirSync(join(home, folder));
    writeFileSync(join(home, folder, 'catalog.yaml'), text);
  }
}

/** A bundle with the definition and the operator that owns it. */
function writeBundle(folder: string, name: string, replaces: string, crd: string): void {
  mkdirSync(join(folder, 'manifests'), { recursive: true });
  mkdirSync(join(folder, 'metadata'));
  const modes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];
  const prefix = 'operators.operatorframework.io.bundle';
  const files: Record<string, string> = {
    'manifests/crd.yaml': crd,
    'manifests/csv.yaml': `
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: { name: ${name} }
spec:
  version: ${name.slice('operator.v'.length)}
  ${replaces}
  installModes: [${modes.map((type) => `{ type: ${type}, supported: true }`).join(', ')}]
  customresourcedefinitions: { owned: [{ name: widgets.example.com, version: v1, kind: Widget }] }
`,
    'metadata/annotations.yaml': `
annotations:
  ${prefix}.mediatype.v1: registry+v1
  ${prefix}.manifests.v1: manifests/
  ${prefix}.metadata.v1: metadata/
  ${prefix}.package.v1: widgets
  ${prefix}.channels.v1: stable
  ${prefix}.channel.default.v1: stable
`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

async function atTheGate(asked: Asked): Promise<Verdict> {
  return (await reviewAtTheGate(asked)).response.allowed ? 'allowed' : 'denied';
}

function reviewAtTheGate({ cluster = [], old = '', ...asked }: Asked): Promise<Reviewed> {
  const { kind, object, oldObject, policyText } = asked;
  const state = FolderState.of(objectsOf([...cluster, old]));
  const [group = '', version = ''] = (textAt(object, 'apiVersion') ?? '').split('/');
  const { name, namespace } = metaOf(object);
  const request: AdmissionRequest = {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    name,
    ...(namespace === '' ? {} : { namespace }),
    operation: oldObject === null ? 'CREATE' : 'UPDATE',
    userInfo: { username: 'admin', groups: ['system:masters'] },
    object,
    oldObject,
  };
  return review(request, createReviewers(state), {
    policy: parsePolicy(policyText, 'policy.yaml', ruleNames),
    view: state.cluster,
    judge: judgeHere,
    caller: 'api-server',
    now: new Date(),
  });
}
