/**
 * Exported policies of random definitions on a real API server, beside what the proof says of random upgrades:
 * OLM_GUARD_SAMPLES=67 for two hundred of them.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { metaOf, own, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { policyOf } from '../../src/gate/index.js';
import type { ProofResult } from '../../src/upgrade/index.js';
import {
  installedDocument,
  proveDocuments,
} from '../../src/upgrade/proof/testing/prove-documents.js';
import { schemaPairs } from '../../src/upgrade/proof/testing/random-pairs.js';
import type { TestCluster } from '../apiserver/cluster.js';
import { until } from '../apiserver/processes.js';
import type { Answer } from '../apiserver/request.js';
import { bindingsPath, policiesPath } from '../../src/gate/policy-sync/coverage.js';
import { samples } from '../../src/rule/testing/samples.js';
import { useCluster } from '../apiserver/mocha.js';
import { definitions, things } from './widgets.js';

interface JudgedPair {
  readonly old: JsonObject;
  readonly new: JsonObject;
  readonly effect: string;
  /** What the upgrade breaks or loses. */
  readonly harm: readonly ProofResult[];
  /** Why the policies deny it; undefined where they let it pass. */
  readonly denial: string | undefined;
  readonly notCovered: readonly string[];
}

/** The same pairs for the same seed; those that Kubernetes itself refuses are left out. */
async function judgeRandomPairs(
  cluster: TestCluster,
  count: number,
  seed: number,
): Promise<JudgedPair[]> {
  const pairs = fc.sample(schemaPairs, { numRuns: count, seed }).map((pair, index) => ({
    old: installedDocument(definitionOf(index, pair.old)),
    new: definitionOf(index, pair.new),
  }));
  const update = async (old: JsonObject, next: JsonObject): Promise<Answer> => {
    const path = `${definitions}/${metaOf(old).name}`;
    const { text } = await cluster.request('GET', path);
    const metadata = own(JSON.parse(text) as JsonObject, 'metadata');
    const body = stringifyJson({ ...next, metadata });
    const answer = await cluster.request('PUT', `${path}?dryRun=All`, body);
    return answer.code === 409 ? update(old, next) : answer;
  };
  const taken: typeof pairs = [];
  for (const pair of pairs) {
    const { code, text } = await cluster.request('POST', definitions, stringifyJson(pair.old));
    if (code !== 201) throw new Error(`a random definition is refused: ${text}`);
    if ((await update(pair.old, pair.new)).code === 200) taken.push(pair);
  }
  const sentences = new Map<JsonObject, readonly string[]>();
  for (const { old } of taken) {
    const { objects, notCovered } = policyOf(old);
    sentences.set(old, notCovered);
    for (const object of objects) {
      const path =
        own(object, 'kind') === 'ValidatingAdmissionPolicy' ? policiesPath : bindingsPath;
      const { code, text } = await cluster.request('POST', path, stringifyJson(object));
      if (code !== 201) throw new Error(`a policy is refused: ${text}`);
    }
  }
  // The last policy counts when all do: informers take them in their order.
  const last = taken.at(-1);
  if (last === undefined) return [];
  const emptied = definitionOf(pairs.indexOf(last), { type: 'object' });
  await until('the policies to count', async () =>
    (await update(last.old, emptied)).code === 200 ? undefined : true,
  );
  const judged: JudgedPair[] = [];
  for (const pair of taken) {
    const { effect, results } = proveDocuments(pair.old, pair.new);
    const { code, text } = await update(pair.old, pair.new);
    judged.push({
      ...{ ...pair, effect },
      harm: results.filter((each) => each.effect === 'breaking' || each.effect === 'data-loss'),
      denial: code === 200 ? undefined : text,
      notCovered: sentences.get(pair.old) ?? [],
    });
  }
  return judged;
}

/** By what the proof says, the sentence that has to say that policies do not cover it. */
const sentencesOf: readonly (readonly [reason: RegExp, sentence: string])[] = [
  [/validation rule/, 'rules in CEL that name a new field or take the place of others'],
  [/default/, 'defaults that come or change'],
  [/pattern/, 'another pattern that takes the strings which were tried'],
];

/** What passes although it harms, and no sentence says so. */
function unsaid({ denial, harm, notCovered }: JudgedPair): string[] {
  if (denial !== undefined) return [];
  return harm
    .filter(({ reason }) => {
      const said = sentencesOf.filter(([pattern]) => pattern.test(reason));
      return !said.some(([, sentence]) => notCovered.some((each) => each.includes(sentence)));
    })
    .map(({ path, reason }) => `${path}: ${reason}`);
}

function definitionOf(index: number, spec: JsonObject): JsonObject {
  return things(`g${index}.example.com`, {
    // Served versions make the API server write its OpenAPI anew for each definition.
    served: false,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  });
}

describe('policies of random definitions', function () {
  this.timeout(900_000);
  const cluster = useCluster();
  let judged: JudgedPair[];

  before(async () => {
    judged = await judgeRandomPairs(cluster(), Math.max(24, samples(3)), 42);
  });

  it('deny what harms, but for what is said not to be covered', () => {
    const silent = judged.filter((pair) => unsaid(pair).length > 0);
    expect(silent.map((pair) => ({ ...pair, unsaid: unsaid(pair) }))).to.deep.equal([]);
    expect(judged.filter(({ denial }) => denial !== undefined)).not.to.have.lengthOf(0);
  });

  it('deny nothing that the proof calls safe', () => {
    const wrong = judged.filter(({ effect, denial }) => effect === 'safe' && denial !== undefined);
    expect(wrong).to.deep.equal([]);
    expect(judged.filter(({ effect }) => effect === 'safe')).not.to.have.lengthOf(0);
  });

  it('are evaluated without an error', () => {
    const denials = judged.flatMap(({ denial }) => denial ?? []);
    for (const denial of denials) expect(denial).to.include('validation failed');
  });
});
