import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { FolderCluster } from '../../cluster/view/folder.js';
import {
  measureShared,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { annotated } from '../../policy/testing/annotated.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import type { AdmissionRequest } from './admission-review.js';
import { review, type Reviewed } from './review.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { customResourceDefinitionReviewer } from './custom-resource-definition.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';
import { UnfinishedError, type HeavyJudge } from './reviewer.js';
import { runWorkerTask } from './worker-tasks.js';

const apiVersion = 'apiextensions.k8s.io/v1';
const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
const now = new Date('2026-06-01T00:00:00Z');

interface Shape {
  readonly properties: JsonObject;
  readonly scope?: string;
  readonly metadata?: JsonObject;
}

function crd({ properties, scope = 'Namespaced', metadata = {} }: Shape): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', ...metadata },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
    status: { storedVersions: ['v1'] },
  };
}

const before: Shape = { properties: { size: { type: 'integer' }, color: { type: 'string' } } };
const without: Shape = { properties: { color: { type: 'string' } } };
const disable = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
const ownedBy = {
  'olm.operatorframework.io/owner-kind': 'ClusterExtension',
  'olm.operatorframework.io/owner-name': 'widgets',
};
const extension = (spec: JsonObject): JsonObject => ({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: 'widgets' },
  spec,
});
const enforcementNone = { install: { preflight: { crdUpgradeSafety: { enforcement: 'None' } } } };

interface Setting {
  readonly policy?: Partial<Policy>;
  readonly cluster?: readonly JsonObject[];
  readonly request?: Partial<AdmissionRequest>;
  readonly judge?: HeavyJudge;
  readonly body?: Buffer;
  readonly spare?: HeavyJudge;
}

async function update(old: Shape, next: Shape, setting: Setting = {}): Promise<Reviewed> {
  const request: AdmissionRequest = {
    uid: 'u',
    kind: { ...gvr, kind: 'CustomResourceDefinition' },
    resource: { ...gvr, resource: 'customresourcedefinitions' },
    name: 'widgets.example.com',
    operation: 'UPDATE',
    userInfo: { username: 'admin' },
    object: annotated(crd(next)),
    oldObject: annotated(crd(old)),
    ...setting.request,
  };
  return review(request, createReviewers(FolderState.of([])), {
    policy: { ...defaultPolicy, ...setting.policy },
    view: FolderCluster.of(setting.cluster ?? []),
    judge: setting.judge ?? judgeHere,
    spare: () => setting.spare,
    ...(setting.body === undefined ? {} : { body: measureShared(setting.body) }),
    caller: 'api-server',
    now,
  });
}

const ofNewerServers = { 'x-kubernetes-validations': [{ rule: 'ofNewerServers(self)' }] };
const removal = { old: before, next: without };
const withMetadata = (shape: Shape, metadata: JsonObject): Shape => ({ ...shape, metadata });
const labelled = { labels: ownedBy };

interface Row extends Setting {
  readonly name: string;
  readonly old: Shape;
  readonly next: Shape;
  readonly decision: Reviewed['decision'];
  readonly warnings?: readonly RegExp[];
}

const rows: Row[] = [
  { name: 'a removed field', ...removal, decision: 'denied' },
  { name: 'an added field', old: without, next: before, decision: 'allowed' },
  {
    name: 'mode warn tells every finding',
    ...removal,
    policy: { modes: new Map([['crd-upgrade-safety', 'warn']]) },
    decision: 'warned',
    warnings: [/^NoExistingFieldRemoved: .*\^\.size may not be removed \(not denied: mode warn/],
  },
  {
    name: 'enforce proven denies what loses data',
    ...removal,
    policy: { enforce: 'proven' },
    decision: 'denied',
  },
  {
    name: 'enforce proven warns about what breaks nothing, and names the rule',
    old: { properties: { size: { type: 'integer', enum: [1, 2] } } },
    next: { properties: { size: { type: 'integer', enum: [1, 2], maximum: 5 } } },
    policy: { enforce: 'proven' },
    decision: 'warned',
    warnings: [/^ChangeValidator: .*maximum.*\(not denied: it is proven that no object breaks/],
  },
  {
    name: 'enforce proven tells in one sentence what a rule refuses in several places and breaks nothing',
    old: { properties: { size: { type: 'integer', enum: [1, 2] }, color: { type: 'string' } } },
    next: {
      properties: {
        size: { type: 'integer', enum: [1, 2], maximum: 5, minimum: 0 },
        color: { type: 'string' },
      },
    },
    policy: { enforce: 'proven' },
    decision: 'warned',
    warnings: [
      /^2 changes that the rules refuse are not denied: all proven to break no object \(each by: olm-guard check crd cluster:widgets.example.com NEW\)$/,
    ],
  },
  {
    name: 'profile proof denies what it has a witness for',
    ...removal,
    policy: { profile: 'proof' },
    decision: 'denied',
  },
  {
    name: 'profile proof allows what breaks nothing',
    old: { properties: { size: { type: 'integer', enum: [1, 2] } } },
    next: { properties: { size: { type: 'integer', enum: [1, 2], maximum: 5 } } },
    policy: { profile: 'proof' },
    decision: 'allowed',
  },
  {
    name: 'a rule of the new definition that does not compile here, and did at the API server, breaks nothing',
    old: before,
    next: { properties: { ...before.properties, size: { type: 'integer', ...ofNewerServers } } },
    policy: { profile: 'proof' },
    decision: 'warned',
    warnings: [
      /^Proof: .*undecided: a validation rule is new: ofNewerServers\(self\); the validation rules of the new schema could not be evaluated/,
    ],
  },
  {
    name: 'a rule that does not compile here hides no break beside it',
    old: before,
    next: { properties: { ...without.properties, size: { type: 'string', ...ofNewerServers } } },
    policy: { profile: 'proof' },
    decision: 'denied',
  },
  {
    name: 'mode audit tells nobody',
    ...removal,
    policy: { modes: new Map([['crd-upgrade-safety', 'audit']]) },
    decision: 'allowed',
  },
  {
    name: 'one rule to deny is enough',
    ...removal,
    policy: {
      modes: new Map([
        ['crd-upgrade-safety', 'warn'],
        ['NoExistingFieldRemoved', 'deny'],
      ]),
    },
    decision: 'denied',
  },
  {
    name: 'a scope change, which Kubernetes refuses in every profile',
    old: before,
    next: { ...before, scope: 'Cluster' },
    policy: { profile: 'proof' },
    decision: 'denied',
  },
  {
    name: 'a scope change, which no proof has to show',
    old: before,
    next: { ...before, scope: 'Cluster' },
    policy: { enforce: 'proven' },
    decision: 'denied',
  },
  {
    name: 'the annotation on the stored definition',
    old: withMetadata(before, { annotations: disable }),
    next: without,
    decision: 'bypassed',
    warnings: [
      /^crd-upgrade-safety is switched off by annotation "olm-guard.io\/disable" on CustomResourceDefinition "widgets.example.com": 1 finding not enforced \(NoExistingFieldRemoved\)$/,
    ],
  },
  {
    name: "a vendor's own annotation, that only the request brings",
    old: before,
    next: withMetadata(without, { annotations: { 'olm-guard.io/disable': 'all' } }),
    decision: 'denied',
    warnings: [/does not count: only this request brings it/],
  },
  {
    name: 'setting the annotation, before it is needed',
    old: before,
    next: withMetadata(before, { annotations: disable }),
    decision: 'warned',
    warnings: [
      /^NewSwitchOff: annotation "olm-guard.io\/disable" on CustomResourceDefinition "widgets.example.com" \(crd-upgrade-safety\) counts from the next change on$/,
    ],
  },
  {
    name: 'setting it misspelt',
    old: before,
    next: withMetadata(before, { annotations: { 'olm-guard.io/disable': 'crd-safety' } }),
    decision: 'warned',
    warnings: [/"crd-safety", which is not a check family/],
  },
  {
    name: 'an expired annotation',
    old: withMetadata(before, {
      annotations: { ...disable, 'olm-guard.io/disable-until': '2026-01-01T00:00:00Z' },
    }),
    next: without,
    decision: 'denied',
    warnings: [/does not count: .* has passed; set a later time, or take the annotations away/],
  },
  {
    name: "rukpak's annotation",
    old: withMetadata(before, {
      annotations: { 'core.rukpak.io/safe-crd-upgrade-validation': 'false' },
    }),
    next: without,
    decision: 'bypassed',
    warnings: [/switched off by annotation "core.rukpak.io/],
  },
  {
    name: 'the ClusterExtension that owns the definition',
    old: withMetadata(before, labelled),
    next: without,
    cluster: [extension(enforcementNone)],
    decision: 'bypassed',
    warnings: [
      /field spec.install.preflight.crdUpgradeSafety.enforcement on ClusterExtension "widgets"/,
    ],
  },
  {
    name: 'a ClusterExtension that is not there',
    old: withMetadata(before, labelled),
    next: without,
    decision: 'denied',
  },
  {
    name: 'a ClusterExtension that owns it only by the request',
    old: before,
    next: withMetadata(without, labelled),
    cluster: [extension(enforcementNone)],
    decision: 'denied',
    warnings: [/^NewSwitchOff: .* on ClusterExtension "widgets", which it names as its owner/],
  },
  {
    name: 'a scope change that is switched off is still told',
    old: withMetadata(before, { annotations: disable }),
    next: { ...before, scope: 'Cluster' },
    decision: 'bypassed',
    warnings: [
      /1 finding not enforced \(NoScopeChange\)/,
      /^NoScopeChange: scope changed .*: Kubernetes itself refuses this$/,
    ],
  },
  {
    name: 'an exemption',
    ...removal,
    policy: { exemptions: [{ groups: ['example.com'] }] },
    decision: 'warned',
    warnings: [/^exemption of the policy: 1 finding not enforced \(NoExistingFieldRemoved\)$/],
  },
  {
    name: 'an exemption with its reason',
    ...removal,
    policy: { exemptions: [{ groups: ['example.com'], reason: 'nobody set it' }] },
    decision: 'warned',
    warnings: [/^exemption "nobody set it" of the policy: 1 finding not enforced/],
  },
  {
    name: 'an annotation that is nearly the switch-off, where it is set',
    old: before,
    next: withMetadata(before, { annotations: { 'olm-guard.io/disabel': 'all' } }),
    decision: 'warned',
    warnings: [
      /^annotation "olm-guard.io\/disabel" on CustomResourceDefinition "widgets.example.com" will not count: there is none of that name \(did you mean "olm-guard.io\/disable"\?\)$/,
    ],
  },
  {
    name: 'an annotation that is nearly the switch-off, where it stands',
    old: withMetadata(before, { annotations: { 'olmguard.io/disable': 'all' } }),
    next: without,
    decision: 'denied',
    warnings: [
      /^annotation "olmguard.io\/disable" .* does not count: there is none of that name \(did you mean "olm-guard.io\/disable"\?\)$/,
    ],
  },
  {
    name: 'an annotation whose domain is nearly ours',
    old: before,
    next: withMetadata(before, { annotations: { 'olm-gaurd.io/disable': 'all' } }),
    decision: 'warned',
    warnings: [/olm-gaurd.io\/disable.* will not count: .*did you mean "olm-guard.io\/disable"/],
  },
  {
    name: 'an annotation of another program',
    old: before,
    next: withMetadata(before, { annotations: { 'example.com/disable': 'all' } }),
    decision: 'allowed',
  },
  {
    name: 'a status write',
    ...removal,
    request: { subResource: 'status' },
    decision: 'allowed',
  },
  {
    name: 'a status write that claims a ClusterExtension',
    old: before,
    next: withMetadata(before, labelled),
    cluster: [extension(enforcementNone)],
    request: { subResource: 'status' },
    decision: 'warned',
    warnings: [/^NewSwitchOff: .* on ClusterExtension "widgets", which it names as its owner/],
  },
  {
    name: 'a status write that claims a ClusterExtension, if you may not switch off',
    old: before,
    next: withMetadata(before, labelled),
    cluster: [extension(enforcementNone)],
    policy: { bypass: { ...defaultPolicy.bypass, groups: ['switchers'] } },
    request: { subResource: 'status' },
    decision: 'denied',
  },
  {
    name: 'an object that is being deleted',
    old: withMetadata(before, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    next: withMetadata(without, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    decision: 'denied',
  },
  {
    name: 'the namespace controller',
    ...removal,
    request: {
      userInfo: { username: 'system:serviceaccount:kube-system:namespace-controller' },
    },
    decision: 'allowed',
  },
  {
    name: 'a profile of other rules, all of which are enforced',
    ...removal,
    policy: { profile: 'crdify', enforce: 'all' },
    decision: 'denied',
  },
];

describe('review', () => {
  for (const { name, old, next, decision, warnings, ...setting } of rows) {
    it(`${decision}: ${name}`, async () => {
      const reviewed = await update(old, next, setting);
      expect(reviewed.decision, reviewed.unjudged).to.equal(decision);
      expect(reviewed.response.allowed).to.equal(decision !== 'denied');
      const told = reviewed.response.warnings ?? [];
      expect(told, told.join('\n')).to.have.length(warnings?.length ?? 0);
      for (const [index, warning] of (warnings ?? []).entries()) {
        expect(told[index]).to.match(warning);
      }
    });
  }

  it('says only what is denied in the message, in the words of the reference', async () => {
    const policy = { modes: new Map([['NoExistingFieldRemoved', 'warn' as const]]) };
    const { response } = await update(before, { ...without, scope: 'Cluster' }, { policy });
    expect(response.status?.message.split('\n')).to.deep.equal([
      'widgets.example.com: scope changed from "Namespaced" to "Cluster"',
      'To fix: ship a definition with another name, and move the objects there',
      'To go on anyway: Kubernetes rejects this; it cannot be switched off here',
      'validating upgrade for CRD "widgets.example.com" failed: CustomResourceDefinition widgets.example.com failed upgrade safety validation. "NoScopeChange" validation failed: scope changed from "Namespaced" to "Cluster"',
    ]);
    expect(response.status?.details?.causes).to.have.length(1);
  });

  it('writes the rollback into the audit log, and warns of it, where the policy asks', async () => {
    const next: Shape = { properties: { ...before.properties, extra: { type: 'string' } } };
    const sentence = 'possible until an object uses extra';
    const asked = (mode: 'audit' | 'warn'): Setting => ({
      policy: { modes: new Map([['rollback', mode]]) },
    });
    const silent = await update(before, next);
    expect(silent.response.auditAnnotations).to.equal(undefined);
    const audited = await update(before, next, asked('audit'));
    expect(audited.response).to.deep.equal({
      ...{ uid: 'u', allowed: true },
      auditAnnotations: { rollback: sentence },
    });
    const warned = await update(before, next, asked('warn'));
    expect(warned.response.warnings).to.deep.equal([`Rollback: ${sentence}`]);
    expect(warned.response.auditAnnotations).to.deep.equal({ rollback: sentence });
    const judge: HeavyJudge = () => Promise.reject(new UnfinishedError('no time'));
    const late = await update(before, next, { ...asked('warn'), judge });
    expect(late.response.auditAnnotations).to.deep.equal({
      rollback: 'the rollback was not judged: no time',
    });
    expect((await update(before, before, asked('audit'))).response).to.deep.equal({
      ...{ uid: 'u', allowed: true },
    });
  });

  it('records a switch-off for the audit log', async () => {
    const old = withMetadata(before, {
      annotations: { ...disable, 'olm-guard.io/disable-reason': 'moving' },
    });
    const { response, bypassed } = await update(old, without);
    expect(response.auditAnnotations).to.deep.equal({
      'bypassed-by':
        'crd crd-upgrade-safety: annotation "olm-guard.io/disable" on CustomResourceDefinition "widgets.example.com" (moving)',
    });
    expect(bypassed.map(({ bypass, family }) => [bypass.by, family])).to.deep.equal([
      ['crd', 'crd-upgrade-safety'],
    ]);
  });

  it('records one that is set for the audit log', async () => {
    const { response } = await update(before, withMetadata(before, { annotations: disable }));
    expect(response.auditAnnotations?.['new-switch-off']).to.include('olm-guard.io/disable');
  });

  it('holds only what is new against the request', async () => {
    const served = (size: JsonObject, color: JsonObject): JsonObject => {
      const definition = crd(before);
      const version = (name: string, properties: JsonObject): JsonObject => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object', properties } },
      });
      (definition['spec'] as JsonObject)['versions'] = [
        version('v1', { size: { type: 'integer' }, color: { type: 'string' } }),
        version('v2', { size, color }),
      ];
      return definition;
    };
    const text = { type: 'string' };
    const stored = served(text, text);
    const unchanged = await update(before, before, {
      request: { oldObject: stored, object: { ...served(text, text), extra: 1 } },
      policy: { enforce: 'all' },
    });
    expect(unchanged.decision).to.equal('warned');
    const worse = await update(before, before, {
      request: { oldObject: stored, object: served(text, { type: 'integer' }) },
      policy: { enforce: 'all' },
    });
    expect(worse.decision).to.equal('denied');
    expect(worse.response.status?.message).not.to.include('^.size');
    const strict = await update(before, before, {
      policy: { enforce: 'all', ratchet: false },
      request: { oldObject: stored, object: { ...served(text, text), extra: 1 } },
    });
    expect(strict.decision).to.equal('denied');
  });

  it('says what a strict denial does to objects, and asks for no proof of what it allows', async () => {
    const asked: string[] = [];
    const judge: HeavyJudge = (operation, ...rest) => {
      asked.push(operation);
      return judgeHere(operation, ...rest);
    };
    const policy = { enforce: 'all' } as const;
    const size = (bound: JsonObject): Shape => ({
      properties: { size: { type: 'integer', ...bound } },
    });
    const said = async (old: Shape, next: Shape): Promise<string | undefined> =>
      (await update(old, next, { policy, judge })).response.status?.message;
    expect(await said(size({}), size({ maximum: 3 }))).to.match(
      /^objects of widgets\.example\.com can be refused on create or restore at \^\.size: the maximum is new: 3\n.*\nProof: breaks objects: the maximum is new: 3; .*; for example \{"apiVersion":"example\.com\/v1",.*"size":4\}\n.*maximum: constraint 3 added/s,
    );
    expect(await said(before, without)).to.match(
      /^objects of widgets\.example\.com can lose data at /,
    );
    expect(await said(size({}), size({ description: 'other' }))).to.match(
      /^breaks no object of widgets\.example\.com at .*\nProof: breaks no object: description only\n.*has unknown change, refusing/s,
    );
    expect(asked).to.have.length(3);
    expect(await said(without, before)).to.equal(undefined);
    expect(asked).to.have.length(3);
  });

  it('denies by the rules under enforce: all where no proof comes in time', async () => {
    for (const error of [new UnfinishedError('no time was left', 'late'), new Error('a defect')]) {
      const { response, failure } = await update(before, without, {
        policy: { enforce: 'all' },
        judge: () => Promise.reject(error),
      });
      expect(response.allowed).to.equal(false);
      expect(response.status?.message)
        .to.include('may not be removed')
        .and.include('what this does to objects of widgets.example.com was not looked into');
      expect(failure).to.equal(error instanceof UnfinishedError ? undefined : error);
    }
  });

  it('begins with the switch-off that may not be set, where that is all that is denied', async () => {
    const bypass = { ...defaultPolicy.bypass, groups: ['admins'] };
    const { response } = await update(before, withMetadata(before, { annotations: disable }), {
      policy: { bypass },
    });
    expect(response.allowed).to.equal(false);
    expect(response.status?.message)
      .to.match(/^widgets\.example\.com: the switch-off may not be set here\n/)
      .and.match(/\nNewSwitchOff: .* must not be set here: only members of admins may set it$/);
  });

  it('bounds message and causes, and says how to see the rest', async () => {
    const many: JsonObject = {};
    for (let index = 0; index < 500; index++) many[`field${index}`] = { type: 'string' };
    const { response } = await update({ properties: many }, { properties: {} });
    const message = response.status?.message ?? '';
    expect(Buffer.byteLength(message)).to.be.within(8000, 8192);
    const lines = message.split('\n');
    // 500 removed fields and the validator that gives up for them; five lines go before, one after.
    expect(lines.at(-1)).to.equal(
      `and ${501 - (lines.length - 6)} more findings: olm-guard check crd cluster:widgets.example.com NEW`,
    );
    expect(lines.slice(1, 3).join('\n')).to.match(/^To fix: .*\nTo go on anyway, /);
    expect(response.status?.details?.causes).to.have.length(100);
  });

  describe('causes of a denial', () => {
    const integer = (minimum: number): JsonObject => ({ type: 'integer', minimum });
    const causesIn = ({ response }: Reviewed) => response.status?.details?.causes ?? [];
    const patchesIn = (reviewed: Reviewed): JsonValue[] =>
      causesIn(reviewed).flatMap(({ reason, message }) =>
        reason === 'JSONPatch' ? [parseJson(message)] : [],
      );
    const narrowed = (count: number, more: JsonObject = {}): [old: Shape, next: Shape] => {
      const shape = (minimum: number): Shape => {
        const names = Array.from({ length: count }, (_, index) => `field${index}`);
        return {
          properties: Object.fromEntries(
            names.map((name) => [name, { ...integer(minimum), ...more }]),
          ),
        };
      };
      return [shape(1), shape(3)];
    };
    const enforcements = ['proven', 'all'] as const;

    for (const enforce of enforcements) {
      it(`hold a patch that ends the finding, under enforce ${enforce}`, async () => {
        const [old, next] = narrowed(1);
        const denied = await update(old, next, { spare: judgeHere, policy: { enforce } });
        const [finding, patch] = causesIn(denied);
        expect(patch).to.include({ reason: 'JSONPatch', field: finding?.field });
        const [operations] = patchesIn(denied);
        const document = parseJson(stringifyJson(annotated(crd(next)))) as JsonObject;
        jsonPatch.applyPatch(document, operations as unknown as Operation[], true);
        const again = await update(old, next, { request: { object: document } });
        expect(again.decision).to.equal('allowed');
      });
    }

    it('hold few patches, none of them twice, and the findings alone where nobody has the time', async () => {
      const [old, next] = narrowed(9);
      const [patched, plain] = [
        await update(old, next, { spare: judgeHere }),
        await update(old, next),
      ];
      const patches = patchesIn(patched).map((patch) => stringifyJson(patch));
      expect(patches).to.have.length(5);
      expect(new Set(patches).size).to.equal(5);
      expect(causesIn(patched).filter(({ reason }) => reason !== 'JSONPatch')).to.deep.equal(
        causesIn(plain),
      );
      const one = { budgets: { ...defaultPolicy.budgets, causes: 1 } };
      expect(causesIn(await update(old, next, { spare: judgeHere, policy: one }))).to.have.length(
        1,
      );
    });

    it('hold no patch that is too long', async () => {
      const enumOf = (values: readonly string[]): Shape => ({
        properties: { mode: { type: 'string', enum: [...values] } },
      });
      const names = Array.from({ length: 200 }, (_, index) => `mode-${index}`);
      const denied = await update(enumOf(names), enumOf(names.slice(0, 1)), { spare: judgeHere });
      expect(causesIn(denied).length).to.be.above(0);
      expect(patchesIn(denied)).to.deep.equal([]);
    });

    it('hold the patches that the definitions have, or none, wherever the search is stopped', async () => {
      const [old, next] = narrowed(4);
      let looks = 0;
      const patchesAfter = async (most: number): Promise<JsonValue[]> => {
        looks = 0;
        const spare: HeavyJudge = (name, input, attached) =>
          Promise.resolve(
            runWorkerTask(name, input, attached, {
              isOver: () => ++looks > most,
            }) as unknown as JsonObject,
          );
        return patchesIn(await update(old, next, { spare }));
      };
      const whole = await patchesAfter(Infinity);
      const needed = looks;
      expect(whole).to.have.length(4);
      expect(await patchesAfter(needed)).to.deep.equal(whole);
      const steps = 12;
      for (let step = 0; step < steps; step++) {
        const stopped = Math.floor((needed * step) / steps);
        expect(await patchesAfter(stopped), `after ${stopped} of ${needed} looks`).to.be.empty;
      }
    });

    it('stand without a patch when the search for it fails or does not end in time', async () => {
      const plain = await update(...narrowed(1));
      for (const error of [new UnfinishedError('late'), new TypeError('a bug')]) {
        const denied = await update(...narrowed(1), { spare: () => Promise.reject(error) });
        expect(denied.response).to.deep.equal(plain.response);
        expect(denied.failure).to.equal(error instanceof UnfinishedError ? undefined : error);
      }
    });
  });

  it('answers although a reviewer throws', async () => {
    const broken = {
      ...customResourceDefinitionReviewer,
      assess: () => {
        throw new TypeError('a bug');
      },
    };
    const request: AdmissionRequest = {
      uid: 'u',
      kind: { ...gvr, kind: 'CustomResourceDefinition' },
      resource: { ...gvr, resource: 'customresourcedefinitions' },
      operation: 'UPDATE',
    };
    const caller = 'api-server';
    const context = {
      policy: defaultPolicy,
      view: FolderCluster.of([]),
      judge: judgeHere,
      caller,
      now,
    } as const;
    const reviewed = await review(request, [broken], context);
    expect(reviewed.decision).to.equal('denied');
    expect(reviewed.response.status?.message)
      .to.match(/olm-guard failed while judging it; its log says how/)
      .and.not.include('a bug');
    expect(reviewed.failure).to.be.instanceOf(TypeError);
  });

  const profiles = ['olm-v1', 'crdify', 'olm-v1.10', 'proof'] as const;
  for (const profile of profiles) {
    describe(`under profile ${profile}`, () => {
      const setting = { policy: { profile } };
      const broken: Shape = { properties: { size: 7 } };

      it('denies what cannot be read, as whoever sent the review knows it', async () => {
        const { response, decision } = await update(before, broken, setting);
        expect(decision).to.equal('denied');
        expect(response.status?.message).to.match(/request\.object\b.*must be an object/);
        expect(response.status?.details?.causes[0]?.reason).to.equal('UnreadableObject');
      });

      it('judges what has a type that is none', async () => {
        for (const type of ['strange', 'constructor', '__proto__']) {
          const odd: Shape = { properties: { ...before.properties, odd: { type } } };
          const fields: JsonObject[] = [
            { type: 'string' },
            { type, maxLength: 3 },
            { type: 'strange' },
          ];
          for (const field of fields) {
            const next: Shape = { properties: { ...before.properties, odd: field } };
            const { unjudged, response } = await update(odd, next, setting);
            expect(unjudged).to.equal(undefined);
            expect(response.status?.message ?? '').to.not.match(/cannot be read|TypeError/);
          }
          const gone: Shape = { properties: { odd: { type: 'string' } } };
          expect((await update(odd, gone, setting)).decision).to.equal('denied');
        }
      });

      it('does not hold it against an update that the stored definition has it already', async () => {
        const { response, decision } = await update(broken, before, setting);
        expect(decision).to.equal('warned');
        expect(response.warnings?.join()).to.match(/request\.oldObject\b.*has this already/);
      });

      for (const enforce of ['all', 'proven'] as const) {
        const failing = (error: Error): Setting => ({
          policy: { profile, enforce, undecided: 'warn', unjudged: 'allow' },
          judge: () => Promise.reject(error),
        });

        it(`denies by rules what no thread has the time to begin (enforce: ${enforce})`, async () => {
          const { decision } = await update(
            before,
            without,
            failing(new UnfinishedError('', 'busy')),
          );
          expect(decision).to.equal('denied');
        });

        for (const bytes of [1000, 1_000_000]) {
          it(`denies what no thread finishes, of ${bytes} bytes (enforce: ${enforce})`, async () => {
            const error = new UnfinishedError('the judgement took more than 3 s');
            const body = Buffer.alloc(bytes, ' ');
            const { decision } = await update(before, without, { ...failing(error), body });
            expect(decision).to.equal('denied');
          });
        }

        it(`compares so many fields in a hurry and no more (enforce: ${enforce})`, async () => {
          const fields = (count: number): Shape => ({
            properties: Object.fromEntries(
              Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string' }]),
            ),
          });
          const busy = {
            ...failing(new UnfinishedError('', 'busy')),
            body: Buffer.alloc(1_000_000, ' '),
          };
          const many = await update(fields(5001), fields(0), busy);
          expect(many.decision).to.equal('denied');
          expect(many.response.status?.message).to.match(/in more than 5000 fields.*try again/);
          const added = await update(fields(0), fields(5001), busy);
          expect(added.decision).to.not.equal('denied');
        });

        it(`denies what takes a thread all its memory (enforce: ${enforce})`, async () => {
          const error = new UnfinishedError('it takes more memory than there is', undefined, true);
          // So large that even the rules are asked in a thread.
          const body = Buffer.alloc(1_000_000, ' ');
          const { decision } = await update(before, without, { ...failing(error), body });
          expect(decision).to.equal('denied');
        });
      }

      it('leaves it to switch-offs, exemptions and modes', async () => {
        const disabled = await update(
          { ...before, metadata: { annotations: disable } },
          broken,
          setting,
        );
        expect(disabled.decision).to.equal('bypassed');
        const exemptions = [{ groups: ['example.com'], rules: ['UnreadableObject'] }];
        const exempt = await update(before, broken, { policy: { profile, exemptions } });
        expect(exempt.response.allowed).to.equal(true);
        const modes = new Map([['crd-upgrade-safety', 'warn' as const]]);
        const warned = await update(before, broken, { policy: { profile, modes } });
        expect(warned.decision).to.equal('warned');
      });

      const nested = (levels: number, open: string, close: string, leaf = ''): JsonValue =>
        parseJson(open.repeat(levels) + leaf + close.repeat(levels));
      const deep: [what: string, field: JsonObject][] = [
        ['example', { type: 'string', example: nested(9900, '[', ']') }],
        [
          'default',
          {
            'x-kubernetes-preserve-unknown-fields': true,
            default: nested(9900, '{"a":', '}', '1'),
          },
        ],
        ['enum', { 'x-kubernetes-preserve-unknown-fields': true, enum: [nested(9900, '[', ']')] }],
        [
          'properties',
          nested(
            4900,
            '{"type":"object","properties":{"a":',
            '}}',
            '{"type":"string"}',
          ) as JsonObject,
        ],
        ['items', nested(9900, '{"type":"array","items":', '}', '{"type":"string"}') as JsonObject],
        ['not', nested(9900, '{"type":"object","not":', '}', '{"maxProperties":1}') as JsonObject],
        ['unknown keywords', { type: 'string', 'x-other': nested(9900, '[', ']') }],
      ];
      for (const [what, field] of deep) {
        it(`denies the removal of a field beside ${what} that nest as deep as an API server reads`, async () => {
          const old: Shape = { properties: { ...before.properties, deep: field } };
          const next: Shape = { properties: { ...without.properties, deep: field } };
          const { decision, unjudged, response } = await update(old, next, setting);
          expect([decision, unjudged]).to.deep.equal(['denied', undefined]);
          expect(response.status?.message).to.match(/size/);
          const added = await update(before, old, setting);
          expect(added.decision).to.be.oneOf(['allowed', 'warned']);
        });
      }

      it('denies it beside managed fields that nest as deep', async () => {
        const managedFields = [
          { manager: 'kubectl', fieldsV1: nested(9900, '{"f:a":', '}', '{}') },
        ];
        const old: Shape = { ...before, metadata: { managedFields } };
        const { decision } = await update(
          old,
          { ...without, metadata: { managedFields } },
          setting,
        );
        expect(decision).to.equal('denied');
      });
    });
  }

  it('tells a path of any length in a bounded one', async () => {
    const name = 'x'.repeat(300_000);
    const { response } = await update(
      { properties: { [name]: { type: 'string' } } },
      { properties: {} },
    );
    const { status } = response;
    expect(Buffer.byteLength(status?.message ?? '')).to.be.at.most(8192);
    expect(JSON.stringify(status?.details).length).to.be.lessThan(20_000);
  });
});
