/**
 * CustomResourceDefinitions of public operators, applied through a real API server as their old
 * release had them and then as their new one has them: its answers are the reference's.
 */
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { useCluster, useGate } from '../apiserver/mocha.js';
import type { Answer } from '../apiserver/request.js';
import { asDocumented } from '../golden/golden.js';
import { describeReleases, releaseLines, releaseRows } from '../golden/releases.js';
import { changed, definitions, widgets } from './widgets.js';

const webhook = 'customresourcedefinitions.olm-guard.io';
const denialPrefix = `admission webhook "${webhook}" denied the request: `;
const messageBytes = 8192;

interface Pair {
  id: string;
  name: string;
  old: JsonObject;
  new: JsonObject;
  expected: JsonObject;
}

describeReleases('real upgrades through a real API server', () => {
  const cluster = useCluster();

  /** Server-side apply, as OLM v1 does it. */
  const apply = (definition: JsonObject, name: string, query = ''): Promise<Answer> =>
    cluster().request(
      'PATCH',
      `${definitions}/${name}?fieldManager=olm&force=true${query}`,
      stringifyJson(definition),
      { contentType: 'application/apply-patch+yaml' },
    );

  before(async () => {
    await cluster().request('POST', definitions, widgets());
  });

  useGate(cluster, {
    name: webhook,
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        apiVersions: ['v1'],
        operations: ['UPDATE'],
        resources: ['customresourcedefinitions'],
      },
    ],
    args: () => {
      const policy = join(cluster().folder, 'policy.yaml');
      // The reference has no ratchet: it holds old findings against a new release.
      writeFileSync(
        policy,
        'apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nenforce: all\nratchet: false\n',
      );
      return [`--policy=${policy}`];
    },
    isAsked: async () => {
      const breaking = changed((spec) => spec.required.push('replicas'));
      const path = `${definitions}/widgets.example.com?dryRun=All`;
      const options = { contentType: 'application/merge-patch+json' };
      return (await cluster().request('PATCH', path, breaking, options)).code === 403;
    },
  });

  const pairs = pairsByName();

  it('has enough of them, denied and allowed', () => {
    const allowed = pairs.filter(({ expected }) => own(expected, 'allowed') === true).length;
    expect(allowed).to.be.at.least(5);
    expect(pairs.length - allowed).to.be.at.least(15);
  });

  for (const pair of pairs) {
    const verdict = own(pair.expected, 'allowed') === true ? 'allows' : 'denies';
    it(`${verdict} ${pair.id}`, async () => {
      const created = await apply(pair.old, pair.name);
      expect(created.code, created.text.slice(0, 1000)).to.equal(201);
      const upgraded = await apply(pair.new, pair.name);
      if (verdict === 'allows') {
        expect(upgraded.code, upgraded.body.message).to.equal(200);
        return;
      }
      expect(upgraded.code).to.equal(403);
      const message = upgraded.body.message ?? '';
      expect(message.slice(0, denialPrefix.length)).to.equal(denialPrefix);
      expectReferenceText(message.slice(denialPrefix.length), pair.expected);
      expectReferenceCauses(upgraded, pair.expected);
    });
  }
});

/** Lines of ours and the proof; then equal, or, past the limit, a beginning of whole lines and one about the rest. */
function expectReferenceText(message: string, expected: JsonObject): void {
  const reference = asDocumented(text(expected, 'message'));
  const lines = message.split('\n');
  const ours = lines
    .splice(
      0,
      lines.findIndex((line) => line.startsWith('validating ')),
    )
    .join('\n');
  expect(ours).to.match(/^.+\nTo fix: .+\nTo go on anyway.+/);
  if (Buffer.byteLength(`${ours}\n${reference}`) <= messageBytes) {
    expect(lines.join('\n')).to.equal(reference);
    return;
  }
  const last = lines.pop();
  expect(last).to.match(/^and \d+ more findings: olm-guard check crd /);
  expect(lines).to.deep.equal(reference.split('\n').slice(0, lines.length));
  expect(Buffer.byteLength(message)).to.be.within(messageBytes / 2, messageBytes);
}

/**
 * A cause per line of the reference's validators, in their order, up to a hundred in all; in place of
 * a line about all changes of a version a cause for each of them.
 */
function expectReferenceCauses(answer: Answer, expected: JsonObject): void {
  const errors = own(expected, 'errors');
  if (!Array.isArray(errors)) throw new Error('the golden row has no errors');
  const reference = errors
    .filter(isObject)
    .flatMap((error) =>
      asDocumented(text(error, 'message'))
        .split('\n')
        .map((line) => `${text(error, 'validator')}: ${line}`),
    )
    .filter((line) => !line.includes(': calculating schema diff '));
  const lines = new Set(reference);
  const causes = answer.body.details?.causes ?? [];
  const told = causes.map(({ reason, message }) => `${reason}: ${message}`);
  const known = told.filter((line) => lines.has(line));
  const isWhole = causes.length < 100;
  expect(known).to.deep.equal(isWhole ? reference : reference.slice(0, known.length));
  expect(causes).to.have.length.within(1, 100);
}

/**
 * The first golden row of each CustomResourceDefinition, so that none has to be deleted. The API
 * server wants groups under k8s.io to carry an approval that releases of other projects lack.
 */
function pairsByName(): Pair[] {
  const rows = new Map<string, JsonObject>();
  for (const row of releaseRows('golden/crd-real.jsonl.br')) {
    const expected = own(row, 'olm-v1');
    if (!isObject(expected)) continue;
    const settled = ['panics', 'nondeterministic'].every(
      (mark) => own(expected, mark) === undefined,
    );
    if (settled) rows.set(row.id, expected);
  }
  const pairs = new Map<string, Pair>();
  for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
    // Half of the 56 MB are of no interest here.
    const id = /^\{"id":\s*"([^"]+)"/.exec(line)?.[1];
    const expected = id === undefined ? undefined : rows.get(id);
    if (id === undefined || expected === undefined) continue;
    const name = id.slice(id.lastIndexOf('/') + 1).replace(/^.*:/, '');
    if (name.endsWith('.k8s.io') || pairs.has(name)) continue;
    const pair = parseJson(line) as JsonObject;
    const [before, after] = [own(pair, 'old'), own(pair, 'new')];
    if (!isObject(before) || !isObject(after)) throw new Error(`${id} has no old and new`);
    const old = { ...before };
    delete old['status'];
    pairs.set(name, { id, name, old, new: after, expected });
  }
  return [...pairs.values()];
}

function text(object: JsonObject, key: string): string {
  const value = own(object, key);
  if (typeof value !== 'string') throw new Error(`the golden row has no text ${key}`);
  return value;
}
