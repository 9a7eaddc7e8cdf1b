/** Every door that compares two definitions says what the contract warns of, and who is hurt. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { defaultPolicy } from '../../src/policy/policy.js';
import type { AdmissionRequest } from '../../src/gate/admission/admission-review.js';
import { review } from '../../src/gate/admission/review.js';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import type { Finding } from '../../src/rule/finding.js';
import { makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { run } from './command.js';

const schema = { openAPIV3Schema: { type: 'object' } };
const version = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, served: true, storage: name === 'v1', schema },
  ...more,
});

function definition(...versions: JsonObject[]): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'reports.example.com', uid: 'u', resourceVersion: '1' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced' },
      names: { kind: 'Report', plural: 'reports', singular: 'report', listKind: 'ReportList' },
      versions,
    },
    status: { storedVersions: ['v1'] },
  };
}

/** A version goes that clients use and objects were applied in, and with it the status subresource. */
const old = definition(version('v1beta1'), version('v1', { subresources: { status: {} } }));
const next = definition(version('v1'));
const warned: readonly (readonly [rule: string, audience: string])[] = [
  ['ServedVersionRemoved', 'clients'],
  ['StatusSubresourceRemoved', 'clients'],
  ['AppliedVersionRemoved', 'apply'],
];

const csv = (name: string): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: `reports.${name}` },
  spec: {
    displayName: 'Reports',
    version: name.slice(1),
    customresourcedefinitions: {
      owned: [{ name: 'reports.example.com', version: 'v1', kind: 'Report' }],
    },
    installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
      (type) => ({ type, supported: true }),
    ),
    install: { strategy: 'deployment', spec: { deployments: [] } },
  },
});

function catalog(...names: string[]): string {
  const blobs = [
    { schema: 'olm.package', name: 'reports', defaultChannel: 'stable' },
    {
      ...{ schema: 'olm.channel', package: 'reports', name: 'stable' },
      entries: names.map((name, index) => ({
        name: `reports.${name}`,
        ...(index === 0 ? {} : { replaces: `reports.${names[index - 1]}` }),
      })),
    },
    ...names.map((name) => ({
      ...{ schema: 'olm.bundle', package: 'reports', name: `reports.${name}` },
      image: `example.com/reports:${name}`,
      properties: [
        { type: 'olm.package', value: { packageName: 'reports', version: name.slice(1) } },
      ],
    })),
  ];
  return blobs.map((blob) => JSON.stringify(blob)).join('\n');
}

describe('the warnings of the contract', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-contract-'));
  const at = (...path: string[]): string => join(folder, ...path);
  after(() => rmSync(folder, { recursive: true }));

  function write(path: string, content: JsonObject | string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
  }

  before(() => {
    write('old.json', old);
    write('new.json', next);
    for (const [name, crd] of [
      ['v1.0.0', old],
      ['v1.1.0', next],
    ] as const) {
      const bundle = `bundles/reports.${name}`;
      write(`${bundle}/manifests/crd.json`, crd);
      write(`${bundle}/manifests/csv.json`, csv(name));
      write(
        `${bundle}/metadata/annotations.yaml`,
        'annotations: { operators.operatorframework.io.bundle.package.v1: reports, operators.operatorframework.io.bundle.channels.v1: stable, operators.operatorframework.io.bundle.manifests.v1: manifests/, operators.operatorframework.io.bundle.metadata.v1: metadata/, operators.operatorframework.io.bundle.mediatype.v1: registry+v1 }\n',
      );
    }
    write('catalogs/old/catalog.json', catalog('v1.0.0'));
    write('catalogs/new/catalog.json', catalog('v1.0.0', 'v1.1.0'));
  });

  function expectWarned(findings: readonly Finding[]): void {
    for (const [rule, audience] of warned) {
      const found = findings.find((finding) => finding.rule === rule);
      expect(found, `${rule} in ${JSON.stringify(findings.map((each) => each.rule))}`).to.not.equal(
        undefined,
      );
      expect(found?.audience, rule).to.equal(audience);
      expect(found?.severity, rule).to.equal('warning');
    }
  }

  const commands: readonly (readonly [title: string, args: readonly string[]])[] = [
    ['check crd', ['check', 'crd', at('old.json'), at('new.json')]],
    ['check crd by proof', ['check', 'crd', at('old.json'), at('new.json'), '--profile', 'proof']],
    [
      'check bundle',
      ['check', 'bundle', at('bundles/reports.v1.1.0'), '--against', at('bundles/reports.v1.0.0')],
    ],
    [
      'catalog diff',
      ['catalog', 'diff', at('catalogs/old'), at('catalogs/new'), '--bundles', at('bundles')],
    ],
  ];
  for (const [title, args] of commands) {
    it(`are said by ${title}`, async () => {
      const { stdout, stderr } = await run([...args, '-o', 'json']);
      expect(stderr).to.equal('');
      const { results } = JSON.parse(stdout) as {
        readonly results: readonly {
          readonly verdict: { readonly findings: readonly Finding[] };
        }[];
      };
      expectWarned(results.flatMap(({ verdict }) => verdict.findings));
    });
  }

  const questions: readonly (readonly [operation: string, input: object])[] = [
    ['crd', { old, new: next }],
    ['crd-classic', { currentCRD: old, newCRD: next, crsByVersion: {} }],
  ];
  for (const [operation, input] of questions) {
    it(`are said to programs by the operation ${operation}`, async () => {
      const line = JSON.stringify({ id: 1, operation, input });
      const { stdout } = await run(['preflight'], { stdin: `${line}\n` });
      const { verdict } = JSON.parse(stdout) as {
        readonly verdict: { readonly findings: readonly Finding[] };
      };
      expectWarned(verdict.findings);
    });
  }

  async function reviewed(
    request: Pick<AdmissionRequest, 'kind' | 'resource' | 'name' | 'object' | 'oldObject'> & {
      readonly namespace?: string;
    },
    objects: readonly JsonObject[],
  ): Promise<readonly string[]> {
    const state = FolderState.of(objects);
    const { response } = await review(
      { uid: '1', operation: 'UPDATE', ...request },
      createReviewers(state),
      {
        policy: defaultPolicy,
        view: state.cluster,
        judge: judgeHere,
        caller: 'api-server',
        now: new Date(0),
      },
    );
    return response.warnings ?? [];
  }

  it('are said by the gate to an update of the definition', async () => {
    const of = { group: 'apiextensions.k8s.io', version: 'v1' };
    const warnings = await reviewed(
      {
        kind: { ...of, kind: 'CustomResourceDefinition' },
        resource: { ...of, resource: 'customresourcedefinitions' },
        ...{ name: 'reports.example.com', object: next, oldObject: old },
      },
      [old],
    );
    for (const [rule] of warned) expect(warnings.join('\n')).to.include(`${rule}: `);
  });

  it('are said by the gate to whoever approves an InstallPlan', async () => {
    const of = { group: 'operators.coreos.com', version: 'v1alpha1' };
    const name = 'reports.example.com';
    const manifest = JSON.stringify(next);
    const plan = [{ resource: { kind: 'CustomResourceDefinition', name, manifest } }];
    const planned = (approved: boolean): JsonObject =>
      makeObject('InstallPlan', 'p', 'ns', { spec: { approved }, status: { plan } });
    const warnings = await reviewed(
      {
        kind: { ...of, kind: 'InstallPlan' },
        resource: { ...of, resource: 'installplans' },
        ...{ name: 'p', namespace: 'ns', object: planned(true), oldObject: planned(false) },
      },
      [{ apiVersion: 'operators.coreos.com/v1', ...makeGroup() }, old],
    );
    for (const [rule] of warned) expect(warnings.join('\n')).to.include(`${name}: ${rule}: `);
  });
});
