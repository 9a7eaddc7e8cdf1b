/** How denials end, by the four examples of OLM v1's own documentation, which stand in examples/upgrades. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readPolicy } from '../server/policy-file.js';
import { defaultPolicy, type Policy } from '../../check/policy.js';
import { FolderCluster } from '../../facts/cluster/folder.js';
import { FolderState } from '../../facts/olm-state/folder-state.js';
import { ruleNames } from '../../operations/rules.js';
import { metaOf, parseDocuments, type JsonObject } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { review } from './review.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';

function read(file: string): JsonObject {
  return parseDocuments(readFileSync(file), { file })[0]?.value as JsonObject;
}

const stored = read('examples/cluster/customresourcedefinition-samples.yaml');
const { name } = metaOf(stored);
const fix = `Way out: olm-guard check crd cluster:${name} NEW --fix FILE`;
const annotate = `To switch off: kubectl annotate customresourcedefinition ${name} olm-guard.io/disable=crd-upgrade-safety`;
const kubernetes = 'To switch off: Kubernetes itself refuses this, whatever is switched off';

interface Row {
  readonly file: string;
  /** The documents' own words. */
  readonly words: string;
  readonly ending: readonly string[];
  /** What is said in front of the ending where a proof was looked for. */
  readonly deed?: string;
}

const rows: readonly Row[] = [
  {
    file: 'scope-change.yaml',
    words: '"NoScopeChange" validation failed: scope changed from "Namespaced" to "cluster"',
    ending: [
      'Way out: Ship a definition with another name, and move the objects there',
      kubernetes,
    ],
  },
  {
    file: 'stored-version-removed.yaml',
    words: '"NoStoredVersionRemoved" validation failed: stored version "v1alpha1" removed',
    ending: [kubernetes],
  },
  {
    file: 'field-removed.yaml',
    words:
      '"NoExistingFieldRemoved" validation failed: crd/samples.test.example.com version/v1alpha1 field/^.spec.pollInterval may not be removed',
    ending: [fix, annotate],
    deed: 'Loses data, for example at ^.spec.pollInterval',
  },
  {
    file: 'required-added.yaml',
    words:
      '"ChangeValidator" validation failed: version "v1alpha1", field "^.spec": new required fields added: [pollInterval]',
    ending: [fix, annotate],
    deed: 'Breaks objects, for example at ^.spec',
  },
];

async function denialOf(file: string, policy: Policy, more: Partial<AdmissionRequest> = {}) {
  const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
  const request: AdmissionRequest = {
    uid: 'u',
    kind: { ...gvr, kind: 'CustomResourceDefinition' },
    resource: { ...gvr, resource: 'customresourcedefinitions' },
    name,
    operation: 'UPDATE',
    userInfo: { username: 'admin' },
    object: read(`examples/upgrades/${file}`),
    oldObject: stored,
    ...more,
  };
  const { response } = await review(request, createReviewers(FolderState.of([])), {
    policy,
    view: FolderCluster.of([]),
    judge: judgeHere,
    caller: 'api-server',
    now: new Date('2026-06-01T00:00:00Z'),
  });
  expect(response.allowed).to.equal(false);
  return (response.status?.message ?? '').split('\n');
}

describe('the last line of a denial', () => {
  let ofBase: Policy;
  before(
    async () => (ofBase = await readPolicy({ file: 'manifests/base/policy.yaml' }, ruleNames)),
  );

  for (const { file, words, ending, deed } of rows) {
    const text = `validating upgrade for CRD "${name}" failed: CustomResourceDefinition ${name} failed upgrade safety validation. ${words}`;

    it(`${file}: the policy of manifests/base denies in the words of the documents, and so does none`, async () => {
      const [proven, all] = await Promise.all([
        denialOf(file, ofBase),
        denialOf(file, defaultPolicy),
      ]);
      for (const [first, ...others] of [proven, all]) {
        expect(first).to.equal(text);
        for (const part of ending) expect(others.at(-1)).to.include(part);
      }
      const [last] = proven.slice(-1);
      expect(last).to.match(deed === undefined ? /^olm-guard: Way out: / : /^olm-guard: \w/);
      if (deed !== undefined) expect(last).to.include(`olm-guard: ${deed}. Way out: `);
    });
  }

  it('stands under the text of every profile', async () => {
    for (const profile of ['olm-v1', 'crdify', 'olm-v1.10', 'proof'] as const) {
      const lines = await denialOf('field-removed.yaml', { ...ofBase, profile });
      expect(lines.at(-1), profile).to.equal(
        `olm-guard: Loses data, for example at ^.spec.pollInterval. ${fix}. ${annotate}`,
      );
    }
  });

  it('keeps what is switched off already, and names of its annotation nothing but families', async () => {
    const value = 'stored-objects, $(reboot)';
    const metadata = {
      ...(stored['metadata'] as object),
      annotations: { 'olm-guard.io/disable': value },
    };
    const oldObject = { ...stored, metadata };
    const lines = await denialOf('field-removed.yaml', ofBase, { oldObject });
    expect(lines.at(-1)).to.match(
      / olm-guard\.io\/disable=stored-objects,crd-upgrade-safety --overwrite$/,
    );
  });

  for (const until of ['2026-01-01T00:00:00Z', 'tomorrow', 7]) {
    it(`takes an end away beside which nothing counts: ${until}`, async () => {
      const after = async (annotations: object) => {
        const metadata = { ...(stored['metadata'] as object), annotations };
        const oldObject = { ...stored, metadata } as JsonObject;
        return (await denialOf('field-removed.yaml', ofBase, { oldObject })).at(-1);
      };
      const end = { 'olm-guard.io/disable-until': until };
      expect(await after({ 'olm-guard.io/disable': 'all', ...end })).to.match(
        / olm-guard\.io\/disable=crd-upgrade-safety --overwrite olm-guard\.io\/disable-until-$/,
      );
      expect(await after(end)).to.match(
        / olm-guard\.io\/disable=crd-upgrade-safety olm-guard\.io\/disable-until-$/,
      );
    });
  }

  it('lets an end that is to come be', async () => {
    const annotations = {
      'olm-guard.io/disable': 'stored-objects',
      'olm-guard.io/disable-until': '2026-07-01T00:00:00Z',
    };
    const metadata = { ...(stored['metadata'] as object), annotations };
    const oldObject = { ...stored, metadata } as JsonObject;
    const lines = await denialOf('field-removed.yaml', ofBase, { oldObject });
    expect(lines.at(-1)).to.match(/ --overwrite$/);
  });

  it('names an exemption where no switch-off is let', async () => {
    const policy = { ...ofBase, bypass: { ...ofBase.bypass, allowed: false } };
    const lines = await denialOf('field-removed.yaml', policy);
    expect(lines.at(-1)).to.match(/To switch off: an exemption in the policy of olm-guard$/);
  });

  it('leaves room for the findings, whatever a forged review calls its object', async () => {
    const lines = await denialOf('field-removed.yaml', ofBase, { name: 'x'.repeat(100_000) });
    expect(Buffer.byteLength(lines.join('\n'))).to.be.at.most(ofBase.budgets.messageBytes);
  });
});
