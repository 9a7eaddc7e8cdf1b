import { expect } from 'chai';
import { judgeDefinition, knownMinors, sizesOf } from '../../definition/index.js';
import type { Finding } from '../../finding.js';
import { exampleOfSpec } from '../crd/example-definition.js';
import { definitionFindings } from './findings.js';

function findingsOf(spec: Parameters<typeof exampleOfSpec>[0]): Finding[] {
  const definition = exampleOfSpec(spec);
  const refusals = judgeDefinition(definition, undefined, knownMinors);
  return definitionFindings(definition, refusals, sizesOf(definition));
}

const described = (bytes: number): Finding[] =>
  findingsOf({ type: 'object', description: 'x'.repeat(bytes) });

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

  it('says from which size on kubectl apply, etcd and requests do not take it', () => {
    const rules = (bytes: number): string[] => described(bytes).map(({ rule }) => rule);
    expect(rules(261_000)).to.deep.equal([]);
    expect(rules(262_144)).to.deep.equal(['TooLargeToApply']);
    expect(rules(1_600_000)).to.deep.equal(['TooLargeToApply', 'TooLargeToStore']);
    expect(rules(3_200_000)).to.have.lengthOf(3);
  });

  it('says what takes the room, and what would be left without it', () => {
    const [finding] = described(300_000);
    expect(finding?.message).to.match(
      /descriptions are 100 %; without them \d{3} ?, and at most 262144/,
    );
    expect(finding?.message).to.match(/kubectl apply --server-side/);
  });
});
