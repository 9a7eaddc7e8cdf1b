/**
 * What a real API server says to definitions with `dryRun=All`, on create and in place of a stored one,
 * and what we say: accepted or refused, and each error's type and field. Set OLM_GUARD_MUTATED=COUNT,SEED
 * for more mutated definitions, or for others.
 */
import { expect } from 'chai';
import jsonPatch from 'fast-json-patch';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeDefinition } from '../../src/kubernetes/definition/testing/judge-definition.js';
import { sizesOf } from '../../src/kubernetes/definition/sizes.js';
import { rootCertificates } from 'node:tls';
import { definition as definitionOperation } from '../../src/checks/operations/definition.js';
import {
  definitionOfExample,
  exampleOfSpec,
} from '../../src/upgrade/rules/crd/example-definition.js';
import { judgeContract } from '../../src/upgrade/rules/contract/judge.js';
import { judgeForServers } from '../../src/upgrade/rules/definition/judge.js';
import { refusalRules } from '../../src/upgrade/rules/definition/rules.js';
import { unknownFieldFindings } from '../../src/upgrade/rules/definition/unknown-fields.js';
import { UpgradePair } from '../../src/upgrade/pair.js';
import {
  isObject,
  metaOf,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { costlyDefinitions } from '../apiserver/costly-definitions.js';
import { mutate, mutatedDefinitions } from '../apiserver/mutated-definitions.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { Random } from '../apiserver/random-schemas.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import { definitions } from './widgets.js';

/** The minor that test/apiserver builds. */
const minor = '1.35';
const [count = 300, seed = 7] = (process.env['OLM_GUARD_MUTATED'] ?? '300,7')
  .split(',')
  .map(Number);
const basesOfUpdates = 6;

/** Each type with its field, once; which of equally expensive rules contribute to a total is random. */
function told(causes: readonly { type: string; field: string; message: string }[]): string {
  const named = causes.filter(({ message }) => !/contributed to estimated rule cost/.test(message));
  return [...new Set(named.map(({ type, field }) => `${type} ${field}`))].sort().join('\n');
}

/** A `fieldPath` that leads below what has no fields ends the server's request, without an answer. */
const noAnswer = 'no answer';

function ofServer(answer: Answer | undefined): string {
  if (answer === undefined) return noAnswer;
  const { code, body } = answer;
  if (code === 400) return 'Decode';
  if (code < 300 || code === 409) return '';
  const causes = body.details?.causes ?? [];
  if (code !== 422 || causes.length === 0) return `${code} ${body.message ?? ''}`;
  return told(
    causes.map(({ reason = '', field = '', message = '' }) => ({ type: reason, field, message })),
  );
}

function ofOurs(next: JsonObject, old?: JsonObject): string {
  const refusals = judgeDefinition(next, old, [minor]);
  if (refusals.some(({ type }) => type === 'Decode')) return 'Decode';
  const panics = refusals.some(({ message }) =>
    message.startsWith('the API server breaks down over'),
  );
  return panics ? noAnswer : told(refusals);
}

describe('definitions, as a real API server judges them', () => {
  const cluster = useCluster();

  const send = (method: string, path: string, body: JsonObject): Promise<Answer | undefined> =>
    cluster()
      .request(method, `${path}?dryRun=All`, stringifyJson(body))
      .catch((error: unknown) => {
        if (error instanceof Error && error.message === 'socket hang up') return undefined;
        throw error;
      });

  const created = (definition: JsonObject): Promise<Answer | undefined> =>
    send('POST', definitions, definition);

  for (const { id, example } of refusalRules) {
    it(`refuses the example of ${id}, and takes what is to be done instead`, async () => {
      const wrong = definitionOfExample(example.after);
      expect(ofServer(await created(wrong)))
        .to.equal(ofOurs(wrong))
        .and.not.equal('');
      if (example.accepted === undefined) return;
      const right = definitionOfExample(example.accepted);
      expect(ofServer(await created(right)))
        .to.equal(ofOurs(right))
        .and.equal('');
    });
  }

  it('says the same of mutated definitions that are new', async function () {
    this.timeout(600_000);
    const differing: string[] = [];
    let refused = 0;
    for (const { id, new: next } of mutatedDefinitions(count, seed)) {
      const [ours, theirs] = [ofOurs(next), ofServer(await created(next))];
      if (theirs !== '') refused++;
      if (ours !== theirs) differing.push(`${id}: ${theirs} | ${ours}`);
    }
    expect(differing).to.deep.equal([]);
    // Both happen, so that agreement means something.
    expect(refused, 'refused').to.be.within(1, count - 1);
  });

  it('says the same of mutated definitions in place of stored ones', async function () {
    this.timeout(600_000);
    const random = new Random(seed);
    const differing: string[] = [];
    let updates = 0;
    let bases = 0;
    for (const { id, new: candidate } of mutatedDefinitions(50 * basesOfUpdates, seed + 1)) {
      if (bases === basesOfUpdates) break;
      const renamed = inGroup(candidate, `g${bases}.example.com`);
      if (renamed === undefined || ofOurs(renamed) !== '') continue;
      const { code } = await cluster().request('POST', definitions, stringifyJson(renamed));
      expect(code, id).to.equal(201);
      bases++;
      const stored = await established(metaOf(renamed).name);
      for (let change = 0; change < count / basesOfUpdates; change++) {
        const next = parseJson(stringifyJson(stored)) as JsonObject;
        mutate(next, random);
        const path = `${definitions}/${metaOf(renamed).name}`;
        const theirs = ofServer(await send('PUT', path, next));
        const ours = ofOurs(next, stored);
        updates++;
        if (ours !== theirs) differing.push(`${id} change ${change}: ${theirs} | ${ours}`);
      }
    }
    expect(differing).to.deep.equal([]);
    expect(updates).to.be.at.least(count);
  });

  it('takes a definition once it has every bound that is named', async () => {
    let bounded = 0;
    for (const costly of costlyDefinitions(40, 11)) {
      const { cheaper } = judgeForServers(costly, undefined, { all: [minor], deciding: [minor] });
      if (cheaper.length === 0) continue;
      const next = parseJson(stringifyJson(costly)) as JsonObject;
      for (const { patch } of cheaper) jsonPatch.applyPatch(next, patch);
      expect(ofServer(await created(costly))).to.not.equal('');
      expect(ofServer(await created(next)), cheaper.map(({ title }) => title).join()).to.equal('');
      bounded++;
    }
    expect(bounded).to.be.at.least(10);
  });

  it('names the fields that strict validation refuses, and those that are dropped unseen', async () => {
    const wrong = {
      minLenght: 1,
      allOf: [{ patern: 'a' }],
      not: { patern: 'a' },
      externalDocs: { url: 'a', txt: 'a' },
      'x-kubernetes-validations': [{ rule: 'true', mesage: 'a' }],
    };
    const map = { type: 'object', additionalProperties: { type: 'string', maxLenght: 1 } };
    const list = { type: 'array', items: { type: 'string', maxLenght: 1 } };
    const document = exampleOfSpec({
      type: 'object',
      properties: { text: { type: 'string', ...wrong }, map, list },
    }) as JsonObject & { spec: { versions: JsonObject[] } };
    const { spec } = document;
    Object.assign(spec.versions[0] as JsonObject, {
      subresource: {},
      subresources: { scales: {}, scale: { replicas: '' }, status: {} },
      additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.a', path: '' }],
      selectableFields: [{ jsonPath: '.spec.text', path: '' }],
    });
    const next = {
      ...document,
      roleRef: {},
      metadata: { ...(own(document, 'metadata') as JsonObject), lables: {} },
      spec: {
        ...spec,
        scop: 'Cluster',
        names: { ...(own(spec, 'names') as JsonObject), shortName: 'w' },
        conversion: { strategy: 'None', webhooks: {} },
      },
      status: { storedVersion: 'v1', conditions: [], acceptedNames: { kind: 'A', plural: 'as' } },
    };
    const path = `${definitions}?dryRun=All&fieldValidation=Strict`;
    const { code, body } = await cluster().request('POST', path, stringifyJson(next));
    expect(code).to.equal(400);
    const strict = [...(body.message ?? '').matchAll(/unknown field "([^"]+)"/g)];
    const ours = unknownFieldFindings(next).map((each) => each.path ?? '');
    const isUnseen = (field: string): boolean => /items|additionalProperties/.test(field);
    expect(ours.filter((each) => !isUnseen(each)).sort()).to.deep.equal(
      strict.map(([, field]) => field).sort(),
    );
    expect(strict.length).to.be.at.least(15);
    expect(ours.filter(isUnseen)).to.have.lengthOf(2);
  });

  it('says of a webhook that another manager owns in part what server-side apply says', async () => {
    const crd = exampleOfSpec({ type: 'object' });
    const { name } = metaOf(crd);
    const spec = own(crd, 'spec') as JsonObject;
    const service = { namespace: 'x', name: 'x', path: '/', port: 443 };
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { service } };
    const converting = { ...crd, spec: { ...spec, conversion: { strategy: 'Webhook', webhook } } };
    const send = (body: JsonObject, type: string, query: string): Promise<Answer> =>
      cluster().request('PATCH', `${definitions}/${name}?${query}`, stringifyJson(body), {
        contentType: `application/${type}`,
      });
    const apply = (body: JsonObject): Promise<Answer> =>
      send(body, 'apply-patch+yaml', 'fieldManager=kubectl');
    const caBundle = Buffer.from(rootCertificates[0] as string).toString('base64');
    const injected = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
    const ways = [crd, { ...crd, spec: { ...spec, conversion: { strategy: 'None' } } }, converting];
    expect((await apply(converting)).code).to.equal(201);
    const found = async (next: JsonObject): Promise<readonly string[]> => {
      const { body } = await cluster().request('GET', `${definitions}/${name}`);
      const { findings } = judgeContract(UpgradePair.read(body as unknown as JsonObject, next));
      return findings.filter(({ rule }) => rule === 'ConversionPartlyOwned').map((f) => f.message);
    };
    // While nobody else owns a part, the webhook goes.
    expect(await found(crd)).to.deep.equal([]);
    await send(injected, 'merge-patch+json', 'fieldManager=cainjector');
    for (const next of ways) {
      const said = (await found(next)).length;
      const { code } = await send(next, 'apply-patch+yaml', 'fieldManager=kubectl&dryRun=All');
      expect([said, code]).to.deep.equal(next === converting ? [0, 200] : [1, 422]);
    }
    const [, patch = ''] = /-p '(.*)'$/.exec((await found(crd))[0] ?? '') ?? [];
    const patched = await send(
      parseJson(patch) as JsonObject,
      'merge-patch+json',
      'fieldManager=k',
    );
    expect(patched.code).to.equal(200);
    expect([await found(crd), (await apply(crd)).code]).to.deep.equal([[], 200]);
  });

  it('is asked for its version by --kubernetes cluster', async () => {
    const { folder, kubeconfigPath } = cluster();
    const file = (name: string, definition: JsonObject): string => {
      writeFileSync(join(folder, name), stringifyJson(definition));
      return join(folder, name);
    };
    const list = { type: 'array', maxItems: 3, items: { type: 'integer' } };
    const ports = { ...list, 'x-kubernetes-validations': [{ rule: 'self.sort() == self' }] };
    const old = file('sorted-old.json', exampleOfSpec({ type: 'object' }));
    const next = file('sorted.json', exampleOfSpec({ type: 'object', properties: { ports } }));
    const asked = ['check', 'crd', old, next, '--kubeconfig', kubeconfigPath, '--kubernetes'];
    expect(await run([...asked, 'cluster'])).to.include({ code: 0, stderr: '' });
    expect(await run([...asked, 'cluster..1.36'])).to.include({ code: 0, stderr: '' });
    const older = await run([...asked, '1.34,cluster']);
    expect(older.code).to.equal(1);
    expect(older.stdout).to.match(/undeclared reference to 'sort'.*\(Kubernetes 1\.34\)/s);
  });

  it('takes kubectl apply up to the size that we say, and not a byte more', async () => {
    const { folder } = cluster();
    const most = 262_144;
    const escaped = '<&> "ä" ';
    const ofSize = (bytes: number): JsonObject => {
      const described = (length: number): JsonObject =>
        exampleOfSpec({ type: 'object', description: escaped + 'x'.repeat(length) });
      return described(bytes - sizesOf(described(0)).annotations);
    };
    for (const [bytes, isTaken] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      // prettier-ignore
      const definition = ofSize(bytes);
      const file = join(folder, `of-${bytes}-bytes.json`);
      writeFileSync(file, stringifyJson(definition));
      const applied = await cluster().kubectl(['apply', '--dry-run=server', '-f', file]);
      const tooLong = `metadata.annotations: Too long: may not be more than ${most} bytes`;
      expect(applied.code, applied.stderr).to.equal(isTaken ? 0 : 1);
      if (!isTaken) expect(applied.stderr).to.contain(tooLong);
      // Neither server nor operation sees a refusal: only the annotation is too large.
      expect(ofServer(await created(definition))).to.equal('');
      const onServer = await cluster().kubectl([
        'apply',
        '--server-side',
        '--dry-run=server',
        '-f',
        file,
      ]);
      expect(onServer.code, onServer.stderr).to.equal(0);
      const asked = { new: definition, kubernetes: [minor] };
      const { allowed, findings = [] } = definitionOperation.judge(asked);
      expect(allowed).to.equal(true);
      expect(findings.map(({ id }) => id)).to.deep.equal([isTaken ? 'near' : 'annotation']);
      const [limit] = sizesOf(definition).limits;
      expect(limit).to.include({ name: 'last-applied annotation', bytes, exceeded: !isTaken });
      const told = await run(['check', 'crd', file, file, '--kubernetes', minor]);
      expect(told.code, told.stdout + told.stderr).to.equal(0);
      const what = isTaken ? 'near what kubectl apply takes' : 'too large for kubectl apply';
      expect(told.stdout).to.contain(what).and.to.contain(`would have ${bytes} bytes`);
    }
  });

  async function established(name: string): Promise<JsonObject> {
    return until(`${name} is established`, async () => {
      const { text, body } = await cluster().request('GET', `${definitions}/${name}`);
      const { conditions } = (body['status'] ?? {}) as { conditions?: Condition[] | null };
      const isTrue = conditions?.some(
        (each) => each.type === 'Established' && each.status === 'True',
      );
      return isTrue === true ? (parseJson(text) as JsonObject) : undefined;
    });
  }
});

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** The same definition under a name of its own; undefined for one that names itself otherwise. */
function inGroup(definition: JsonObject, group: string): JsonObject | undefined {
  const spec = own(definition, 'spec');
  const names = isObject(spec) ? own(spec, 'names') : undefined;
  if (!isObject(spec) || !isObject(names)) return undefined;
  const plural = own(names, 'plural');
  const metadata = { name: `${typeof plural === 'string' ? plural : ''}.${group}` };
  const rest = { ...definition };
  delete rest['status'];
  return { ...rest, metadata, spec: { ...spec, group } };
}
