import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import { isCovered, readPolicyRules } from './roles.js';

function rules(...objects: JsonObject[]) {
  return readPolicyRules({ rules: objects }, 'rules');
}

describe('isCovered', () => {
  const wanted = { verbs: ['get', 'list'], apiGroups: ['g'], resources: ['a', 'b/status'] };
  const rows: [rule: string, wanted: JsonObject, granted: JsonObject[], covered: boolean][] = [
    ['exactly', wanted, [wanted], true],
    ['by wildcards', wanted, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], true],
    [
      'subresources of any resource',
      wanted,
      [{ verbs: ['*'], apiGroups: ['g'], resources: ['a', '*/status'] }],
      true,
    ],
    [
      'a resource does not cover its subresource',
      wanted,
      [{ verbs: ['*'], apiGroups: ['g'], resources: ['a', 'b'] }],
      false,
    ],
    [
      'by several rules together',
      wanted,
      [
        { ...wanted, verbs: ['get'] },
        { ...wanted, verbs: ['list'] },
      ],
      true,
    ],
    ['one verb short', wanted, [{ ...wanted, verbs: ['get'] }], false],
    ['another group', wanted, [{ ...wanted, apiGroups: ['h'] }], false],
    [
      'a name needs no more than that name',
      { ...wanted, resourceNames: ['n'] },
      [{ ...wanted, resourceNames: ['n', 'm'] }],
      true,
    ],
    ['all names are not covered by one', wanted, [{ ...wanted, resourceNames: ['n'] }], false],
    [
      'a path',
      { verbs: ['get'], nonResourceURLs: ['/metrics/a'] },
      [{ verbs: ['get'], nonResourceURLs: ['/metrics/*'] }],
      true,
    ],
    [
      'another path',
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
      [{ verbs: ['get'], nonResourceURLs: ['/metrics/*'] }],
      false,
    ],
    ['nothing granted', wanted, [], false],
  ];
  for (const [rule, wants, granted, covered] of rows) {
    it(rule, () => {
      const [first] = rules(wants);
      if (first === undefined) throw new Error('no rule');
      expect(isCovered(first, rules(...granted))).to.equal(covered);
    });
  }
});
