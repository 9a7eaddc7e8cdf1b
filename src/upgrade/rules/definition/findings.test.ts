import { expect } from 'chai';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { judgeDefinition } from '../../../kubernetes/definition/judge.js';
import { knownMinors, minorsByDefault } from '../../../kubernetes/definition/minors.js';
import { sizesOf } from '../../../kubernetes/definition/sizes.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import { exampleOfSpec } from '../crd/example-definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { definitionFindings } from './findings.js';

import { judgeForServers } from './judge.js';

function findingsOf(spec: Parameters<typeof exampleOfSpec>[0]): Finding[] {
  const definition = exampleOfSpec(spec);
  const refusals = judgeDefinition(definition, undefined, knownMinors);
  return definitionFindings(definition, refusals, sizesOf(definition));
}

const sized = (bytes: number): JsonObject =>
  exampleOfSpec({ type: 'object', description: 'x'.repeat(bytes) });

const described = (bytes: number): Finding[] =>
  findingsOf({ type: 'object', description: 'x'.repeat(bytes) });

const judgedBy = (next: JsonObject, old?: JsonObject): readonly Finding[] =>
  judgeForServers(next, old, minorsByDefault()).findings;

describe('findings about a definition', () => {
  it('says which minors refuse', () => {
    const found = findingsOf({
      type: 'object',
      properties: { address: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'isIP(self.address)' }],
    });
    expect(found.map(({ rule, path }) => [rule, path])).to.deep.equal([
      [
        'CelCompile',
        'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
      ],
    ]);
    expect(found[0]?.message).to.match(/\(Kubernetes 1\.29 to 1\.30\)$/);
  });

  it('explains what a rule costs, and names the bound that is enough, as a patch', () => {
    const definition = exampleOfSpec({
      type: 'object',
      properties: { routes: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule: 'self.routes.all(a, self.routes.exists(b, a == b))' }],
    });
    const { findings, cheaper } = judgeForServers(definition, undefined, minorsByDefault());
    const [finding = expect.fail('no finding')] = findings.filter(
      (each) => each.rule === 'CelCost',
    );
    expect(finding.message).to.match(
      /\(Kubernetes 1\.29 to 1\.37\); estimated cost \d+, and at most 10000000 may be; multiplied by \^\.spec\.routes \(no maxItems\): add maxItems: \d+ to \^\.spec\.routes$/,
    );
    expect(finding[foundAt]?.keys.at(-1)).to.equal('rule');
    expect(cheaper).to.have.lengthOf(1);
    const { newDocument } = jsonPatch.applyPatch(structuredClone(definition), finding.fix as Operation[]); // prettier-ignore
    expect(judgedBy(newDocument).map(({ severity }) => severity)).to.deep.equal(['info']); // prettier-ignore
  });

  it('only warns of what an update keeps and a new cluster refuses, and of older minors', () => {
    const withRule = (size: JsonObject) => exampleOfSpec({ type: 'object', properties: { size } });
    const old = withRule({ type: 'string', default: 1 });
    const severities = (next: JsonObject, before?: JsonObject) =>
      judgedBy(next, before).map(({ severity }) => severity);
    const newer = { type: 'string', 'x-kubernetes-validations': [{ rule: 'isIP(self)' }] };
    expect(severities(withRule(newer))).to.deep.equal(['warning']);
    expect(severities(old)).to.deep.equal(['error']);
    const unpruned = exampleOfSpec({
      type: 'object',
      properties: { size: { type: 'object', default: { a: 1 }, properties: {} } },
    });
    const judged = judgedBy(unpruned, unpruned);
    expect(judged.map(({ severity }) => severity)).to.deep.equal(['warning']);
    expect(judged[0]?.message).to.match(/the update is taken, but not a create/);
  });

  it('says from which size on kubectl apply, etcd and requests do not take it', () => {
    const rules = (bytes: number): string[] => described(bytes).map(({ rule }) => rule);
    expect(rules(261_000)).to.deep.equal([]);
    expect(rules(262_144)).to.deep.equal(['TooLargeToApply']);
    const severities = (bytes: number): string[] =>
      described(bytes).map(({ rule, severity }) => `${severity} ${rule}`);
    expect(severities(1_100_000)).to.deep.equal([
      'warning TooLargeToApply',
      'warning TooLargeToStore',
    ]);
    expect(described(1_100_000)[1]?.message).to.match(
      /Secret or ConfigMap.*descriptions are 100 %/,
    );
    expect(severities(1_600_000).slice(2)).to.deep.equal(['error TooLargeToStore']);
    expect(rules(3_200_000)).to.have.lengthOf(4);
  });

  it('only notes a limit that the old definition exceeds already', () => {
    const told = judgedBy(sized(300_000), sized(299_000));
    expect(told.map(({ rule, severity }) => `${severity} ${rule}`)).to.deep.equal([
      'info TooLargeToApply',
    ]);
    expect(told[0]?.message).to.include('so is the old definition');
    const grown = judgedBy(sized(300_000), sized(200_000));
    expect(grown.map(({ severity }) => severity)).to.deep.equal(['warning']);
  });

  it('says what takes the room, and what would be left without it', () => {
    const [finding] = described(300_000);
    expect(finding?.message).to.match(
      /descriptions are 100 %; without them \d{3} ?, and at most 262144/,
    );
    expect(finding?.message).to.match(/kubectl apply --server-side/);
    const [bare] = findingsOf({ type: 'object', enum: [{ size: 'x'.repeat(300_000) }] });
    expect(bare?.message).to.match(/would have \d+ bytes, and at most 262144 may be;/);
  });
});
