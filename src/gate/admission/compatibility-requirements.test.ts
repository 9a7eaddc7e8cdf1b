/** What CompatibilityRequirements of OpenShift make of requests about the definition that they name. */
import { expect } from 'chai';
import { defaultPolicy } from '../../policy/policy.js';
import { ClusterError, type ClusterView } from '../../cluster/view/view.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { stringifyJson, type JsonObject } from '../../text/documents/index.js';
import { exampleDefinition } from '../../upgrade/rules/crd/example-definition.js';
import { maxFindings } from './bound-findings.js';
import type { Caller } from './disclosure.js';
import { review, type Reviewed } from './review.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';

const text = { type: 'string' };
const integer = { type: 'integer' };

interface Version {
  readonly name?: string;
  readonly served?: boolean;
  readonly fields?: JsonObject;
}

/** `v1` is stored; each version has these fields in `spec`. */
function widgets(...versions: readonly Version[]): JsonObject {
  const whole = exampleDefinition({});
  const made = versions.map(({ name = 'v1', served = true, fields = {} }): JsonObject => {
    const spec = { type: 'object', properties: fields };
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    return { name, served, storage: name === 'v1', schema: { openAPIV3Schema } };
  });
  return { ...whole, spec: { ...(whole['spec'] as JsonObject), versions: made } };
}

interface Wanted {
  readonly action?: string;
  readonly of?: JsonObject | string;
  readonly excludes?: readonly JsonObject[];
  readonly requiredVersions?: JsonObject;
  readonly crdName?: string;
  readonly more?: JsonObject;
}

function requirement({ action, of = '', excludes = [], more = {}, ...rest }: Wanted): JsonObject {
  const { crdName = 'widgets.example.com' } = rest;
  const { requiredVersions = { defaultSelection: 'AllServed' } } = rest;
  const data = typeof of === 'string' ? of : stringifyJson(of);
  return {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name: 'secret-platform' },
    spec: {
      ...(action === undefined ? {} : { customResourceDefinitionSchemaValidation: { action } }),
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data },
        ...{ requiredVersions, excludedFields: [...excludes] },
      },
      ...more,
    },
    ...(crdName === '' ? {} : { status: { crdName } }),
  };
}

interface Request {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly old?: JsonObject;
  readonly next?: JsonObject;
  readonly caller?: Caller;
  readonly mayList?: ClusterView['mayList'];
  readonly state?: FolderState;
}

const both = { size: integer, color: text };
const whole = widgets({ fields: both });
const smaller = widgets({ fields: { size: integer } });

function ask(wanted: readonly Wanted[], request: Request = {}): Promise<Reviewed> {
  const { operation = 'UPDATE', caller = 'api-server', mayList } = request;
  const { old = whole, next = smaller } = request;
  const { state = FolderState.of(wanted.map(requirement)) } = request;
  const { cluster } = state;
  const group = 'apiextensions.k8s.io';
  return review(
    {
      uid: '1',
      kind: { group, version: 'v1', kind: 'CustomResourceDefinition' },
      resource: { group, version: 'v1', resource: 'customresourcedefinitions' },
      name: 'widgets.example.com',
      operation,
      userInfo: { username: 'eve' },
      ...(operation === 'CREATE' ? {} : { oldObject: old }),
      ...(operation === 'DELETE' ? {} : { object: next }),
    },
    createReviewers(state),
    {
      // What the change itself does is not what these rows are about.
      policy: { ...defaultPolicy, modes: new Map([['NoExistingFieldRemoved', 'audit']]) },
      view: {
        get: (...asked) => cluster.get(...asked),
        list: (...asked) => cluster.list(...asked),
        ...(mayList === undefined ? {} : { mayList }),
      },
      ...{ judge: judgeHere, caller, now: new Date(0) },
    },
  );
}

const said = ({ response }: Reviewed): string =>
  [response.status?.message ?? '', ...(response.warnings ?? [])].join('\n');
const named = 'CompatibilityRequirement secret-platform requires';
const color = `${named} spec.color of version v1, which is not there`;

interface Row {
  readonly name: string;
  readonly wanted: Wanted;
  readonly request?: Request;
  /** Without one nothing is said of a requirement. */
  readonly says?: string;
  /** Otherwise allowed, with a warning where something is said. */
  readonly isDenied?: true;
}

const list = (fields: JsonObject): JsonObject => ({
  list: { type: 'array', items: { type: 'object', properties: fields } },
});
const beta = { name: 'v1beta1', fields: both };

const rows: readonly Row[] = [
  {
    name: 'a field goes: Deny',
    wanted: { action: 'Deny', of: whole },
    says: color,
    isDenied: true,
  },
  { name: 'a field goes: Warn', wanted: { action: 'Warn', of: whole }, says: color },
  { name: 'a field goes: no action', wanted: { of: whole } },
  {
    name: 'a field goes that is excluded',
    wanted: { action: 'Deny', of: whole, excludes: [{ path: 'spec.color', versions: ['v1'] }] },
  },
  {
    name: 'a field goes that is excluded from another version',
    wanted: { action: 'Deny', of: whole, excludes: [{ path: 'spec.color', versions: ['v2'] }] },
    ...{ says: color, isDenied: true },
  },
  {
    name: 'a field goes that is excluded from items of a list',
    wanted: {
      action: 'Deny',
      of: widgets({ fields: list(both) }),
      excludes: [{ path: 'spec.list.color', versions: ['v1'] }],
    },
    request: { next: widgets({ fields: list({ size: integer }) }) },
  },
  {
    name: 'a field of items goes',
    wanted: { action: 'Deny', of: widgets({ fields: list(both) }) },
    request: { next: widgets({ fields: list({ size: integer }) }) },
    says: `${named} spec.list[*].color of version v1, which is not there`,
    isDenied: true,
  },
  {
    name: 'an excluded field that is not there cannot be read',
    wanted: { action: 'Deny', of: whole, excludes: [{ path: 'spec.weight', versions: ['v1'] }] },
    says: 'what CompatibilityRequirement secret-platform asks for is not known: excludes a field at or below "weight" that its own definition does not have',
  },
  {
    name: 'what is no definition cannot be read',
    wanted: { action: 'Deny', of: 'a: [' },
    says: 'what CompatibilityRequirement secret-platform asks for is not known: ',
  },
  {
    name: 'a field that was never there is required all the same',
    wanted: { action: 'Deny', of: whole },
    request: { old: smaller, next: widgets({ fields: { size: integer, weight: integer } }) },
    ...{ says: color, isDenied: true },
  },
  {
    name: 'a field comes',
    wanted: { action: 'Deny', of: smaller },
    request: { old: smaller, next: whole },
  },
  {
    name: 'a bound goes: objects are for OpenShift to check',
    wanted: { action: 'Deny', of: widgets({ fields: { size: { ...integer, minimum: 0 } } }) },
    request: {
      old: widgets({ fields: { size: { ...integer, minimum: 0 } } }),
      next: widgets({ fields: { size: integer } }),
    },
  },
  {
    name: 'labels change on one that lacks something: never denied',
    wanted: { action: 'Deny', of: whole },
    request: { old: smaller },
    says: color,
  },
  {
    name: 'keeping what it does not know is no field',
    wanted: { action: 'Deny', of: whole },
    request: {
      next: widgets({
        fields: { size: { ...text, 'x-kubernetes-preserve-unknown-fields': true } },
      }),
    },
    ...{ says: color, isDenied: true },
  },
  {
    name: 'a version is served no longer',
    wanted: { action: 'Deny', of: widgets(beta, { fields: both }) },
    request: { old: whole, next: widgets({ ...beta, served: false }, { fields: both }) },
    says: `${named} version v1beta1, which is not served`,
    isDenied: true,
  },
  {
    name: 'a version that it does not serve either may go',
    wanted: { action: 'Deny', of: widgets({ ...beta, served: false }, { fields: both }) },
    request: { next: whole },
  },
  {
    name: 'its selection of versions says nothing of those that go',
    wanted: {
      action: 'Deny',
      of: widgets(beta, { fields: both }),
      requiredVersions: { defaultSelection: 'StorageOnly' },
    },
    request: { old: widgets(beta, { fields: both }), next: whole },
    says: `${named} version v1beta1, which is not served`,
    isDenied: true,
  },
  {
    name: 'it asks for another definition',
    wanted: { action: 'Deny', of: whole, crdName: 'gadgets.example.com' },
  },
  {
    name: 'OpenShift has not admitted it',
    wanted: { action: 'Deny', of: whole, crdName: '' },
  },
  {
    name: 'a definition is created: Deny',
    wanted: { action: 'Deny', of: whole },
    request: { operation: 'CREATE' },
    ...{ says: color, isDenied: true },
  },
  {
    name: 'a definition is created that has everything',
    wanted: { action: 'Deny', of: whole },
    request: { operation: 'CREATE', next: whole },
  },
  ...['Deny', 'Warn', undefined].map((action): Row => ({
    name: `the definition is deleted: ${action ?? 'no action'}`,
    wanted: { ...(action !== undefined && { action }), of: whole },
    request: { operation: 'DELETE' },
    says: `${named} the definition, which is being deleted`,
    isDenied: true,
  })),
  {
    name: 'its objects are for OpenShift to check',
    wanted: { of: whole, more: { objectSchemaValidation: { action: 'Deny' } } },
  },
];

describe('a definition that a CompatibilityRequirement names', () => {
  for (const { name, wanted, request, says, isDenied = false } of rows) {
    it(name, async () => {
      const reviewed = await ask([wanted], request);
      const sentences = said(reviewed);
      if (says === undefined) expect(sentences).not.to.include('CompatibilityRequirement');
      else expect(sentences).to.include(says);
      expect(reviewed.response.allowed, sentences).to.equal(!isDenied);
      const { causes = [] } = reviewed.response.status?.details ?? {};
      const isCause = causes.some(({ reason }) => reason === 'CompatibilityRequirementUnmet');
      expect(isCause).to.equal(isDenied);
    });
  }

  it('begins the denial with who asks for what', async () => {
    const { response } = await ask([{ action: 'Deny', of: whole }]);
    expect(response.status?.message?.split('\n').slice(0, 2)).to.deep.equal([
      `widgets.example.com ^.spec.color: ${color}`,
      'To fix: keep versions and fields, or have the requirement changed by whoever made it',
    ]);
  });

  it('costs no question where there is none', async () => {
    const state = FolderState.of([]);
    const { response } = await ask([], { state, caller: 'unauthenticated' });
    expect(JSON.stringify(response)).not.to.include('CompatibilityRequirement');
  });

  it('is not told who requires it where the requester may not list them', async () => {
    const request: Request = { mayList: () => Promise.resolve(false) };
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      const { response } = await ask([{ action: 'Deny', of: whole }], { ...request, operation });
      expect(response.allowed).to.equal(false);
      expect(JSON.stringify(response))
        .to.include('a CompatibilityRequirement that you may not list requires')
        .and.not.include('secret-platform');
    }
    const { response } = await ask([{ action: 'Deny', of: 'secret: [' }], request);
    expect(JSON.stringify(response))
      .to.include('what a CompatibilityRequirement that you may not list asks for is not known')
      .and.not.include('secret');
  });

  it('is told neither to a creation that anybody could have made up', async () => {
    const request: Request = { operation: 'CREATE', caller: 'unverified' };
    const { response } = await ask([{ action: 'Deny', of: whole }], request);
    expect(response.allowed).to.equal(false);
    expect(JSON.stringify(response)).not.to.include('secret-platform');
  });

  it('is said not to be held against them for somebody who is no API server', async () => {
    const wanted = { action: 'Deny', of: whole };
    const answers = [wanted, { ...wanted, crdName: 'gadgets.example.com' }].map((each) =>
      ask([each], { caller: 'unauthenticated' }),
    );
    const [one, other] = await Promise.all(answers);
    expect(one?.response.allowed).to.equal(true);
    expect(JSON.stringify(one?.response))
      .to.include('whether CompatibilityRequirements ask for more is not known')
      .and.not.include('secret-platform');
    // Nor whether there is one of this very definition.
    expect(one?.response).to.deep.equal(other?.response);
  });

  it('is said not to be held against them where they cannot be read', async () => {
    const state = FolderState.of([]);
    state.unknown = (kind) => `${kind} objects cannot be read: forbidden`;
    const { response } = await ask([], { state });
    expect(response.allowed).to.equal(true);
    expect(said({ response } as Reviewed)).to.include(
      'whether CompatibilityRequirements ask for more is not known: CompatibilityRequirement objects cannot be read: forbidden',
    );
  });

  it('is said not to be held against one that cannot be read any more', async () => {
    const state = FolderState.of([requirement({ action: 'Deny', of: whole })]);
    state.cluster.get = () => Promise.reject(new ClusterError('no answer'));
    const { response } = await ask([], { state });
    expect(said({ response } as Reviewed)).to.include(
      'what CompatibilityRequirement secret-platform asks for is not known: no answer',
    );
  });

  describe('beside thousands of others', () => {
    const count = 3_000;
    const state = FolderState.of(
      Array.from({ length: count }, (_, index) => ({
        ...requirement({ action: 'Deny', of: whole }),
        metadata: { name: `requirement-${index}` },
      })),
    );

    it('is held against some, and told of the others in one sentence', async () => {
      const { response } = await ask([], { state });
      expect(response.allowed).to.equal(false);
      const sentences = (response.warnings ?? []).filter((each) => each.includes('looked at'));
      expect(sentences).to.have.length(1);
      expect(sentences[0]).to.include('of 3000 CompatibilityRequirements only 10 were looked at');
    });

    it('is held against those that were there first, however many are added', async () => {
      const oldest = {
        ...requirement({ action: 'Deny', of: whole }),
        metadata: { name: 'oldest', creationTimestamp: '2024-01-01T00:00:00Z' },
      };
      const added = Array.from({ length: count }, (_, index) => ({
        ...requirement({ action: 'Deny', of: smaller }),
        metadata: { name: `a${index}`, creationTimestamp: '2025-01-01T00:00:00Z' },
      }));
      const { decided } = await ask([], { state: FolderState.of([...added, oldest]) });
      const unmet = decided.filter(({ finding }) => finding.message.includes('oldest'));
      expect(unmet.map(({ disposition }) => disposition)).to.include('denied');
    });

    it('is not deleted, with findings of a bounded number', async () => {
      const { response, decided } = await ask([], { state, operation: 'DELETE' });
      expect(response.allowed).to.equal(false);
      expect(decided).to.have.length(maxFindings + 1);
      const { finding } = decided.at(-1) ?? {};
      expect(finding?.message).to.equal('and 1000 more of CompatibilityRequirementUnmet');
    });
  });
});
