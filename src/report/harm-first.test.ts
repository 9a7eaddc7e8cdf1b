import { expect } from 'chai';
import type { Finding } from '../rule/finding.js';
import { render } from './render.js';

const at = (path: string, fields: Partial<Finding>): Finding => ({
  rule: 'ChangeValidator',
  family: 'crd-upgrade-safety',
  severity: 'warning',
  message: `version "v1", field "${path}" has unknown change, refusing to determine that change is safe`,
  version: 'v1',
  path,
  docs: 'docs/rules/ChangeValidator.md',
  ...fields,
});
const described = (path: string): Finding =>
  at(path, {
    effect: 'safe',
    cause: `ChangeValidator v1 ${path} unknown change of description`,
  });

const report = (...findings: Finding[]) => ({
  subject: 'CustomResourceDefinitions',
  results: [
    {
      name: 'widgets.example.com',
      verdict: {
        allowed: findings.every(({ severity }) => severity !== 'error'),
        findings,
        warnings: [],
      },
      output: {},
      places: findings.map((_, index) => ({ line: index + 1 })),
    },
  ],
  counts: {},
});

describe('what harms', () => {
  const breaks = at('^.c', { severity: 'error', effect: 'breaking' });
  const mixed = report(described('^.a'), described('^.b'), breaks, at('^.d', { effect: 'safe' }));

  for (const format of ['text', 'github', 'markdown', 'junit']) {
    it(`is listed as ${format}, and what is harmless is counted by what changed`, async () => {
      const text = await render(mixed, format);
      expect(text).to.include('^.c');
      const counted = '2 description changes, 1 other change: harmless (--all lists them)';
      // GitHub shows ten notices of a step: those are for findings, and the summary has the count.
      if (format === 'github') expect(text).not.to.include('harmless');
      else expect(text).to.include(counted);
      expect(text).not.to.match(/\^\.[abd]/);
      const all = await render(mixed, format, { isAllListed: true });
      expect(all).to.match(/\^\.a/).and.not.include('harmless (');
    });
  }

  const stored: Finding = {
    rule: 'StoredObjectsLoseData',
    family: 'stored-objects',
    severity: 'error',
    effect: 'data-loss',
    message: '1 of 1 stored Widget would lose spec.color: default/red',
    docs: 'docs/rules/StoredObjectsLoseData.md',
  };
  for (const format of ['text', 'json', 'yaml', 'sarif', 'github', 'markdown', 'junit', 'html']) {
    it(`to stored objects stands before made-up ones as ${format}`, async () => {
      const text = await render(report(breaks, stored), format);
      const places = [stored.message, '^.c'].map((each) => text.indexOf(each));
      expect(places[0])
        .to.be.above(-1)
        .and.below(places[1] ?? -1);
    });
  }

  for (const format of ['json', 'yaml', 'sarif', 'github']) {
    it(`stands first as ${format}`, async () => {
      const text = await render(mixed, format, { isAllListed: true });
      const paths = [...text.matchAll(/\^\.([a-d])\\?" has unknown/g)].map(([, path]) => path);
      expect(paths).to.deep.equal(['c', 'a', 'b', 'd']);
    });
  }

  it('sorts places with their findings', async () => {
    const { results } = JSON.parse(await render(mixed, 'json')) as typeof mixed;
    expect(results[0]?.places.map(({ line }) => line)).to.deep.equal([3, 1, 2, 4]);
  });

  it('is not folded away where it is denied, exempt, or changes behavior', async () => {
    const denied = { ...described('^.a'), severity: 'error' as const };
    const refused = { ...described('^.b'), rule: 'NoScopeChange' };
    const text = await render(report(denied, refused, at('^.c', { effect: 'behavior' })), 'text');
    expect(text).not.to.include('harmless (');
    expect(text).to.include('^.a').and.include('^.b').and.include('^.c');
  });
});
