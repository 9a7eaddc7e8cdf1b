/**
 * A kind of OpenShift that appears and goes while the gate runs, and what a real API server answers
 * meanwhile to who changes a definition that one of its objects asks for.
 */
import { expect } from 'chai';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { openConnection } from '../../src/cli/options/cluster-option.js';
import { inspectRights } from '../../src/cli/serve/rights.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import {
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import {
  changed,
  definitionPath,
  definitions,
  version,
  widgets,
  type Definition,
} from './widgets.js';

const group = 'apiextensions.openshift.io';
const path = `/apis/${group}/v1alpha1/compatibilityrequirements`;
const kind = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `compatibilityrequirements.${group}` },
  spec: {
    ...{ group, scope: 'Cluster' },
    names: { kind: 'CompatibilityRequirement', plural: 'compatibilityrequirements' },
    versions: [
      {
        ...{ name: 'v1alpha1', served: true, storage: true },
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

/** Served in v1alpha1 too; to stop that deserves a warning by itself. */
const servedTwice = (): Definition =>
  changed((_spec, whole) => whole.spec.versions.unshift(version('v1alpha1')));

const requirement = (action: 'Deny' | 'Warn'): JsonObject => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'CompatibilityRequirement',
  metadata: { name: 'platform' },
  spec: {
    customResourceDefinitionSchemaValidation: { action },
    compatibilitySchema: {
      requiredVersions: { defaultSelection: 'AllServed' },
      customResourceDefinition: {
        type: 'YAML',
        data: stringifyJson(servedTwice()),
      },
    },
  },
});

/** What `olm-guard doctor` says of the gate's rights. */
async function rightsOf({ kubeconfigPath }: TestCluster): Promise<string> {
  const connection = await openConnection({ kubeconfig: kubeconfigPath });
  if (connection === undefined) throw new Error('no cluster is named');
  const none = { certificates: false, access: false, events: false, aggregated: false };
  try {
    const seen = await inspectRights(connection, { username: serviceAccount }, 'olm-guard', none);
    return seen.map(({ message }) => message).join('; ');
  } finally {
    connection.close();
  }
}

const said = ({ body, warnings }: Answer): string => [body.message ?? '', ...warnings].join('\n');

describe('CompatibilityRequirements on a real API server', () => {
  const cluster = useCluster({ users: [{ name: serviceAccount }, { name: 'eve' }] });
  let gate: TestGate;

  before('install the gate with the rights of manifests/base', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      '--policy=manifests/base/policy.yaml',
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
    await create(cluster(), servedTwice());
    const rights = [
      '--verb=get,update,delete',
      '--resource=customresourcedefinitions.apiextensions.k8s.io',
    ];
    await kubectl(cluster(), 'create', 'clusterrole', 'definer', ...rights);
    await kubectl(
      cluster(),
      'create',
      'clusterrolebinding',
      'eve',
      '--clusterrole=definer',
      '--user=eve',
    );
  });
  after(async () => gate?.stop());

  const withdraw = (user?: string): Promise<Answer> =>
    replace(cluster(), widgets(), { query: '?dryRun=All', ...(user !== undefined && { user }) });

  const untilSaid = (what: string, isIt: (answer: Answer) => boolean): Promise<Answer> =>
    until(what, async () => {
      const answer = await withdraw();
      return isIt(answer) ? answer : undefined;
    });

  async function requireWhole(action: 'Deny' | 'Warn'): Promise<void> {
    const created = await until('the kind to be served', async () => {
      const answer = await cluster().request('POST', path, requirement(action));
      return answer.code === 404 || answer.code === 429 ? undefined : answer;
    });
    expect(created.code, created.text).to.equal(201);
    // OpenShift's controller does this when it has admitted it.
    const { code } = await cluster().request(
      ...(['PATCH', `${path}/platform/status`] as const),
      { status: { crdName: 'widgets.example.com' } },
      { contentType: 'application/merge-patch+json' },
    );
    expect(code).to.equal(200);
  }

  it('say nothing where their kind is not installed', async () => {
    const answer = await withdraw();
    expect(answer.code, answer.text).to.equal(200);
    expect(said(answer)).not.to.include('CompatibilityRequirement');
    expect(
      gate
        .logs()
        .filter(({ kind: of, level }) => of === 'CompatibilityRequirement' && level === 40),
    ).to.deep.equal([]);
  });

  it('are said not to be known where the gate has no right to them', async () => {
    await cluster().request('POST', definitions, kind);
    const answer = await untilSaid('the gate to have no right', (each) =>
      said(each).includes('whether CompatibilityRequirements ask for more is not known'),
    );
    expect(answer.code).to.equal(200);
    expect(await rightsOf(cluster())).to.match(
      /may not .*compatibilityrequirements\.apiextensions\.openshift\.io.*apply .*manifests\/components\/openshift\/requirements\.yaml/,
    );
  });

  it('deny what one of them asks for, and name it to who may list it', async () => {
    await kubectl(cluster(), 'apply', '-f', 'manifests/components/openshift/requirements.yaml');
    expect(await rightsOf(cluster())).to.match(/has its \d+ rights(?:;|$)/);
    await requireWhole('Deny');
    const answer = await untilSaid('the requirement to be followed', ({ code }) => code === 403);
    expect(answer.body.message).to.include(
      'CompatibilityRequirement platform requires version v1alpha1, which is not served',
    );
    const causes = (answer.body.details?.causes ?? []).map(({ reason }) => reason);
    expect(causes).to.include('CompatibilityRequirementUnmet');
    const toEve = await withdraw('eve');
    expect(toEve.code).to.equal(403);
    expect(toEve.text)
      .to.include('a CompatibilityRequirement that you may not list requires version v1alpha1')
      .and.not.include('platform');
  });

  it('let a definition through that has what they ask for', async () => {
    const wider = changed((spec) => (spec.properties['color'] = { type: 'string' }));
    wider.spec.versions.unshift(version('v1alpha1'));
    const answer = await replace(cluster(), wider, { query: '?dryRun=All' });
    expect(answer.code, answer.text).to.equal(200);
    expect(said(answer)).not.to.include('CompatibilityRequirement');
  });

  it('deny deleting the definition', async () => {
    const answer = await cluster().request('DELETE', `${definitionPath('widgets')}?dryRun=All`);
    expect(answer.code, answer.text).to.equal(403);
    expect(answer.body.message).to.include(
      'CompatibilityRequirement platform requires the definition, which is being deleted',
    );
  });

  it('only warn with action Warn', async () => {
    const spec = requirement('Warn')['spec'] as JsonObject;
    const { code } = await cluster().request(
      'PATCH',
      `${path}/platform`,
      { spec },
      { contentType: 'application/merge-patch+json' },
    );
    expect(code).to.equal(200);
    const answer = await untilSaid('the action to be followed', (each) => each.code === 200);
    expect(said(answer)).to.include('CompatibilityRequirement platform requires version v1alpha1');
  });

  it('say nothing any more where they are gone', async () => {
    await cluster().request('DELETE', `${path}/platform`);
    const isQuiet = (answer: Answer): boolean => !said(answer).includes('CompatibilityRequirement');
    expect((await untilSaid('the requirement to be gone', isQuiet)).code).to.equal(200);
  });

  it('say nothing any more where their kind is gone, and again where it is back', async () => {
    await requireWhole('Deny');
    await untilSaid('the requirement to be followed', ({ code }) => code === 403);
    await cluster().request('DELETE', `${definitions}/${kind.metadata.name}`);
    await untilSaid(
      'the kind to be gone',
      (answer) => !said(answer).includes('CompatibilityRequirement'),
    );
    await until('the definition to be gone', async () => {
      const { code } = await cluster().request('POST', definitions, kind);
      return code === 201 || undefined;
    });
    await requireWhole('Deny');
    await untilSaid('the new kind to be followed', ({ code }) => code === 403);
  });
});
