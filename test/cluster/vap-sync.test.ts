/** `vap sync` on a real API server: what it writes, what it removes, and that it never opens in between. */
import { expect } from 'chai';
import {
  isObject,
  metaOf,
  own,
  parseJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { changed, definitionPath, definitions, things, version, widgets } from './widgets.js';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';

describe('vap sync', function () {
  this.timeout(300_000);
  const cluster = useCluster({ users: [{ name: 'nobody' }] });

  const sync = (...args: string[]) =>
    run(['vap', 'sync', ...args, '--kubeconfig', cluster().kubeconfigPath]);

  const request = async (method: string, path: string, body?: object): Promise<JsonObject> => {
    const { code, text } = await cluster().request(method, path, body);
    expect(code, text).to.be.within(200, 201);
    return parseJson(text) as JsonObject;
  };

  const namesAt = async (path: string): Promise<string[]> => {
    const list = await request('GET', `${path}?labelSelector=olm-guard.io/synced=true`);
    return (own(list, 'items') as JsonObject[]).map((each) => metaOf(each).name).sort();
  };

  async function put(plural: string, next: object): Promise<string> {
    const path = definitionPath(plural);
    const stored = await request('GET', path);
    const body = { ...next, metadata: own(stored, 'metadata') };
    const { code, text } = await cluster().request('PUT', `${path}?dryRun=All`, body);
    return code === 200 ? 'allowed' : text;
  }

  const narrowed = (plural: string) =>
    changed((spec) => {
      delete spec.properties['pollInterval'];
    }, plural);
  const withoutReplicas = (plural: string) =>
    changed((spec) => {
      delete spec.properties['replicas'];
    }, plural);

  const create = (plural: string, name: string, spec: object) =>
    request('POST', `/apis/example.com/v1/namespaces/default/${plural}`, {
      apiVersion: 'example.com/v1',
      kind: `${plural.slice(0, 1).toUpperCase()}${plural.slice(1, -1)}`,
      metadata: { name },
      spec,
    });

  const install = async (plural: string): Promise<void> => {
    await request('POST', definitions, widgets(plural));
    await until('the definition to be served', async () => {
      const { code } = await cluster().request('GET', `/apis/example.com/v1/${plural}`);
      return code === 200 ? true : undefined;
    });
  };

  const deleteAsTrial = (...what: string[]) =>
    cluster().kubectl(['delete', '--dry-run=server', ...what]);

  before(async () => {
    await install('widgets');
    await create('widgets', 'one', { mode: 'Fast', pollInterval: '1m' });
    await install('gadgets');
  });

  it('pins what objects use, and says what it does not cover', async () => {
    const { code, stdout, stderr } = await sync();
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('2 definitions');
    expect(stderr).to.include('all 2 definitions: not covered: fields that no object used');
    expect(stderr).to.include('gadgets.example.com: not covered: fields of v1: no object');
    const made = [
      'olm-guard.0-deletion.widgets.example.com',
      'olm-guard.0-stored-versions.gadgets.example.com',
      'olm-guard.0-stored-versions.widgets.example.com',
      'olm-guard.1-v1.widgets.example.com',
      'olm-guard.gadgets.example.com',
      'olm-guard.widgets.example.com',
    ];
    expect(await namesAt(policies)).to.deep.equal(made);
    expect(await namesAt(bindings)).to.deep.equal(made);
    await until('the policies to count', async () =>
      (await put('widgets', narrowed('widgets'))) === 'allowed' ? undefined : true,
    );
    expect(await put('widgets', narrowed('widgets'))).to.include('^.spec.pollInterval');
    expect(await put('widgets', withoutReplicas('widgets'))).to.equal('allowed');
    expect(await put('gadgets', narrowed('gadgets'))).to.equal('allowed');
  });

  it('writes what export vap prints with the objects of the cluster', async () => {
    const definition = JSON.stringify(widgets('widgets'));
    const { code, stdout, stderr } = await run(
      [
        ...['export', 'vap', '-', '--objects', 'cluster', '-o', 'json'],
        ...['--kubeconfig', cluster().kubeconfigPath],
      ],
      { stdin: definition },
    );
    expect(code, stderr).to.equal(0);
    const printed = (own(parseJson(stdout) as JsonObject, 'items') as JsonObject[]).filter(
      (each) => own(each, 'kind') === 'ValidatingAdmissionPolicy',
    );
    expect(printed).not.to.deep.equal([]);
    for (const each of printed) {
      const stored = await request('GET', `${policies}/${metaOf(each).name}`);
      const expressions = (object: JsonObject): unknown =>
        (own(own(object, 'spec') as JsonObject, 'validations') as JsonObject[]).map((rule) =>
          own(rule, 'expression'),
        );
      expect(expressions(each)).to.deep.equal(expressions(stored));
    }
  });

  it('warns of the deletion of a definition that had objects, as the gate does', async () => {
    const { code, stderr } = await deleteAsTrial('crd', 'widgets.example.com');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('StoredObjectsDeleted');
    const empty = await deleteAsTrial('crd', 'gadgets.example.com');
    expect(empty.code, empty.stderr).to.equal(0);
    expect(empty.stderr).not.to.include('StoredObjectsDeleted');
  });

  it('denies such a deletion where that is asked for, one by one or together', async () => {
    expect((await sync('--deny-deletion')).code).to.equal(0);
    const path = `${definitionPath('widgets')}?dryRun=All`;
    const text = await until('the deletion to be denied', async () => {
      const answer = await cluster().request('DELETE', path);
      return answer.code === 422 ? answer.text : undefined;
    });
    expect(text).to.include('StoredObjectsDeleted');
    const all = await cluster().request('DELETE', `${definitions}?dryRun=All`);
    expect(all.code, all.text).to.equal(422);
    const empty = await cluster().request('DELETE', `${definitionPath('gadgets')}?dryRun=All`);
    expect(empty.code, empty.text).to.equal(200);
    expect((await sync()).code).to.equal(0);
  });

  it('warns when a version is removed from status.storedVersions', async () => {
    const patch = JSON.stringify({ status: { storedVersions: ['v0'] } });
    const trim = ['patch', 'crd', 'widgets.example.com', '--subresource=status', '--type=merge'];
    const { stderr } = await cluster().kubectl([...trim, '--dry-run=server', '-p', patch]);
    expect(stderr).to.include('StoredVersionUnproven');
  });

  it('writes nothing if nothing has changed', async () => {
    const versions = async (): Promise<string[]> =>
      (own(await request('GET', policies), 'items') as JsonObject[]).map(
        (each) => metaOf(each).resourceVersion ?? '',
      );
    const before = await versions();
    expect((await sync()).code).to.equal(0);
    expect(await versions()).to.deep.equal(before);
  });

  it('stores nothing in a dry run', async () => {
    await create('gadgets', 'one', { mode: 'Fast' });
    const before = await namesAt(policies);
    const { code, stderr } = await sync('--dry-run');
    expect(code, stderr).to.equal(0);
    expect(await namesAt(policies)).to.deep.equal(before);
  });

  it('follows what objects use, and a version that comes', async () => {
    await create('widgets', 'two', { mode: 'Slow', replicas: 2 });
    const next = widgets('widgets');
    next.spec.versions.push(version('v2'));
    const stored = await request('GET', definitionPath('widgets'));
    const metadata = own(stored, 'metadata');
    await request('PUT', definitionPath('widgets'), { ...next, metadata });
    expect((await sync('widgets.example.com')).code).to.equal(0);
    await until('replicas to be pinned', async () => {
      const wanted = withoutReplicas('widgets');
      wanted.spec.versions.push(version('v2'));
      return (await put('widgets', wanted)) === 'allowed' ? undefined : true;
    });
    // Only the definition that was named.
    expect(await namesAt(policies)).not.to.include('olm-guard.1-v1.gadgets.example.com');
    const { stdout } = await run([
      'doctor',
      ...['-o', 'json', '--kubeconfig', cluster().kubeconfigPath],
    ]);
    const covered = /changes of widgets\.example\.com are denied by 2 policies, since 20/;
    expect(stdout).to.match(covered);
    const scan = ['scan', '--kubeconfig', cluster().kubeconfigPath];
    expect((await run(scan)).stdout).to.match(covered);
    const { results } = JSON.parse((await run([...scan, '-o', 'json'])).stdout) as {
      results: { name: string; output: unknown }[];
    };
    expect(
      results.find(({ name }) => name === 'CustomResourceDefinition widgets.example.com')?.output,
    ).to.deep.nested.include({ 'policies.denying': 2, 'policies.isOutdated': false });
  });

  it('leaves the policies of a definition whose objects it cannot read, and says so', async () => {
    const before = await namesAt(policies);
    const serve = async (wanted: ReturnType<typeof widgets>): Promise<void> => {
      const metadata = own(await request('GET', definitionPath('widgets')), 'metadata');
      await cluster().request('PUT', definitionPath('widgets'), { ...wanted, metadata });
    };
    const unserved = widgets('widgets');
    for (const each of unserved.spec.versions) each.served = false;
    const elsewhere = structuredClone(unserved);
    elsewhere.spec.versions.push(version('v2'));
    await serve(elsewhere);
    const partly = await sync('widgets.example.com');
    expect(partly.stderr).to.include('stay as they were: its storage version is not served');
    expect(await namesAt(policies)).to.deep.equal(before);
    await serve(unserved);
    const { code, stderr } = await sync('widgets.example.com', 'absent.example.com');
    expect(code).to.equal(1);
    expect(stderr).to.include('widgets.example.com: its policies stay as they were: no version');
    expect(stderr).to.include('absent.example.com: its policies stay as they were: there is no');
    expect(await namesAt(policies)).to.deep.equal(before);
  });

  it('removes the policies of a definition that is gone, and no others', async () => {
    const other = await request('POST', policies, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: {
        name: 'by-hand',
        annotations: { 'olm-guard.io/definition': 'gadgets.example.com' },
      },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['x.y'], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['z'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    });
    expect(isObject(other)).to.equal(true);
    await request('DELETE', definitionPath('gadgets'));
    await until('the definition to go', async () =>
      (await cluster().request('GET', definitionPath('gadgets'))).code === 404 ? true : undefined,
    );
    const { stdout } = await sync();
    expect(stdout).to.include('removed ValidatingAdmissionPolicy/olm-guard.gadgets.example.com');
    expect((await namesAt(policies)).filter((name) => name.includes('gadgets'))).to.deep.equal([]);
    expect((await namesAt(bindings)).filter((name) => name.includes('gadgets'))).to.deep.equal([]);
    await request('GET', `${policies}/by-hand`);
  });

  describe('beside hostile definitions', () => {
    const odd: readonly (readonly [what: string, properties: Record<string, object>])[] = [
      ['a number past 64 bits', { a: { type: 'number', enum: [2 ** 63, 1] } }],
      ['control characters', { 'a\u007f\u0085\u2028': { type: 'string', enum: ['\u009f'] } }],
      ['a value of 100,001 characters', { a: { type: 'string', enum: ['x'.repeat(100_001)] } }],
      [
        '260 bounds',
        Object.fromEntries(
          Array.from({ length: 260 }, (_, index) => [
            `a${index}`,
            { type: 'integer', maximum: index + 1 },
          ]),
        ),
      ],
    ];
    const groups = odd.map((_, index) => `hostile${index}.example.com`);
    const pathsOf = (group: string) => ({
      definition: `${definitions}/things.${group}`,
      objects: `/apis/${group}/v1/namespaces/default/things`,
    });
    const definitionOf = (group: string, properties: object): JsonObject =>
      things(group, {
        served: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: properties as JsonObject } },
          },
        },
      });
    let answer: Awaited<ReturnType<typeof sync>>;

    before(async () => {
      const kept = { type: 'string' };
      for (const [index, [, properties]] of odd.entries()) {
        const group = groups[index] ?? '';
        await request('POST', definitions, definitionOf(group, { kept, ...properties }));
        const values = Object.entries(properties).map(([name, schema]): [string, unknown] => [
          name,
          'enum' in schema ? (schema.enum as unknown[])[0] : 1,
        ]);
        const { objects } = pathsOf(group);
        await until('the definition to be served', async () => {
          const { code } = await cluster().request('GET', objects);
          return code === 200 ? true : undefined;
        });
        await request('POST', objects, {
          ...{ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'one' } },
          spec: { kept: 'a', ...Object.fromEntries(values) },
        });
      }
      answer = await sync(...groups.map((group) => `things.${group}`));
    });

    it('writes all policies, and says which rule no policy can say', async () => {
      expect(answer.code, answer.stderr).to.equal(0);
      expect(answer.stderr).to.include(
        'things.hostile2.example.com: not covered: a rule that no policy can say: v1 ^.spec.a: enum',
      );
      const names = await namesAt(bindings);
      for (const group of groups) {
        expect(names).to.include.members([
          `olm-guard.things.${group}`,
          `olm-guard.1-v1.things.${group}`,
          `olm-guard.0-deletion.things.${group}`,
        ]);
      }
    });

    for (const [index, [what, properties]] of odd.entries()) {
      it(`protects the fields beside ${what}`, async () => {
        const group = groups[index] ?? '';
        const { definition } = pathsOf(group);
        const text = await until('the policies to count', async () => {
          const metadata = own(await request('GET', definition), 'metadata') as JsonObject;
          const body = { ...definitionOf(group, properties), metadata };
          const denial = await cluster().request('PUT', `${definition}?dryRun=All`, body);
          return denial.code === 200 ? undefined : denial.text;
        });
        expect(text).to.include('^.spec.kept may not be removed');
      });
    }
  });
});
