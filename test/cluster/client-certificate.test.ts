/**
 * An API server that shows the gate a client certificate, as docs/client-certificate.md sets it up:
 * what the gate knows is for this API server, told to those who may read it, and for nobody else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { send } from '../server/gate.js';
import { responseIn, reviewText } from '../server/reviews.js';
import { clientName, writeCertificateFiles } from './api-server-certificate.js';
import {
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  serviceAccount,
  untilAnswered,
} from './installed-gate.js';
import { changed, definitionPath, type Definition } from './widgets.js';

const password = 'hunter2';

describe('an API server that shows a client certificate', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-client-'));
  const file = (name: string): string => join(folder, name);
  after(() => rmSync(folder, { recursive: true }));

  before('the files of the page, at places of our own', () => writeCertificateFiles(folder));

  const tenant = 'tenant';
  const cluster = useCluster({
    users: [{ name: serviceAccount }, { name: tenant }],
    apiServerFlags: [`--admission-control-config-file=${file('admission.yaml')}`],
  });
  let gate: TestGate;

  before('the gate that asks for the certificate', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
      `--client-ca-file=${file('ca.crt')}`,
      `--client-name=${clientName}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
    expect((await create(cluster(), accounts())).code).to.equal(201);
    await until('accounts to be served', async () =>
      (await cluster().request('GET', objects)).code === 200 ? true : undefined,
    );
    const account = {
      apiVersion: 'example.com/v1',
      kind: 'Account',
      metadata: { name: 'root' },
      spec: { mode: 'Fast', password },
    };
    expect((await cluster().request('POST', objects, account)).code).to.equal(201);
    for (const [name, verbs, resource, user] of [
      ['read-accounts', 'get,list', 'accounts.example.com', serviceAccount],
      ['write-definitions', 'get,update', 'customresourcedefinitions.apiextensions.k8s.io', tenant],
    ] as const) {
      await kubectl(
        cluster(),
        ...['create', 'clusterrole', name, `--verb=${verbs}`, `--resource=${resource}`],
      );
      await kubectl(
        cluster(),
        ...['create', 'clusterrolebinding', name, `--clusterrole=${name}`, `--user=${user}`],
      );
    }
    await until('the gate to read accounts', async () =>
      (await guess('^h')).text.includes('not checked') ? undefined : true,
    );
    await until('the tenant to write definitions', async () =>
      (await guess('^h', tenant)).text.includes('cannot update') ? undefined : true,
    );
  });
  after(() => gate?.stop());

  const objects = '/apis/example.com/v1/namespaces/default/accounts';
  const accounts = (pattern?: string): Definition =>
    changed(
      (spec) =>
        (spec.properties['password'] = {
          type: 'string',
          ...(pattern === undefined ? {} : { pattern }),
        }),
      'accounts',
    );

  /** Tries a pattern on the stored password. */
  const guess = (pattern: string, user?: string): Promise<Answer> =>
    replace(cluster(), accounts(pattern), {
      query: '?dryRun=All',
      ...(user === undefined ? {} : { user }),
    });

  it('is told what breaks, for those who may list it', async () => {
    const wrong = await guess('^x');
    expect(wrong.text + wrong.warnings.join()).to.include(
      '1 of 1 stored Account would be refused: default/root',
    );
    const right = await guess('^h');
    expect(right.text + right.warnings.join()).not.to.include('would be refused');
  });

  it('is told without names if you may not list the objects, and decided alike', async () => {
    const [theirs, ours] = [await guess('^x', tenant), await guess('^x')];
    expect(theirs.code).to.equal(ours.code);
    const said = theirs.text + theirs.warnings.join();
    expect(said).not.to.match(/default\/root|1 of 1|hunter/);
  });

  it('is not taken for whoever else asks, however well they know the definition', async () => {
    const { body: live } = await cluster().request('GET', definitionPath('accounts'));
    const said = new Set<string>();
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      const pattern = `^${letter}`;
      const next = { ...accounts(pattern), metadata: live.metadata } as unknown as JsonObject;
      const body = reviewText({
        name: 'accounts.example.com',
        userInfo: { username: 'admin', groups: ['system:masters'] },
        oldObject: live as unknown as JsonObject,
        object: next,
      });
      const { status, text } = await send(gate.url, gate.ca, body, {});
      expect(status).to.equal(200);
      said.add(JSON.stringify(responseIn(text)).replaceAll(pattern, 'GUESS'));
    }
    expect([...said]).to.have.length(1);
    expect([...said].join())
      .to.include('without the client certificate of an API server')
      .and.not.match(/root|hunter/);
  });
});
