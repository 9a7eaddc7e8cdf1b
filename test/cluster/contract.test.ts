/**
 * What the contract's findings say, on a real API server: the request is answered as said before the
 * change, the change is made, and it is answered as said afterwards.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSigned } from '../../src/gate/server/certificates/files.js';
import type { Finding, WitnessAnswer, WitnessRequest } from '../../src/rule/finding.js';
import { readCustomResourceDefinition } from '../../src/upgrade/crd/custom-resource-definition.js';
import { sampleObject } from '../../src/upgrade/proof/values/sample-object.js';
import { exampleObject, objectPath } from '../../src/upgrade/rules/contract/requests.js';
import { judgeRollback } from '../../src/upgrade/rules/contract/judge-rollback.js';
import { judgeContractWithRequests } from '../../src/upgrade/rules/contract/judge.js';
import { type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { run } from '../cli/command.js';
import {
  atomicShapes,
  contractKinds,
  merges,
  returns,
  type ContractShape,
  type Draft,
  type Kind,
} from './contract-rows.js';
import { definitions } from './widgets.js';
import { UpgradePair } from '../../src/upgrade/pair.js';

interface Pair {
  readonly old: Draft;
  readonly next: Draft;
  /** The new one with a field by which a test sees that it counts. */
  readonly marked: Draft;
}

const documentOf = (draft: Draft): JsonObject => JSON.parse(JSON.stringify(draft)) as JsonObject;
const read = (draft: Draft) => readCustomResourceDefinition(documentOf(draft), { path: '$' });
const versionOf = ({ apiVersion }: JsonObject): string =>
  typeof apiVersion === 'string' ? (apiVersion.split('/')[1] ?? '') : '';
const lastOf = ({ spec }: Draft): string => spec.versions.at(-1)?.name ?? '';

function pairOf(kind: Pick<Kind, 'base' | 'change'>, shape: ContractShape, plural: string): Pair {
  const [old, next, marked] = [0, 1, 1].map((side) => {
    const made = shape.make(plural);
    // Edits share schemas between versions; a draft is a tree.
    kind.base?.(made);
    if (side === 1) kind.change(made);
    return structuredClone(made.draft);
  }) as [Draft, Draft, Draft];
  for (const { schema } of marked.spec.versions) {
    (schema.openAPIV3Schema['properties'] as JsonObject)['marker'] = { type: 'boolean' };
  }
  return { old, next, marked };
}

/** What words beside the status mean; others are the reason of a Status. */
const meanings: Readonly<Record<string, (answer: Answer, pair: Pair) => boolean>> = {
  '.status is written': ({ body }) => body['status'] !== undefined,
  '.status is left as it was': ({ body }) => body['status'] === undefined,
  'another number': ({ body }) => (body['status'] as { replicas?: number }).replicas === 0,
  'another selector': ({ body }) =>
    (body['status'] as { selector?: string }).selector === undefined,
  'two items': ({ text }) => occurrences(text) === 2,
  'one item': ({ text }) => occurrences(text) === 1,
  'only the apiVersion is converted': ({ text }) => !text.includes(convertedBy),
  'while the webhook does not answer': ({ body }) =>
    body.message?.startsWith('conversion webhook for ') === true,
};

const mergePatch = 'application/merge-patch+json';
const touch = { metadata: { annotations: { touched: 'true' } } };
const convertedBy = 'contract.example.com/converted';

/** Items of the list of ports, wherever it is. */
const occurrences = (text: string): number => {
  const object = JSON.parse(text) as { readonly spec: unknown };
  return JSON.stringify(object.spec).split('"protocol"').length - 1;
};

const kindSaid = ({ reason = '' }: WitnessAnswer): string | undefined =>
  /^kind (.+)$/.exec(reason)?.[1];

function expectAnswer(answer: Answer, said: WitnessAnswer, pair: Pair): void {
  expect(answer.code, answer.text).to.equal(said.status);
  const { reason } = said;
  if (reason === undefined) return;
  const kind = kindSaid(said);
  if (kind !== undefined) expect(answer.body.kind).to.equal(kind);
  else if (reason in meanings) expect(meanings[reason]?.(answer, pair), answer.text).to.equal(true);
  else expect(answer.body.reason, answer.text).to.equal(reason);
}

/** A definition waits for the API server, most of the time: that many do so at once. */
const atOnce = 8;

describe('the contract of a definition', () => {
  const tasks: (() => Promise<void>)[] = [];
  const started = new Map<number, Promise<void>>();

  /** A test that has begun when its turn comes; each has a definition of its own. */
  function itAhead(title: string, work: () => Promise<void>): void {
    const index = tasks.push(work) - 1;
    it(title, async () => {
      for (const [ahead, task] of tasks.slice(index, index + atOnce).entries()) {
        if (started.has(index + ahead)) continue;
        const run = task();
        run.catch(() => undefined);
        started.set(index + ahead, run);
      }
      await started.get(index);
    });
  }

  const cluster = useCluster();
  let converter: Server | undefined;
  let clientConfig: JsonObject = {};

  before('a webhook that converts', async () => {
    const { current, authority } = await selfSigned(['127.0.0.1']);
    converter = createServer(current, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(converted(Buffer.concat(chunks).toString())));
      });
    });
    await new Promise<void>((resolve) => converter?.listen(0, '127.0.0.1', resolve));
    const { port } = converter.address() as AddressInfo;
    const caBundle = Buffer.from(authority).toString('base64');
    clientConfig = { url: `https://127.0.0.1:${port}/convert`, caBundle };
  });
  after(() => converter?.close());

  const silent = { url: 'https://127.0.0.1:1/convert' };
  /** Its address is known only when it listens, and the titles of the tests before. */
  const kinds = (): readonly Kind[] => contractKinds({ answering: clientConfig, silent });

  async function put(draft: Draft): Promise<Answer> {
    const path = `${definitions}/${draft.metadata.name}`;
    return until(`${draft.metadata.name} to be replaced`, async () => {
      const { body } = await cluster().request('GET', path);
      const metadata = { ...draft.metadata, resourceVersion: body.metadata?.resourceVersion ?? '' };
      const answer = await cluster().request('PUT', path, { ...draft, metadata });
      return answer.code === 409 ? undefined : answer;
    });
  }

  async function create(draft: Draft, object: JsonObject): Promise<void> {
    // A request that meets the storage of a definition while it is replaced is told "shutting down".
    const answer = await until('the definition to be served', async () => {
      const made = await cluster().request('POST', listOf(draft, versionOf(object)), object);
      return made.code === 503 ? undefined : made;
    });
    expect(answer.code, answer.text).to.equal(201);
  }

  /** The old definition drops the field by which the new one is known. */
  async function untilTakenBack({ old, marked }: Pair): Promise<void> {
    const object = objectOf(marked, lastOf(old));
    await until(`the old ${old.metadata.name}`, async () => {
      const path = `${listOf(old, lastOf(old))}?dryRun=All`;
      const made = { ...object, marker: true, metadata: { name: 'marked' } };
      const { code, body } = await cluster().request('POST', path, made);
      return code === 422 || body['marker'] === undefined ? true : undefined;
    });
  }

  async function install(draft: Draft): Promise<void> {
    const answer = await cluster().request('POST', definitions, draft);
    expect(answer.code, answer.text).to.equal(201);
    const { name } = draft.metadata;
    await until(`${name} to be served`, async () => {
      const path = listOf(draft, lastOf(draft));
      return (await cluster().request('GET', path)).code === 200 ? true : undefined;
    });
    // It is served as soon as its names are accepted, and may change its kind until it is established.
    await until(`${name} to be established`, async () => {
      const { text } = await cluster().request('GET', `${definitions}/${name}`);
      return /"type":"Established","status":"True"/.test(text) ? true : undefined;
    });
  }

  async function replace({ marked }: Pair): Promise<void> {
    const answer = await put(marked);
    expect(answer.code, answer.text).to.equal(200);
    const version = lastOf(marked);
    const sample = { ...objectOf(marked, version), marker: true };
    await until(`the new ${marked.metadata.name}`, async () => {
      const path = `${listOf(marked, version)}?dryRun=All`;
      const object = { ...sample, metadata: { name: 'marked' } };
      const { body } = await cluster().request('POST', path, object);
      return body['marker'] === true ? true : undefined;
    });
  }

  const listOf = (draft: Draft, version: string): string =>
    objectPath(read(draft), version).replace(/\/example$/, '');

  function objectOf(draft: Draft, version: string, kind?: Kind): JsonObject {
    const sample = sampleObject(documentOf(draft), version);
    if (sample === undefined) throw new Error(`no object of ${draft.metadata.name}`);
    const object = structuredClone(exampleObject(read(draft), version, sample));
    kind?.object?.(object);
    return object;
  }

  /** The object that a request is about, as nobody has touched it yet. */
  async function createFor(finding: Finding, kind: Kind, { old }: Pair): Promise<void> {
    const name = objectPath(read(old), lastOf(old));
    await cluster().request('DELETE', name);
    if (finding.audience === 'apply' && finding.witness !== undefined) {
      const witness = finding.witness as JsonObject;
      const path = `${objectPath(read(old), versionOf(witness))}?fieldManager=first`;
      const answer = await send({ ...apply, path, body: witness });
      expect(answer.code, answer.text).to.equal(201);
      return;
    }
    const object = objectOf(old, lastOf(old), kind);
    await create(old, object);
    const { status } = object;
    const hasStatus = old.spec.versions[0]?.subresources?.status !== undefined;
    if (status === undefined || !hasStatus) return;
    await cluster().request('PATCH', `${name}/status`, { status }, { contentType: mergePatch });
  }

  const apply = { verb: 'PATCH', contentType: 'application/apply-patch+yaml' } as const;

  const send = async ({
    verb,
    path,
    body,
    contentType,
  }: Omit<WitnessRequest, 'before' | 'after'>): Promise<Answer> =>
    cluster().request(
      verb,
      path,
      body as JsonObject | undefined,
      contentType === undefined ? {} : { contentType },
    );

  async function expectRequest(kind: Kind, pair: Pair, finding: Finding): Promise<void> {
    const { request } = finding;
    if (request === undefined) throw new Error(`${finding.rule} has no request`);
    await createFor(finding, kind, pair);
    expectAnswer(await send(request), request.before, pair);
    await createFor(finding, kind, pair);
    await replace(pair);
    if (kindSaid(request.after) !== undefined) await untilListed(request);
    expectAnswer(await send(request), request.after, pair);
  }

  /** Names follow a definition after a while. */
  async function untilListed(request: WitnessRequest): Promise<void> {
    const isSaid = async (): Promise<true | undefined> =>
      (await send(request)).body.kind === kindSaid(request.after) ? true : undefined;
    await until('the new kind', isSaid, { timeoutMs: 20_000 }).catch(() => undefined);
  }

  /** What readers may find: the object is refused before, or not kept as it is, and kept after. */
  async function expectReadable(pair: Pair, { witness, version = '' }: Finding): Promise<void> {
    expect(witness, 'an object shows it').not.to.equal(undefined);
    const { spec } = witness as JsonObject;
    const metadata = { generateName: 'shown-' };
    const post = async (): Promise<Answer> =>
      cluster().request('POST', listOf(pair.old, version), {
        ...(witness as JsonObject),
        metadata,
      });
    const before = await post();
    if (before.code === 201) expect(before.body['spec']).not.to.deep.equal(spec);
    else expect(before.code, before.text).to.equal(422);
    await replace(pair);
    const taken = await post();
    expect(taken.code, taken.text).to.equal(201);
    expect(taken.body['spec']).to.deep.equal(spec);
  }

  async function answerTo(kind: Kind, draft: Draft): Promise<JsonValue> {
    const version = lastOf(draft);
    const { plural } = draft.spec.names;
    switch (kind.asked?.question) {
      case 'discovery': {
        const { body } = await cluster().request('GET', `/apis/${draft.spec.group}/${version}`);
        const resources = body['resources'] as Record<string, JsonValue>[];
        const found = resources.find(({ name }) => name === plural);
        const { shortNames, categories, singularName } = found ?? {};
        const names = shortNames ?? categories ?? singularName ?? '';
        return typeof names === 'string' ? names : 'listed';
      }
      case 'columns':
      case 'cells': {
        // What others asked before is not to be remembered.
        const cache = `--cache-dir=${cluster().folder}/discovery-${plural}`;
        const args = ['get', `${plural}.${version}.${draft.spec.group}`, '-A', cache];
        const { stdout } = await cluster().kubectl(args);
        const [head = '', row = ''] = stdout.split('\n');
        const isNamespaced = head.startsWith('NAMESPACE');
        const line = kind.asked.question === 'columns' ? head : row;
        return line
          .trim()
          .split(/\s+/)
          .slice(isNamespaced ? 1 : 0);
      }
      case 'warning':
        return (await cluster().request('GET', listOf(draft, draft.spec.versions[0]?.name ?? '')))
          .warnings;
      case 'stored as':
        return storedAs(draft);
      case undefined:
        throw new Error(`nothing is asked about ${kind.title}`);
    }
  }

  /** The version in which etcd has a new object. */
  async function storedAs(draft: Draft): Promise<string> {
    const object = { ...objectOf(draft, lastOf(draft)), metadata: { generateName: 'stored-' } };
    const { body } = await cluster().request('POST', listOf(draft, lastOf(draft)), object);
    const namespace = draft.spec.scope === 'Cluster' ? '' : 'default/';
    const { plural } = draft.spec.names;
    const name = body.metadata?.name ?? '';
    const key = `/registry/${draft.spec.group}/${plural}/${namespace}${name}`;
    const answer = await fetch(`${cluster().etcdUrl}/v3/kv/range`, {
      method: 'POST',
      body: JSON.stringify({ key: Buffer.from(key).toString('base64') }),
    });
    const { kvs = [] } = (await answer.json()) as { kvs?: { value: string }[] };
    const text = Buffer.from(kvs[0]?.value ?? '', 'base64').toString();
    return (JSON.parse(text) as { apiVersion: string }).apiVersion.split('/')[1] ?? '';
  }

  async function expectAsked(kind: Kind, pair: Pair): Promise<void> {
    const { asked } = kind;
    if (asked === undefined) throw new Error(`nothing is asked about ${kind.title}`);
    const object = objectOf(pair.old, lastOf(pair.old));
    await create(pair.old, object);
    const said = (side: 'before' | 'after'): JsonValue =>
      asked[side](pair[side === 'before' ? 'old' : 'next']);
    await untilEqual(kind, pair.old, said('before'));
    await replace(pair);
    await untilEqual(kind, pair.next, said('after'));
  }

  /** Discovery follows a definition after a while. */
  async function untilEqual(kind: Kind, draft: Draft, expected: JsonValue): Promise<void> {
    let last: JsonValue = null;
    try {
      await until(
        kind.title,
        async () => {
          last = await answerTo(kind, draft);
          return JSON.stringify(last) === JSON.stringify(expected) ? true : undefined;
        },
        { timeoutMs: 20_000 },
      );
    } catch {
      expect(last).to.deep.equal(expected);
    }
  }

  for (const [index, { title, rule, shapes }] of kinds().entries()) {
    for (const [at, shape] of shapes.entries()) {
      itAhead(`${title} (${rule}): ${shape.title}`, async () => {
        const kind = kinds()[index] as Kind;
        const pair = pairOf(kind, shape, `k${index}s${at}s`);
        const { findings, results } = judgeContractWithRequests(
          UpgradePair.read(documentOf(pair.old), documentOf(pair.next)),
        );
        const found = findings.filter((finding) => finding.rule === rule);
        await install(pair.old);
        if (kind.isRefused === true) {
          expect(found).not.to.deep.equal([]);
          const { code, text } = await put(pair.next);
          expect(code, text).to.equal(422);
        } else if (kind.isHarmless === true) {
          expect(found).to.deep.equal([]);
          expect(results, 'it has a result').not.to.deep.equal([]);
          await replace(pair);
        } else {
          expect(found).not.to.deep.equal([]);
          const asked = found.filter(({ request }) => request !== undefined);
          const [shown = asked[0]] = found.filter(({ audience }) => audience === 'readers');
          if (kind.asked !== undefined) await expectAsked(kind, pair);
          else if (shown?.audience === 'readers') await expectReadable(pair, shown);
          else await expectRequest(kind, pair, (shown ?? found[0]) as Finding);
        }
      });
    }
  }

  for (const [index, row] of returns.entries()) {
    for (const [at, shape] of row.shapes.entries()) {
      itAhead(`rollback, ${row.title}: ${shape.title}`, async () => {
        const pair = pairOf(row, shape, `r${index}s${at}s`);
        const back = judgeRollback(UpgradePair.read(documentOf(pair.old), documentOf(pair.next)));
        expect(back.message).to.match(row.message);
        const version = lastOf(row.outcome === 'kept out' ? pair.next : pair.old);
        const shown = (back.finding.witness ?? objectOf(pair.next, version)) as JsonObject;
        const witness = exampleObject(read(pair.next), version, shown);
        await install(pair.old);
        if (row.isOld === true) await create(pair.old, witness);
        await replace(pair);
        const name = objectPath(read(pair.old), lastOf(pair.old));
        if (row.isOld !== true) await create(pair.next, witness);
        else await cluster().request('PATCH', name, touch, { contentType: mergePatch });
        const answer = await put(pair.old);
        if (row.outcome === 'kept out') {
          expect(answer.code, answer.text).to.equal(422);
          expect(answer.text).to.include('v2 was previously a storage version');
          return;
        }
        expect(answer.code, answer.text).to.equal(200);
        await untilTakenBack(pair);
        const { body } = await cluster().request('GET', name);
        const { spec } = witness;
        if (row.outcome === 'cut') expect(body['spec']).not.to.deep.equal(spec);
        else expect(body['spec']).to.deep.equal(spec);
        const again = { ...witness, spec: body['spec'] as JsonValue, metadata: { name: 'again' } };
        const path = `${listOf(pair.old, lastOf(pair.old))}?dryRun=All`;
        const { code, text } = await cluster().request('POST', path, again);
        expect(code, text).to.equal(row.outcome === 'refused' ? 422 : 201);
      });
    }
  }

  it('who still writes a version that goes is named to whoever asks the cluster', async () => {
    const [shape] = contractKinds({ answering: {}, silent: {} }).find(
      ({ rule }) => rule === 'AppliedVersionRemoved',
    )?.shapes as readonly [ContractShape];
    const { draft } = shape.make('writtens');
    await install(draft);
    const leaving = draft.spec.versions[0]?.name ?? '';
    for (const name of ['one', 'two']) {
      const object = { ...objectOf(draft, leaving), metadata: { name } };
      const path = objectPath(read(draft), leaving).replace(/example$/, name);
      const answer = await send({
        ...apply,
        path: `${path}?fieldManager=argocd-controller`,
        body: object,
      });
      expect(answer.code, answer.text).to.equal(201);
    }
    const next = structuredClone(draft);
    next.spec.versions.shift();
    const [before, after] = [draft, next].map((each, index) => {
      const file = join(cluster().folder, `writtens-${index}.json`);
      writeFileSync(file, JSON.stringify(each));
      return file;
    }) as [string, string];
    const args = ['check', 'crd', before, after, '--objects', 'cluster'];
    const { stdout } = await run([...args, '--kubeconfig', cluster().kubeconfigPath, '-o', 'json']);
    const { results } = JSON.parse(stdout) as {
      readonly results: readonly { readonly verdict: { readonly findings: readonly Finding[] } }[];
    };
    const { findings } = results[0]?.verdict ?? { findings: [] };
    const used = findings.find(({ rule }) => rule === 'LeavingVersionUsed');
    expect(used?.message).to.match(
      /^still used: argocd-controller applied 2 Writtens as v1beta1, last \d{4}-\d\d-\d\d; .* olm-guard migrate run writtens\.contract\.example\.com --leaving v1beta1 moves/,
    );
  }).timeout(60_000);

  for (const [index, kind] of merges.entries()) {
    for (const [at, { shape, specWith }] of atomicShapes.entries()) {
      itAhead(`${kind.title} (${kind.rule}) changes nothing inside ${shape.title}`, async () => {
        const pair = pairOf(kind, shape, `m${index}s${at}s`);
        const judged = judgeContractWithRequests(
          UpgradePair.read(documentOf(pair.old), documentOf(pair.next)),
        );
        expect(judged.findings.filter(({ rule }) => rule === kind.rule)).to.deep.equal([]);
        const reasons = judged.results.map(({ reason }) => reason).join();
        expect(reasons).to.include('inside what is atomic as a whole');
        await install(pair.old);
        const [one, two] = kind.values.map((value) => ({
          ...objectOf(pair.old, 'v1'),
          spec: specWith(value),
        }));
        const applyAs = async (manager: string, body: JsonObject | undefined): Promise<Answer> => {
          const path = `${objectPath(read(pair.old), 'v1')}?fieldManager=${manager}`;
          return send({ ...apply, path, body });
        };
        expect((await applyAs('first', one)).code).to.equal(201);
        expect((await applyAs('second', two)).body.reason).to.equal('Conflict');
        await replace(pair);
        expect((await applyAs('second', two)).body.reason).to.equal('Conflict');
      });
    }
  }
});

/** Answers a ConversionReview: the apiVersion as desired, and a mark that it was here. */
function converted(text: string): object {
  const { request } = JSON.parse(text) as {
    readonly request: {
      readonly uid: string;
      readonly desiredAPIVersion: string;
      readonly objects: readonly { readonly metadata: { readonly annotations?: object } }[];
    };
  };
  const convertedObjects = request.objects.map((object) => ({
    ...object,
    apiVersion: request.desiredAPIVersion,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [convertedBy]: 'true' },
    },
  }));
  const result = { status: 'Success' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: { uid: request.uid, convertedObjects, result },
  };
}
