/** However many rules, proofs and servers are asked about a definition, one check decodes it once. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultPolicy } from '../../src/policy/policy.js';
import { review } from '../../src/gate/admission/review.js';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import { answer } from '../../src/checks/operations/answer.js';
import { exampleOfSpec } from '../../src/upgrade/rules/crd/example-definition.js';
import type { JsonObject } from '../../src/text/documents/index.js';
import { root, runSource } from './command.js';

const size = { type: 'integer' };
const definition = (properties: JsonObject): JsonObject =>
  exampleOfSpec({ type: 'object', properties });
const old = (): JsonObject => definition({ size });
const grown = (): JsonObject => definition({ size, name: { type: 'string' } });
const broken = (): JsonObject => definition({ size: { ...size, maximum: 3 } });

/** What V8 counts of each function of a file. */
interface Coverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** The two decoders: what rules and proofs read, and what an API server's validation reads. */
const decoders: readonly [file: string, name: string][] = [
  ['src/upgrade/crd/custom-resource-definition.ts', 'decode'],
  ['src/kubernetes/definition/custom-resource-definition.ts', 'readDefinition'],
];

function decodings(scripts: readonly Coverage[]): number[] {
  return decoders.map(([file, name]) =>
    scripts
      .filter(({ url }) => url.endsWith(file))
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
  );
}

async function countedHere(work: () => unknown): Promise<number[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return decodings(result);
  } finally {
    session.disconnect();
  }
}

describe('one check decodes each definition once', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'olm-guard-decode-'));
    const files = { old: old(), grown: grown(), broken: broken() };
    for (const [name, value] of Object.entries(files)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'crd.json'), JSON.stringify(value));
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  async function countedOf(...args: string[]): Promise<number[]> {
    const coverage = mkdtempSync(join(folder, 'coverage-'));
    const { code, stderr } = await runSource(args, {
      cwd: folder,
      env: { NODE_V8_COVERAGE: coverage },
    });
    expect(code, stderr).to.be.oneOf([0, 1]);
    return decodings(
      readdirSync(coverage).flatMap((file) => {
        const text = readFileSync(join(coverage, file), 'utf8');
        return (JSON.parse(text) as { result: Coverage[] }).result;
      }),
    );
  }

  async function atTheGate(oldObject: JsonObject, object: JsonObject): Promise<string> {
    const state = FolderState.of([oldObject]);
    const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
    const { decision } = await review(
      {
        uid: 'u',
        kind,
        resource: { ...kind, resource: 'customresourcedefinitions' },
        name: 'widgets.example.com',
        operation: 'UPDATE',
        userInfo: { username: 'admin', groups: [] },
        object,
        oldObject,
      },
      createReviewers(state),
      {
        policy: { ...defaultPolicy, enforce: 'proven' },
        view: state.cluster,
        judge: judgeHere,
        caller: 'api-server',
        now: new Date(),
      },
    );
    return decision;
  }

  // By the event loop, and by the thread that proves, which shares nothing with it.
  it('at the gate, with the proof', async () => {
    expect(await countedHere(() => atTheGate(old(), grown()))).to.deep.equal([4, 0]);
    expect(await countedHere(() => atTheGate(old(), broken()))).to.deep.equal([4, 0]);
  });

  // A rollback is judged with a definition made for it.
  it('in the operations, with the proof', async () => {
    const ask = (name: string, more: object = {}) =>
      countedHere(() => {
        const input = { old: old(), new: broken(), ...more };
        expect(answer(name, input)).not.to.have.property('error');
      });
    for (const profile of ['olm-v1', 'proof']) {
      expect(await ask('crd', { profile, fixes: false })).to.deep.equal([2, 0]);
      // A fix is judged as a further definition, by the rules too, and as API servers judge it.
      expect(await ask('crd', { profile })).to.deep.equal([profile === 'proof' ? 3 : 4, 3]);
    }
    expect(await ask('definition')).to.deep.equal([0, 2]);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
    expect((await ask('crd-stored-objects', { objects: [widget] }))[0]).to.be.at.most(2);
  });

  it('in check crd, with every server that is asked', async () => {
    expect(await countedOf('check', 'crd', 'old', 'grown')).to.deep.equal([2, 2]);
    const all = ['--kubernetes', '1.30..1.36', '--explain'];
    expect(await countedOf('check', 'crd', 'old', 'grown', ...all)).to.deep.equal([2, 2]);
  });

  it('in check bundle, beside the definition that its fix makes', async () => {
    const bundles = join(root, 'examples', 'bundles');
    const [now, before] = ['reports.v1.1.0', 'reports.v1.0.0'].map((name) => join(bundles, name));
    const counts = await countedOf('check', 'bundle', now ?? '', '--against', before ?? '');
    expect(counts).to.deep.equal([3, 5]);
  });
});
