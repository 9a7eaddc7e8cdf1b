/** Holds what a scan printed as JSON against the cluster in which everything has failed. */
import { expect } from 'chai';
import type { Finding, Verdict } from '../../src/rule/finding.js';
import { metaOf } from '../../src/text/documents/index.js';
import { failedCluster } from './failed-cluster.js';

export function expectFailures(printed: string): void {
  const { results } = JSON.parse(printed) as { results: { verdict: Verdict }[] };
  const findings = results.flatMap(({ verdict }) => verdict.findings);
  for (const { rule, severity, object, says } of failedCluster) {
    const { name, namespace } = metaOf(object);
    const isAbout = ({ object: about }: Finding): boolean =>
      about?.kind === object['kind'] &&
      about?.name === name &&
      (about?.namespace ?? '') === namespace;
    const found = findings.filter((each) => each.rule === rule && isAbout(each));
    const where = `${rule} of ${name}`;
    expect(found, where).to.have.lengthOf(1);
    expect(found[0]?.message, where).to.match(says);
    expect(found[0]?.severity, where).to.equal(severity);
    if (severity === 'error') expect(found[0]?.fix, where).to.be.a('string');
  }
  const rules = new Set(failedCluster.map(({ rule }) => rule));
  const said = findings.filter(({ rule }) => rules.has(rule));
  expect(said.map(({ object }) => object?.name)).to.have.lengthOf(failedCluster.length);
}
