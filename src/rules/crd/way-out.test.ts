import { expect } from 'chai';
import { docsFor, type Finding } from '../../finding.js';
import { withWayOut } from './way-out.js';

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
      const given = withWayOut(finding(rule)).fix;
      if (fix === undefined) expect(given).to.equal(undefined);
      else expect(given).to.match(fix);
    });
  }

  it('names the definition that is to be migrated', () => {
    const object = { apiVersion: 'v1', kind: 'CustomResourceDefinition', name: 'as.$&.io' };
    const { fix } = withWayOut(finding('NoStoredVersionRemoved', { object }));
    expect(fix).to.match(/: olm-guard migrate run as\.\$&\.io does both\.$/);
  });

  it('is not told where there is a patch', () => {
    const fix = [{ op: 'remove', path: '/spec/scope' }];
    expect(withWayOut(finding('scope', { fix })).fix).to.equal(fix);
  });
});
