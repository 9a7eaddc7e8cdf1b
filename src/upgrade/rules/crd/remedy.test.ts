import { expect } from 'chai';
import { docsFor, type Finding } from '../../../rule/finding.js';
import { withRemedy } from './remedy.js';

const finding = (rule: string, more: Partial<Finding> = {}): Finding => ({
  rule,
  family: 'crd-upgrade-safety',
  severity: 'error',
  message: 'm',
  docs: docsFor(rule),
  ...more,
});

describe('the way out of what no change of a schema mends', () => {
  const rows: readonly (readonly [rule: string, fix: RegExp | undefined])[] = [
    ['NoScopeChange', /another name/],
    ['scope', /another name/],
    ['NoStoredVersionRemoved', /status\.storedVersions no longer names it/],
    ['storedVersionRemoval', /status\.storedVersions no longer names it/],
    ['ChangeValidator', undefined],
    ['constructor', undefined],
  ];
  for (const [rule, fix] of rows) {
    it(rule, () => {
      const given = withRemedy(finding(rule)).fix;
      if (fix === undefined) expect(given).to.equal(undefined);
      else expect(given).to.match(fix);
    });
  }

  it('names the definition that is to be migrated', () => {
    const object = { apiVersion: 'v1', kind: 'CustomResourceDefinition', name: 'as.$&.io' };
    const { fix } = withRemedy(finding('NoStoredVersionRemoved', { object }));
    expect(fix).to.match(/: olm-guard migrate run as\.\$&\.io does both\.$/);
  });

  it('is not told where there is a patch', () => {
    const fix = [{ op: 'remove', path: '/spec/scope' }];
    expect(withRemedy(finding('scope', { fix })).fix).to.equal(fix);
  });
});
