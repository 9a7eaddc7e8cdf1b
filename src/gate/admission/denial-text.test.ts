/** How denials end, by the four examples of OLM v1's own documentation, which stand in examples/upgrades. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readPolicy } from '../server/policy-file.js';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { uncheckedFinding } from '../../upgrade/index.js';
import type { Finding } from '../../rule/finding.js';
import { FolderCluster } from '../../cluster/view/folder.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { ruleNames } from '../../checks/operations/rules.js';
import { metaOf, parseDocuments, type JsonObject } from '../../text/documents/index.js';
import type { AdmissionRequest } from './admission-review.js';
import { review } from './review.js';
import { createReviewers } from './reviewers.js';
import { judgeHere } from './testing/judge-here.js';
import { denialText } from './denial-text.js';
import { namesOf } from '../../rule/rule.js';
import { rules } from '../../policy/rules/registry.js';
import { findingsOfExample } from '../../policy/rules/testing/example.js';

function read(file: string): JsonObject {
  return parseDocuments(readFileSync(file), { file })[0]?.value as JsonObject;
}

const stored = read('examples/cluster/customresourcedefinition-samples.yaml');
const { name } = metaOf(stored);
const fix = `To fix: olm-guard check crd cluster:${name} NEW --fix FILE`;
const annotate = `To go on anyway, if you may update it: kubectl annotate customresourcedefinition ${name} olm-guard.io/disable=crd-upgrade-safety`;
const kubernetes = 'To go on anyway: Kubernetes rejects this; it cannot be switched off here';

interface Row {
  readonly file: string;
  /** The documents' own words. */
  readonly words: string;
  readonly headline: string;
  readonly fix: string | RegExp;
  readonly anyway: string;
}

const rows: readonly Row[] = [
  {
    file: 'scope-change.yaml',
    words: '"NoScopeChange" validation failed: scope changed from "Namespaced" to "Cluster"',
    headline: `${name}: scope changed from "Namespaced" to "Cluster"`,
    fix: 'To fix: ship a definition with another name, and move the objects there',
    anyway: kubernetes,
  },
  {
    file: 'stored-version-removed.yaml',
    words: '"NoStoredVersionRemoved" validation failed: stored version "v1alpha1" removed',
    headline: `${name}: stored version "v1alpha1" removed`,
    fix: /^To fix: .*migrate run/,
    anyway: kubernetes,
  },
  {
    file: 'field-removed.yaml',
    words:
      '"NoExistingFieldRemoved" validation failed: crd/samples.test.example.com version/v1alpha1 field/^.spec.pollInterval may not be removed',
    headline: `objects of ${name} can lose data at ^.spec.pollInterval: the field is gone`,
    fix,
    anyway: annotate,
  },
  {
    file: 'required-added.yaml',
    words:
      '"ChangeValidator" validation failed: version "v1alpha1", field "^.spec": new required fields added: [pollInterval]',
    headline: `objects of ${name} can be refused on create or restore at ^.spec: the field is required from now on`,
    fix,
    anyway: annotate,
  },
];

async function denialOf(
  file: string,
  policy: Policy,
  more: Partial<AdmissionRequest> = {},
  view = FolderCluster.of([]),
) {
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
    view,
    judge: judgeHere,
    caller: 'api-server',
    now: new Date('2026-06-01T00:00:00Z'),
  });
  expect(response.allowed).to.equal(false);
  return (response.status?.message ?? '').split('\n');
}

describe('the first lines of a denial', () => {
  let ofBase: Policy;
  before(
    async () => (ofBase = await readPolicy({ file: 'manifests/base/policy.yaml' }, ruleNames)),
  );

  for (const row of rows) {
    const text = `validating upgrade for CRD "${name}" failed: CustomResourceDefinition ${name} failed upgrade safety validation. ${row.words}`;

    it(`${row.file}: what is lost, how to fix it, how to go on; then the words of the documents`, async () => {
      const [proven, all] = await Promise.all([
        denialOf(row.file, ofBase),
        denialOf(row.file, defaultPolicy),
      ]);
      for (const [, how, anyway, ...others] of [proven, all]) {
        expect(how).to.match(typeof row.fix === 'string' ? new RegExp(`^${row.fix}$`) : row.fix);
        expect(anyway).to.equal(row.anyway);
        expect(others.find((line) => !/^Proof: |^no Sample is stored /.test(line))).to.equal(text);
      }
      expect(proven[0]).to.equal(row.headline);
    });
  }

  it('stand over the text of every profile', async () => {
    for (const profile of ['olm-v1', 'crdify', 'olm-v1.10', 'proof'] as const) {
      const [headline, ...others] = await denialOf('field-removed.yaml', { ...ofBase, profile });
      expect(headline, profile).to.equal(
        `objects of ${name} can lose data at ^.spec.pollInterval: the field is gone`,
      );
      const option = profile === 'olm-v1' ? 'NEW' : `NEW --profile ${profile}`;
      expect(others.slice(0, 2), profile).to.deep.equal([fix.replace('NEW', option), annotate]);
      expect(others.slice(2).join('\n'), profile).to.match(/may not be removed|pollInterval/);
    }
  });

  it('name stored objects before made-up ones, and the line without a reason last', async () => {
    const objects = ['a', 'b'].map((each) => ({
      apiVersion: 'test.example.com/v1alpha1',
      kind: 'Sample',
      metadata: { name: each, namespace: 'default', resourceVersion: '1' },
      spec: { pollInterval: '5m' },
    }));
    const lines = await denialOf('field-removed.yaml', ofBase, {}, FolderCluster.of(objects));
    expect(lines[0]).to.equal(
      `2 of 2 stored Samples would lose spec.pollInterval: default/a, default/b`,
    );
    expect(lines.slice(1, 3)).to.deep.equal([fix, `${annotate},stored-objects`]);
    // Nothing but the gate has looked at them.
    expect(lines[3]).to.equal('To see it again: kubectl replace --dry-run=server -f NEW');
    expect(lines[4]).to.match(/^Proof: loses data: .*; for example \{/);
    expect(lines[5]).to.match(/^validating upgrade for CRD /);
    expect(lines.at(-1)).to.match(
      /"ChangeValidator" validation failed: calculating schema diff for CRD version "v1alpha1"$/,
    );
  });

  it('keeps what is switched off already, and names of its annotation nothing but families', async () => {
    const value = 'stored-objects, $(reboot)';
    const metadata = {
      ...(stored['metadata'] as object),
      annotations: { 'olm-guard.io/disable': value },
    };
    const oldObject = { ...stored, metadata };
    const lines = await denialOf('field-removed.yaml', ofBase, { oldObject });
    expect(lines[2]).to.match(
      / olm-guard\.io\/disable=stored-objects,crd-upgrade-safety --overwrite$/,
    );
  });

  for (const until of ['2026-01-01T00:00:00Z', 'tomorrow', 7]) {
    it(`takes an end away beside which nothing counts: ${until}`, async () => {
      const after = async (annotations: object) => {
        const metadata = { ...(stored['metadata'] as object), annotations };
        const oldObject = { ...stored, metadata } as JsonObject;
        return (await denialOf('field-removed.yaml', ofBase, { oldObject }))[2];
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
    expect(lines[2]).to.match(/ --overwrite$/);
  });

  it('name the options or the file with which the command decides as the policy', async () => {
    const commandUnder = async (more: Partial<Policy>): Promise<string | undefined> =>
      (await denialOf('field-removed.yaml', { ...ofBase, ...more }))[1];
    expect(await commandUnder({ enforce: 'all' })).to.equal(fix.replace('NEW', 'NEW --strict'));
    const file = fix.replace('NEW', 'NEW --policy POLICY');
    expect(await commandUnder({ enforce: 'stuck' })).to.equal(file);
    const modes = new Map([['NoExistingFieldRemoved', 'deny' as const]]);
    expect(await commandUnder({ modes })).to.equal(file);
    expect(await commandUnder({ undecided: 'deny' })).to.equal(fix);
    const harms = new Map([['BehaviorChanged', 'deny' as const]]);
    expect(await commandUnder({ modes: harms })).to.equal(file);
  });

  it('say of what users lose by name, and offer no schema that would not help', async () => {
    const names = { ...(stored['spec'] as { names: object }).names, shortNames: ['smp'] };
    const oldObject = { ...stored, spec: { ...(stored['spec'] as object), names } } as JsonObject;
    const policy = { ...ofBase, modes: new Map([['display', 'deny' as const]]) };
    const lines = await denialOf('field-removed.yaml', policy, { oldObject, object: stored });
    expect(lines.slice(0, 2)).to.deep.equal([
      `${name}: short name "smp" is removed`,
      'To fix: keep the short name; there may be several',
    ]);
  });

  it('take a switch-off away that came with other fields, and set it again', async () => {
    const managedFields = [
      {
        manager: 'argocd-controller',
        fieldsV1: {
          'f:metadata': { 'f:annotations': { 'f:olm-guard.io/disable': {} } },
          'f:spec': {},
        },
      },
    ];
    const annotations = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
    const metadata = { ...(stored['metadata'] as object), annotations, managedFields };
    const oldObject = { ...stored, metadata } as JsonObject;
    const lines = await denialOf('field-removed.yaml', ofBase, { oldObject });
    expect(lines[2]).to.equal(
      `To go on anyway, if you may update it: kubectl annotate customresourcedefinition ${name} olm-guard.io/disable- olm-guard.io/disable-until- && kubectl annotate customresourcedefinition ${name} olm-guard.io/disable=crd-upgrade-safety`,
    );
  });

  it('names an exemption where no switch-off is let', async () => {
    const policy = { ...ofBase, bypass: { ...ofBase.bypass, allowed: false } };
    const lines = await denialOf('field-removed.yaml', policy);
    expect(lines[2]).to.match(
      /^To go on anyway, if you may edit the policy of olm-guard: add an exemption for NoExistingFieldRemoved/,
    );
  });

  it('leaves room for the findings, whatever a forged review calls its object', async () => {
    const lines = await denialOf('field-removed.yaml', ofBase, { name: 'x'.repeat(100_000) });
    expect(Buffer.byteLength(lines.join('\n'))).to.be.at.most(ofBase.budgets.messageBytes);
  });
});

describe('the first line of a denial', () => {
  const headlineOf = (...denied: readonly Finding[]): string | undefined => {
    const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
    const request: AdmissionRequest = {
      uid: 'u',
      kind: { ...gvr, kind: 'CustomResourceDefinition' },
      resource: { ...gvr, resource: 'customresourcedefinitions' },
      operation: 'UPDATE',
      name,
    };
    const message = (): string => '';
    const asked = { command: 'olm-guard scan', fix: fix.slice('To fix: '.length), message };
    return denialText(denied, request, asked, defaultPolicy, new Date(0)).split('\n')[0];
  };
  const subject = { name, kind: 'Sample' };
  const lost: Finding = {
    rule: 'NoExistingFieldRemoved',
    family: 'crd-upgrade-safety',
    severity: 'error',
    message: 'may not be removed',
    path: '^.spec.note',
    docs: '',
    effect: 'data-loss',
  };

  it('says what is lost rather than that nobody could look at stored objects', () => {
    const data = { name, why: `dev may not list ${name}` };
    const unseen = uncheckedFinding(subject, { id: 'failed', data });
    expect(headlineOf(unseen, lost)).to.equal(`objects of ${name} can lose data at ^.spec.note`);
    expect(headlineOf(unseen)).to.match(/^stored samples\.test\.example\.com not checked/);
  });

  it('names a field once, where the message begins with it', () => {
    const said = (message: string): string | undefined => {
      const kind = { group: 'operators.coreos.com', version: 'v1', kind: 'OperatorGroup' };
      const resource = { ...kind, resource: 'operatorgroups' };
      const family = 'operator-groups' as const;
      const finding = { ...lost, effect: undefined, family, path: '$.spec.selector', message };
      const request = { uid: 'u', kind, resource, operation: 'CREATE', name: 'pets' } as const;
      const asked = { command: 'olm-guard scan', message: (): string => '' };
      return denialText([finding], request, asked, defaultPolicy, new Date(0)).split('\n')[0];
    };
    expect(said('spec.selector is void')).to.equal('OperatorGroup pets: spec.selector is void');
    expect(said('is void')).to.equal('OperatorGroup pets spec.selector: is void');
  });

  it('ends with a sentence where one fits', () => {
    const refusal = `1 of 1 stored Sample would be refused: default/b spec.note: Required value`;
    const message = `${refusal}. Creating such an object, or restoring it from a backup, fails; all can still be updated`;
    const refused: Finding = { ...lost, rule: 'StoredObjectsRefused', family: 'stored-objects' };
    expect(headlineOf({ ...refused, message })).to.equal(refusal);
  });

  it('is cut for the first thing to do, not for all of them', () => {
    const message = `2 of 2 stored Samples would lose spec.note: ${'default/m1, '.repeat(6)}default/m2`;
    const how = `do not upgrade; or ${'keep the field '.repeat(10)}`;
    const finding: Finding = { ...lost, family: 'stored-objects', message, fix: how };
    expect(headlineOf(finding)).to.equal(message);
  });
});

/** What a person at night reads before the eyes go on. */
const glance = 200;

describe('the first 200 characters of a denial', () => {
  const kinds = [
    'CustomResourceDefinition',
    'OperatorGroup',
    'ClusterServiceVersion',
    'InstallPlan',
    'Subscription',
    'CatalogSource',
    'ClusterExtension',
  ];
  // What API servers refuse in a definition themselves is never asked here.
  const examples = rules.filter(
    ({ subject, family, example }) =>
      kinds.includes(subject) && family !== 'definition' && example.says !== '',
  );

  for (const kind of kinds) {
    it(`name ${kind}, field and way out for every rule's example`, async () => {
      let denials = 0;
      for (const rule of examples.filter(({ subject }) => subject === kind)) {
        const findings = await findingsOfExample(rule, rule.example.after);
        const denied = findings.filter((each) => namesOf(rule).includes(each.rule)).slice(0, 1);
        const [finding] = denied;
        if (finding === undefined) throw new Error(`${rule.id} finds nothing in its example`);
        const { object } = finding;
        const isDefinition = kind === 'CustomResourceDefinition';
        const text = denialText(
          denied,
          {
            uid: 'u',
            kind: { group: 'g', version: 'v1', kind },
            resource: { group: 'g', version: 'v1', resource: 'r' },
            operation: 'UPDATE',
            name: object?.name ?? 'widgets.example.com',
            ...(object?.namespace === undefined ? {} : { namespace: object.namespace }),
          },
          {
            command: 'olm-guard scan FOLDER',
            message: () => finding.message,
            ...(isDefinition ? { fix } : {}),
          },
          defaultPolicy,
          new Date(0),
        );
        const [, way = ''] = /\nTo fix: (.+?)(?=[;.,:] |\n)/.exec(text) ?? [];
        expect(way, text).not.to.equal('');
        const asked = [object?.name ?? '', finding.path?.replace(/^\$\./, '') ?? '', way];
        for (const part of asked) expect(text.slice(0, glance), text).to.include(part);
        denials++;
      }
      expect(denials).to.be.at.least(5);
    });
  }
});
