/** Updates of CustomResourceDefinitions on a real API server that asks the gate. */
import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { documentedChanges, documentedDefinition } from '../golden/documented-changes.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import {
  changed,
  definitionPath,
  definitions,
  specOf,
  version,
  widgets,
  type Definition,
} from './widgets.js';

const webhook = 'customresourcedefinitions.olm-guard.io';
const rule = {
  apiGroups: ['apiextensions.k8s.io'],
  apiVersions: ['v1'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: ['customresourcedefinitions'],
};

describe('an update of a CustomResourceDefinition', () => {
  const cluster = useCluster();

  const create = (definition: Definition): Promise<Answer> =>
    cluster().request('POST', definitions, definition);

  /** Replaces the stored object as kubectl replace would. */
  async function replace(definition: Definition, query = ''): Promise<Answer> {
    const path = `${definitions}/${definition.metadata.name}`;
    return until(`${path} to be nobody else's for a moment`, async () => {
      const stored = await cluster().request('GET', path);
      const resourceVersion = stored.body.metadata?.resourceVersion;
      const metadata = { ...definition.metadata, resourceVersion };
      const answer = await cluster().request('PUT', `${path}${query}`, { ...definition, metadata });
      // The API server writes conditions into the status of a new definition.
      return answer.code === 409 ? undefined : answer;
    });
  }

  before(() => create(widgets()));

  const gate = useGate(cluster, {
    name: webhook,
    rules: [rule],
    args: () => ['--policy=manifests/overlays/documented/policy.yaml'],
    isAsked: async () => {
      const withoutPollInterval = changed((spec) => delete spec.properties['pollInterval']);
      return (await replace(withoutPollInterval, '?dryRun=All')).code === 403;
    },
  });

  interface Row {
    rule: string;
    because: string;
    validator: string;
    field: string;
    upgrade: Definition;
  }

  const denied: Row[] = [
    {
      rule: 'a field may not be removed',
      validator: 'NoExistingFieldRemoved',
      field: '^.spec.pollInterval',
      because: 'crd/widgets.example.com version/v1 field/^.spec.pollInterval may not be removed',
      upgrade: changed((spec) => delete spec.properties['pollInterval']),
    },
    {
      rule: 'a field may not become required',
      validator: 'ChangeValidator',
      field: '^.spec',
      because: 'version "v1", field "^.spec": new required fields added: [replicas]',
      upgrade: changed((spec) => spec.required.push('replicas')),
    },
    {
      rule: 'a type may not change',
      validator: 'ChangeValidator',
      field: '^.spec.pollInterval',
      because: 'version "v1", field "^.spec.pollInterval": type changed from "string" to "integer"',
      upgrade: changed((spec) => (spec.properties['pollInterval'] = { type: 'integer' })),
    },
    {
      rule: 'an enum value may not be removed',
      validator: 'ChangeValidator',
      field: '^.spec.mode',
      because:
        'version "v1", field "^.spec.mode": enums ["Slow"] removed from the set of previously allowed values',
      upgrade: changed((spec) => (spec.properties['mode'] = { type: 'string', enum: ['Fast'] })),
    },
    {
      rule: 'a maximum may not be lowered',
      validator: 'ChangeValidator',
      field: '^.spec.replicas',
      because: 'version "v1", field "^.spec.replicas": maximum: constraint decreased from 5 to 3',
      upgrade: changed(
        (spec) => (spec.properties['replicas'] = { type: 'integer', minimum: 1, maximum: 3 }),
      ),
    },
    {
      rule: 'a default may not be added',
      validator: 'ChangeValidator',
      field: '^.spec.mode',
      because: String.raw`version "v1", field "^.spec.mode": default value "\"Fast\"" added when there was no default previously`,
      upgrade: changed((spec) => {
        spec.properties['mode'] = { type: 'string', enum: ['Fast', 'Slow'], default: 'Fast' };
      }),
    },
  ];

  for (const row of denied) {
    it(`is denied: ${row.rule}`, async () => {
      const answer = await replace(row.upgrade);
      expect(answer.code).to.equal(403);
      expect(answer.body.reason).to.equal('Forbidden');
      const lines = answer.body.message?.split('\n') ?? [];
      expect(lines[0]).to.match(
        new RegExp(`^admission webhook "${webhook}" denied the request: .*widgets.example.com`),
      );
      expect(lines.slice(3)).to.include(
        'validating upgrade for CRD "widgets.example.com" failed: ' +
          'CustomResourceDefinition widgets.example.com failed upgrade safety validation. ' +
          `"${row.validator}" validation failed: ${row.because}`,
      );
      const [cause] = answer.body.details?.causes ?? [];
      expect(cause?.reason).to.equal(row.validator);
      expect(cause?.field).to.equal(row.field);
      expect(cause?.message).to.equal(row.because);
    });
  }

  const allowed: { rule: string; upgrade: Definition }[] = [
    { rule: 'nothing changes', upgrade: widgets() },
    {
      rule: 'an optional field is added',
      upgrade: changed((spec) => (spec.properties['note'] = { type: 'string' })),
    },
    {
      rule: 'an enum value is added',
      upgrade: changed((spec) => spec.properties['mode']?.enum?.push('Medium')),
    },
    { rule: 'a required field becomes optional', upgrade: changed((spec) => spec.required.pop()) },
    {
      rule: 'a range gets wider',
      upgrade: changed(
        (spec) => (spec.properties['replicas'] = { type: 'integer', minimum: 0, maximum: 9 }),
      ),
    },
    {
      rule: 'a version is added',
      upgrade: changed((_spec, whole) => whole.spec.versions.push(version('v2'))),
    },
  ];

  for (const { rule: reason, upgrade } of allowed) {
    it(`is allowed: ${reason}`, async () => {
      const answer = await replace(upgrade, '?dryRun=All');
      expect(answer.code, answer.text).to.equal(200);
      expect(answer.warnings).to.deep.equal([]);
    });
  }

  describe('as the documents prohibit and allow it', () => {
    const plural = 'documents';
    before(async () => {
      const created = await create(documentedDefinition(plural) as unknown as Definition);
      expect(created.code, created.text).to.equal(201);
    });

    for (const { says, change, refusal, isOfServers } of documentedChanges) {
      const how = refusal === null ? 'allowed' : isOfServers ? 'refused by the server' : 'denied';
      it(`${says}: ${how}`, async () => {
        const answer = await replace(change(plural) as unknown as Definition, '?dryRun=All');
        if (refusal === null) {
          expect(answer.code, answer.text).to.equal(200);
          expect(answer.warnings).to.deep.equal([]);
        } else if (isOfServers) {
          expect(answer.code, answer.text).to.equal(422);
        } else {
          expect(answer.code, answer.text).to.equal(403);
          const [cause] = answer.body.details?.causes ?? [];
          expect(cause?.reason).to.equal(refusal.rule);
          expect(cause?.message).to.include(refusal.text);
          expect(answer.body.message).to.include(refusal.text);
        }
      });
    }
  });

  it('never reaches the gate when the API server refuses it by itself', async () => {
    const before = await reviews('UPDATE');
    const scope = await replace(changed((_spec, whole) => (whole.spec.scope = 'Cluster')));
    const storedVersion = await replace(
      changed((_spec, whole) => (whole.spec.versions = [version('v2', { storage: true })])),
    );
    expect([scope.code, storedVersion.code]).to.deep.equal([422, 422]);
    expect(await reviews('UPDATE')).to.equal(before);
  });

  it('is denied in a dry run as it is without one', async () => {
    const upgrade = changed((spec) => spec.required.push('replicas'));
    const [dry, real] = [await replace(upgrade, '?dryRun=All'), await replace(upgrade)];
    expect(dry.code).to.equal(403);
    const [patchesOfDry, patchesOfReal] = [dry, real].map(({ body }) =>
      body.details?.causes?.filter(({ reason }) => reason === 'JSONPatch'),
    );
    // The same patches, or none where the gate had no time for them.
    if (patchesOfDry?.length !== 0 && patchesOfReal?.length !== 0) {
      expect(patchesOfDry).to.deep.equal(patchesOfReal);
    }
    const withoutPatches = ({ body }: Answer): unknown => ({
      ...body,
      details: {
        ...body.details,
        causes: body.details?.causes?.filter(({ reason }) => reason !== 'JSONPatch'),
      },
    });
    expect(withoutPatches(dry)).to.deep.equal(withoutPatches(real));
  });

  it('shows a person with kubectl the reason, whichever way they apply it', async () => {
    const stdin = JSON.stringify(changed((spec) => spec.required.push('pollInterval')));
    for (const args of [
      ['replace', '-f', '-'],
      ['apply', '-f', '-'],
      ['apply', '--server-side', '--force-conflicts', '-f', '-'],
      ['apply', '--dry-run=server', '-f', '-'],
    ]) {
      const { code, stderr } = await cluster().kubectl(args, { stdin });
      expect(code, args.join(' ')).to.equal(1);
      expect(stderr, args.join(' '))
        .to.include(`admission webhook "${webhook}" denied the request`)
        .and.to.include('new required fields added: [pollInterval]');
    }
  });

  it('shows a program the patch with which it is allowed', async () => {
    await create(widgets('menders'));
    const upgrade = changed((spec) => spec.required.push('replicas'), 'menders');
    const stdin = JSON.stringify(upgrade);
    const patch = await until('a patch to be found in time', async () => {
      // At this level kubectl prints whole answers.
      const { code, stderr } = await cluster().kubectl(['replace', '-v=9', '-f', '-'], { stdin });
      expect(code).to.equal(1);
      return /"reason":"JSONPatch","message":("(?:[^"\\]|\\.)*")/.exec(stderr)?.[1];
    });
    jsonPatch.applyPatch(upgrade, JSON.parse(JSON.parse(patch) as string) as Operation[], true);
    expect((await replace(upgrade)).code).to.equal(200);
  });

  it('is possible after a CREATE, and before a DELETE, which the gate lets pass', async () => {
    const [created, deleted] = [await reviews('CREATE'), await reviews('DELETE')];
    expect((await create(widgets('passers'))).code).to.equal(201);
    expect((await cluster().request('DELETE', definitionPath('passers'))).code).to.equal(200);
    expect(await reviews('CREATE')).to.equal(created + 1);
    expect(await reviews('DELETE')).to.be.greaterThan(deleted);
  });

  describe('with the check switched off', () => {
    const annotations = { 'olm-guard.io/disable': 'crd-upgrade-safety' };
    const breaking = (plural: string, annotated: boolean): Definition =>
      changed((spec, whole) => {
        spec.required.push('replicas');
        if (annotated) whole.metadata.annotations = annotations;
      }, plural);

    it('only in the request is denied', async () => {
      await create(widgets('intruders'));
      const { code, body } = await replace(breaking('intruders', true));
      expect(code).to.equal(403);
      expect(body.message).to.include('new required fields added: [replicas]');
    });
  });

  describe('of a megabyte', () => {
    /** 3,000 described fields: about 1.1 MB. */
    function large(): Definition {
      const definition = widgets('giants');
      const { properties } = specOf(definition);
      for (let index = 0; index < 3000; index++) {
        const description = `The setting number ${index} of this operator. `.repeat(7);
        properties[`setting${String(index).padStart(4, '0')}`] = {
          type: 'string',
          maxLength: 100,
          description,
        };
      }
      return definition;
    }

    before(async () => {
      expect(JSON.stringify(large()).length).to.be.greaterThan(1_000_000);
      expect((await create(large())).code).to.equal(201);
    });

    it('is allowed when it is safe', async () => {
      const upgrade = large();
      specOf(upgrade).properties['one-more'] = { type: 'string' };
      const answer = await replace(upgrade);
      expect(answer.code).to.equal(200);
      expect(answer.warnings).to.deep.equal([]);
    });

    it('is denied with an answer that is cut at a whole line, and a hundred causes', async () => {
      const upgrade = large();
      specOf(upgrade).properties['one-more'] = { type: 'string' };
      for (const [name, schema] of Object.entries(specOf(upgrade).properties)) {
        if (name.startsWith('setting')) schema.maxLength = 99;
      }
      const { code, body } = await replace(upgrade);
      expect(code).to.equal(403);
      const lines = (body.message ?? '').split('\n');
      expect(Buffer.byteLength(body.message ?? '')).to.be.lessThan(8192 + 200);
      expect(lines.slice(1, 3).join('\n')).to.match(/^To fix: .*\nTo go on anyway, /);
      expect(lines.at(-1)).to.match(/^and \d+ more findings: olm-guard check crd /);
      const first = lines.findIndex((line) => line.startsWith('version "v1"'));
      expect(first).to.be.within(4, 6);
      for (const [index, line] of lines.slice(first, -1).entries()) {
        const name = `setting${String(index + 1).padStart(4, '0')}`;
        expect(line).to.equal(
          `version "v1", field "^.spec.${name}": maxLength: constraint decreased from 100 to 99`,
        );
      }
      expect(body.details?.causes).to.have.length(100);
    });
  });

  it('is logged by uid, name and rules, and never by its contents', async () => {
    const upgrade = changed((spec) => {
      spec.properties['mode'] = {
        type: 'string',
        enum: ['Fast', 'Slow'],
        description: 'hush-hush',
      };
    });
    const already = gate().logs().length;
    expect((await replace(upgrade)).code).to.equal(403);
    const review = await until('the review in the log', () =>
      gate()
        .logs()
        .slice(already)
        .find((record) => record['msg'] === 'review' && record['name'] === 'widgets.example.com'),
    );
    expect(review).to.include({
      resource: 'customresourcedefinitions.apiextensions.k8s.io',
      operation: 'UPDATE',
      user: 'admin',
      decision: 'denied',
    });
    expect(review).to.have.property('uid').that.is.a('string').and.not.empty;
    expect(review).to.have.property('rules').that.deep.equals(['ChangeValidator']);
    expect(JSON.stringify(gate().logs())).not.to.include('hush-hush');
  });

  /** How many reviews of an operation the gate has counted, whatever it decided. */
  async function reviews(operation: string): Promise<number> {
    const pattern = /^olm_guard_reviews_total\{(.*)\} (\d+)$/gm;
    return [...(await gate().metrics()).matchAll(pattern)]
      .filter(([, labels]) => labels?.includes(`operation="${operation}"`))
      .reduce((sum, [, , count]) => sum + Number(count), 0);
  }
});
