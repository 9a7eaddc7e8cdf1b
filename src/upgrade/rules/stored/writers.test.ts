import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { storedFindings, withoutObjects } from './findings.js';
import { emptyTally } from '../../crd/stored/judge.js';
import { addWriters, withWriters } from '../../crd/stored/writers.js';

const leaving = new Set(['example.com/v1beta1']);
const entry = (
  manager: string,
  operation: string,
  time?: string,
  version = 'v1beta1',
): JsonObject => ({
  ...{ manager, operation, apiVersion: `example.com/${version}` },
  ...(time === undefined ? {} : { time: `${time}T08:00:00Z` }),
});
const object = (...managedFields: JsonObject[]): JsonObject => ({ metadata: { managedFields } });
const subject = { name: 'widgets.example.com', kind: 'Widget' };

describe('who wrote objects in a version that goes', () => {
  const objects = [
    object(entry('argocd', 'Apply', '2026-11-01'), entry('kubectl', 'Update', '2026-10-01', 'v1')),
    object(entry('argocd', 'Apply', '2026-11-03'), entry('argocd', 'Update', '2026-11-02')),
    object(entry('argocd', 'Apply', '2026-10-03'), entry('argocd', 'Apply', '2026-10-04')),
    object(),
    {},
    { metadata: { managedFields: 'not a list' } },
  ];
  const writers = objects.reduce<ReturnType<typeof withWriters>>(
    (known, each) => withWriters(known, each, leaving),
    [],
  );

  it('is counted by manager, version and kind of write, each object once', () => {
    const common = { manager: 'argocd', version: 'v1beta1' };
    expect(writers).to.deep.equal([
      { ...common, isApply: true, objects: 3, last: '2026-11-03' },
      { ...common, isApply: false, objects: 1, last: '2026-11-02' },
    ]);
    expect(addWriters(writers, writers).map((each) => each.objects)).to.deep.equal([6, 2]);
  });

  it('is told in one sentence, and to whoever may not list them without names and counts', () => {
    const findings = storedFindings(subject, { ...emptyTally, checked: 6, writers });
    expect(findings.map(({ message }) => message)).to.deep.equal([
      'still used: argocd applied 3 Widgets as v1beta1, last 2026-11-03; argocd wrote 1 Widget as v1beta1, last 2026-11-02; once nobody writes it any more, olm-guard migrate run widgets.example.com --leaving v1beta1 moves what objects remember of it',
    ]);
    const [told] = withoutObjects(findings, subject);
    expect(told?.message).to.equal(
      'stored Widgets were written in a version that is removed; by whom and how many is for those who may list widgets.example.com',
    );
  });

  it('are limited in number', () => {
    const many = Array.from({ length: 500 }, (_, index) => entry(`manager-${index}`, 'Apply'));
    expect(withWriters([], object(...many), leaving)).to.have.lengthOf(100);
  });
});
