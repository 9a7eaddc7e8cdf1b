/** One decision path: what the gate says to a request, a command says of the same files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parsePolicy } from '../../src/check/parse.js';
import { scan } from '../../src/check/scan.js';
import type { AdmissionRequest } from '../../src/doors/admission/admission-review.js';
import { review } from '../../src/doors/admission/review.js';
import { createReviewers } from '../../src/doors/admission/reviewers.js';
import { judgeHere } from '../../src/doors/admission/testing/judge-here.js';
import { FolderState } from '../../src/facts/olm-state/folder-state.js';
import { ruleNames } from '../../src/operations/rules.js';
import { isObject, parseDocuments, type JsonObject } from '../../src/text/documents/index.js';
import { run } from './command.js';

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
const sized = '{ type: object, properties: { size: { type: integer } } }';
const bare = '{ type: object }';
const bounded = '{ type: object, properties: { size: { type: integer, maximum: 3 } } }';
const longer = '{ type: object, properties: { size: { type: integer }, name: { type: string } } }';
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

interface Case {
  readonly when: string;
  /** What the cluster has, beside the object under review. */
  readonly cluster?: readonly string[];
  /** Left out: the object is created. */
  readonly old?: string;
  readonly proposed: string;
  readonly policy?: string;
  readonly verdict: 'allowed' | 'denied';
}

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
];

describe('every door gives one verdict', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-doors-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [index, each] of cases.entries()) {
    it(`${each.when}: ${each.verdict}`, async () => {
      const policyText = `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\n${each.policy ?? ''}\n`;
      const isDefinition = each.proposed.includes('CustomResourceDefinition');
      expect(await atTheGate(each, policyText)).to.equal(each.verdict);

      const home = join(folder, String(index));
      const state = join(home, 'state');
      mkdirSync(state, { recursive: true });
      const there = [...(each.cluster ?? []), ...(each.old === undefined ? [] : [each.old])];
      writeFileSync(join(state, 'cluster.yaml'), there.join('---\n'));
      const [proposed, policy] = [join(home, 'proposed.yaml'), join(home, 'policy.yaml')];
      writeFileSync(proposed, each.proposed);
      writeFileSync(policy, policyText);
      const command = isDefinition
        ? ['check', 'crd', state, proposed]
        : ['check', 'operatorgroup', proposed, '--state', state];
      const { code, stderr } = await run([...command, '--policy', policy]);
      expect(code, stderr).to.equal(each.verdict === 'allowed' ? 0 : 1);

      if (!isDefinition && each.old === undefined) {
        expect(await byScan(each, policyText)).to.equal(each.verdict);
      }
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

async function atTheGate(each: Case, policyText: string): Promise<string> {
  const [object] = objectsOf([each.proposed]);
  const [oldObject = null] = objectsOf(each.old === undefined ? [] : [each.old]);
  const isDefinition = object?.['kind'] === 'CustomResourceDefinition';
  const state = FolderState.of(objectsOf([...(each.cluster ?? []), each.old ?? '']));
  const group = isDefinition ? 'apiextensions.k8s.io' : 'operators.coreos.com';
  const request: AdmissionRequest = {
    uid: 'u',
    kind: {
      group,
      version: 'v1',
      kind: isDefinition ? 'CustomResourceDefinition' : 'OperatorGroup',
    },
    resource: {
      group,
      version: 'v1',
      resource: isDefinition ? 'customresourcedefinitions' : 'operatorgroups',
    },
    name: isDefinition ? 'widgets.example.com' : 'team',
    ...(isDefinition ? {} : { namespace: 'team' }),
    operation: oldObject === null ? 'CREATE' : 'UPDATE',
    userInfo: { username: 'admin', groups: ['system:masters'] },
    object: object ?? null,
    oldObject,
  };
  const { response } = await review(request, createReviewers(state), {
    policy: parsePolicy(policyText, 'policy.yaml', ruleNames),
    view: state.cluster,
    judge: judgeHere,
    caller: 'api-server',
    now: new Date(),
  });
  return response.allowed ? 'allowed' : 'denied';
}

/** The same once it is there. */
async function byScan(each: Case, policyText: string): Promise<string> {
  const state = FolderState.of(objectsOf([...(each.cluster ?? []), each.proposed]));
  const { results } = await scan(state, {
    policy: parsePolicy(policyText, 'policy.yaml', ruleNames),
    now: new Date(),
  });
  const found = results.find(({ name }) => name === 'OperatorGroup team/team');
  return found?.verdict.allowed === false ? 'denied' : 'allowed';
}
