/** Fifty changes of a definition, under each shipped policy, through every door: one verdict each. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { answerLine } from '../../src/checks/preflight/ndjson.js';
import { judgeUpgrade } from '../../src/checks/library/upgrades.js';
import { ruleNames } from '../../src/checks/operations/rules.js';
import { FolderState } from '../../src/cluster/olm-state/folder-state.js';
import { createLog } from '../../src/gate/log.js';
import { createSidecarMetrics } from '../../src/gate/metrics/own-metrics.js';
import { review } from '../../src/gate/admission/review.js';
import { createReviewers } from '../../src/gate/admission/reviewers.js';
import { judgeHere } from '../../src/gate/admission/testing/judge-here.js';
import { JudgePool } from '../../src/gate/server/judge-pool.js';
import { startSidecar } from '../../src/gate/server/start-sidecar.js';
import { parsePolicy } from '../../src/policy/parse.js';
import type { Policy } from '../../src/policy/policy.js';
import {
  isObject,
  parseDocuments,
  stringifyJson,
  type JsonObject,
} from '../../src/text/documents/index.js';
import { textAt } from '../../src/text/documents/fields.js';
import { root, runHere } from './command.js';
import { Repository } from './repository.js';

/** Schemas of `spec.field`; the last is the next release's. */
const ofField: readonly (readonly [old: string, next: string])[] = [
  ['{ type: integer }', '{ type: integer, description: how many }'],
  ['{ type: integer, description: how many }', '{ type: integer, description: amount }'],
  ['{ type: integer }', '{ type: string }'],
  ['{ type: string }', '{ type: integer }'],
  ['{ type: integer }', '{ type: number }'],
  ['{ type: number }', '{ type: integer }'],
  ['{ type: integer }', '{ type: integer, maximum: 3 }'],
  ['{ type: integer, maximum: 3 }', '{ type: integer, maximum: 2 }'],
  ['{ type: integer, maximum: 3 }', '{ type: integer, maximum: 4 }'],
  ['{ type: integer, maximum: 3 }', '{ type: integer }'],
  ['{ type: integer, minimum: 0 }', '{ type: integer, minimum: 1 }'],
  ['{ type: integer, minimum: 1 }', '{ type: integer, minimum: 0 }'],
  ['{ type: string }', '{ type: string, enum: [a, b] }'],
  ['{ type: string, enum: [a, b] }', '{ type: string, enum: [a] }'],
  ['{ type: string, enum: [a] }', '{ type: string, enum: [a, b] }'],
  ['{ type: string, enum: [a] }', '{ type: string }'],
  ['{ type: string, enum: [a, b] }', '{ type: string, enum: [b, a] }'],
  ['{ type: string }', '{ type: string, maxLength: 5 }'],
  ['{ type: string, maxLength: 5 }', '{ type: string, maxLength: 9 }'],
  ['{ type: string }', '{ type: string, minLength: 0 }'],
  ['{ type: string }', '{ type: string, minLength: 1 }'],
  ['{ type: string }', '{ type: string, pattern: "^a+$" }'],
  ['{ type: string, pattern: "^a+$" }', '{ type: string, pattern: "^a*$" }'],
  ['{ type: string, pattern: "^a*$" }', '{ type: string, pattern: "^a+$" }'],
  ['{ type: string }', '{ type: string, format: date-time }'],
  ['{ type: string }', '{ type: string, default: x }'],
  ['{ type: string, default: x }', '{ type: string, default: z }'],
  ['{ type: string, default: x }', '{ type: string }'],
  ['{ type: string }', '{ type: string, nullable: true }'],
  ['{ type: string, nullable: true }', '{ type: string }'],
  ['{ type: array, items: { type: string } }', '{ type: array, items: { type: integer } }'],
  [
    '{ type: array, items: { type: string } }',
    '{ type: array, maxItems: 2, items: { type: string } }',
  ],
  [
    '{ type: array, maxItems: 2, items: { type: string } }',
    '{ type: array, maxItems: 3, items: { type: string } }',
  ],
  [
    '{ type: array, items: { type: string } }',
    '{ type: array, x-kubernetes-list-type: set, items: { type: string } }',
  ],
  [
    '{ type: object, additionalProperties: { type: string } }',
    '{ type: object, properties: { a: { type: string } } }',
  ],
  [
    '{ type: object, properties: { a: { type: string } } }',
    '{ type: object, properties: { a: { type: string }, b: { type: string } } }',
  ],
  [
    '{ type: object, properties: { a: { type: string }, b: { type: string } } }',
    '{ type: object, properties: { a: { type: string } } }',
  ],
  [
    '{ type: object, properties: { a: { type: string } } }',
    '{ type: object, required: [a], properties: { a: { type: string } } }',
  ],
  [
    '{ type: object, required: [a], properties: { a: { type: string } } }',
    '{ type: object, properties: { a: { type: string } } }',
  ],
  [
    '{ type: object, x-kubernetes-preserve-unknown-fields: true }',
    '{ type: object, properties: { a: { type: string } } }',
  ],
  [
    '{ type: object, properties: { a: { type: string } } }',
    '{ type: object, x-kubernetes-preserve-unknown-fields: true, properties: { a: { type: string } } }',
  ],
  ['{ type: integer }', '{ x-kubernetes-int-or-string: true }'],
  ['{ x-kubernetes-int-or-string: true }', '{ type: integer }'],
  ['{ type: integer }', '{ type: integer, x-kubernetes-validations: [{ rule: "self > 3" }] }'],
  [
    '{ type: integer, x-kubernetes-validations: [{ rule: "self > 3" }] }',
    '{ type: integer, x-kubernetes-validations: [{ rule: "self > 2" }] }',
  ],
];

function definition(
  index: number,
  field: string,
  changed: { readonly scope?: string; readonly versions?: string } = {},
): string {
  const name = `widget${index}`;
  const schema = `{ openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { field: ${field} } } } } }`;
  const version = (each: string, storage: boolean): string =>
    `{ name: ${each}, served: true, storage: ${storage}, schema: ${schema} }`;
  const { scope = 'Namespaced', versions = 'v1' } = changed;
  const names = versions.split(' ');
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name}s.example.com, uid: u, resourceVersion: "1" }
spec:
  group: example.com
  names: { plural: ${name}s, singular: ${name}, kind: Widget${index}, listKind: Widget${index}List }
  scope: ${scope}
  versions: [${names.map((each, at) => version(each, at === names.length - 1)).join(', ')}]
status: { storedVersions: [${names[0]}] }
`;
}

const text = '{ type: string }';
const pairs: readonly (readonly [old: string, next: string])[] = [
  ...ofField.map(
    ([old, next], index) => [definition(index, old), definition(index, next)] as const,
  ),
  [definition(45, text), definition(45, text, { scope: 'Cluster' })],
  [definition(46, text, { versions: 'v1beta1 v1' }), definition(46, text)],
  [definition(47, text), definition(47, text, { versions: 'v1 v2' })],
  [
    definition(48, text, { versions: 'v1beta1 v1' }).replace('[v1beta1]', '[v1]'),
    definition(48, text),
  ],
  [definition(49, text), definition(49, text).replace('uid: u', 'uid: u, labels: { a: b }')],
];

/** API servers refuse them by themselves, whatever a policy says, which a command says too. */
const ofServers: readonly number[] = [45, 46];

/** What is denied of the other 48 under each shipped policy. */
const shipped: readonly (readonly [file: string, denied: number])[] = [
  ['manifests/base/policy.yaml', 22],
  ['manifests/overlays/documented/policy.yaml', 36],
  ['manifests/components/enforcing/policy.yaml', 22],
  ['manifests/components/observe/policy.yaml', 0],
];

function read(yaml: string): JsonObject {
  const [first] = parseDocuments(Buffer.from(yaml));
  if (!isObject(first?.value)) throw new Error('no object');
  return first.value;
}

/** The policy of a file, or of the ConfigMap in it. */
function policyIn(file: string): string {
  const source = readFileSync(join(root, file), 'utf8');
  return textAt(read(source), 'data', 'policy.yaml') ?? source;
}

interface Asked {
  readonly policy: Policy;
  /** Its file. */
  readonly place: string;
  readonly folder: string;
}
/** The indexes of the pairs that are denied. */
type Door = (asked: Asked) => Promise<number[]>;

async function deniedAmong(
  isAllowed: (old: JsonObject, next: JsonObject, index: number) => Promise<unknown>,
): Promise<number[]> {
  const denied: number[] = [];
  for (const [index, [old, next]] of pairs.entries()) {
    if ((await isAllowed(read(old), read(next), index)) !== true) denied.push(index);
  }
  return denied;
}

const question = (old: JsonObject, next: JsonObject): string => stringifyJson({ old, new: next });
const indexIn = (name: string): number => Number(/widget(\d+)s/.exec(name)?.[1]);

const doors: Readonly<Record<string, Door>> = {
  'the gate': ({ policy }) =>
    deniedAmong(async (oldObject, object) => {
      const state = FolderState.of([oldObject]);
      const { response } = await review(
        {
          ...{ uid: 'u', name: textAt(object, 'metadata', 'name') ?? '', operation: 'UPDATE' },
          kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
          resource: {
            ...{ group: 'apiextensions.k8s.io', version: 'v1' },
            resource: 'customresourcedefinitions',
          },
          ...{ userInfo: { username: 'alice' }, object, oldObject },
        },
        createReviewers(state),
        {
          ...{ policy, view: state.cluster, judge: judgeHere },
          ...{ caller: 'api-server', now: new Date() },
        },
      );
      return response.allowed;
    }),
  'the sidecar, by HTTP': async ({ policy }) => {
    const registry = new Registry();
    const sidecar = await startSidecar({
      ...{ listen: { host: '127.0.0.1', port: 0 }, registry, policy },
      ...{ metrics: createSidecarMetrics(registry, 'test'), log: createLog('silent') },
      ...{ maxBodyBytes: 1_000_000, maxBytesInFlight: 2_000_000, bodyMilliseconds: 60_000 },
      pool: new JudgePool({
        policy,
        workers: 1,
        worker: new URL('../../dist/judge-worker.js', import.meta.url),
      }),
    });
    try {
      return await deniedAmong(async (old, next) => {
        const answer = await fetch(`${sidecar.url}/v1alpha1/preflight/crd`, {
          ...{ method: 'POST', body: question(old, next) },
          headers: { 'content-type': 'application/json' },
        });
        const { verdict } = (await answer.json()) as { verdict: { allowed: boolean } };
        expect(answer.headers.get('olm-guard-allowed')).to.equal(String(verdict.allowed));
        return verdict.allowed;
      });
    } finally {
      await sidecar.close();
    }
  },
  'preflight, by NDJSON': ({ policy }) =>
    deniedAmong((old, next) => {
      const bytes = Buffer.from(stringifyJson({ operation: 'crd', input: { old, new: next } }));
      const answer = answerLine({ number: 1, bytes }, { maxBytes: 1e6, policy });
      return Promise.resolve(
        (JSON.parse(answer) as { verdict: { allowed: boolean } }).verdict.allowed,
      );
    }),
  'check crd': async ({ place, folder }) => {
    const args = ['check', 'crd', 'old', 'new', '--policy', place, '-o', 'json'];
    const { stdout } = await runHere(args, { cwd: folder });
    const { results } = JSON.parse(stdout) as {
      results: { name: string; verdict: { allowed: boolean } }[];
    };
    expect(results).to.have.lengthOf(pairs.length);
    return results
      .filter(({ verdict }) => !verdict.allowed)
      .map(({ name }) => indexIn(name))
      .sort((one, other) => one - other);
  },
  'the Action': ({ place, folder }) => {
    const repository = new Repository(filesOf(0));
    repository.commit('main');
    repository.git('checkout', '-q', '-b', 'pull');
    repository.write(filesOf(1));
    repository.commit('pull request');
    const sarif = join(folder, 'found.sarif');
    const { status, stderr } = spawnSync('bash', [join(root, 'action', 'check.sh')], {
      ...{ cwd: repository.folder, encoding: 'utf8' },
      env: {
        ...process.env,
        ...{ CHECK_OLD: 'main', CHECK_PATHS: 'crds', SARIF_FILE: sarif, POLICY: place },
        OLM_GUARD: `${process.execPath} ${join(root, 'dist', 'main.js')}`,
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      },
    });
    repository.remove();
    const { runs } = JSON.parse(readFileSync(sarif, 'utf8')) as {
      runs: {
        results: {
          level: string;
          locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
        }[];
      }[];
    };
    const denied = runs
      .flatMap(({ results }) => results)
      .filter(({ level }) => level === 'error')
      .map(({ locations }) => indexIn(locations[0]?.physicalLocation.artifactLocation.uri ?? ''));
    const found = [...new Set(denied)].sort((one, other) => one - other);
    expect(status, stderr).to.equal(found.length === 0 ? 0 : 1);
    return Promise.resolve(found);
  },
};

function filesOf(side: 0 | 1): Record<string, string> {
  return Object.fromEntries(pairs.map((pair, index) => [`crds/widget${index}s.yaml`, pair[side]]));
}

describe('fifty changes of a definition', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-fifty-'));
  before(() => {
    for (const [side, name] of [
      [0, 'old'],
      [1, 'new'],
    ] as const) {
      mkdirSync(join(folder, name));
      for (const [file, content] of Object.entries(filesOf(side)))
        writeFileSync(join(folder, name, file.slice('crds/'.length)), content);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are fifty', () => expect(pairs).to.have.lengthOf(50));

  for (const [file, count] of shipped) {
    it(`get one verdict at every door under ${file}, by which ${count} are denied`, async () => {
      const place = join(folder, `${file.replaceAll('/', '-')}`);
      writeFileSync(place, policyIn(file));
      const policy = parsePolicy(policyIn(file), place, ruleNames);
      const denied: Record<string, number[]> = {};
      for (const [name, door] of Object.entries(doors))
        denied[name] = (await door({ policy, place, folder })).filter(
          (index) => !ofServers.includes(index),
        );
      const [first = []] = Object.values(denied);
      expect(denied).to.deep.equal(
        Object.fromEntries(Object.keys(doors).map((name) => [name, first])),
      );
      expect(first).to.have.lengthOf(count);
    });
  }

  it('get that of the default at the doors that take no policy', async () => {
    const policy = parsePolicy(policyIn('manifests/base/policy.yaml'), 'policy.yaml', ruleNames);
    const gate = await doors['the gate']?.({ policy, place: '', folder });
    const library = await deniedAmong((old, next) =>
      Promise.resolve(judgeUpgrade(old, next).verdict?.allowed),
    );
    expect(library).to.deep.equal(gate);
    expect(library).to.include.members(ofServers);
  });
});
