import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultPolicy, type Policy } from '../../policy/policy.js';
import { parsePolicy } from '../../policy/parse.js';
import { FolderState } from '../../cluster/olm-state/folder-state.js';
import { ruleNames } from '../../checks/operations/rules.js';
import type { ReviewHead } from './review-head.js';
import { createReviewers } from './reviewers.js';
import { noTime } from './unread.js';

const definition = {
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
};
const update = { uid: 'u', resource: definition, operation: 'UPDATE' } as const;
const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const modes = (mode: 'warn' | 'audit'): Partial<Policy> => ({
  modes: new Map([['crd-upgrade-safety', mode]]),
});

describe('a review for which there was no time', () => {
  const rows: [what: string, head: ReviewHead, policy: Partial<Policy>, allowed: boolean][] = [
    ['an update of a definition', update, {}, false],
    ['one that does not say what it is', { uid: 'u', resource: definition }, {}, false],
    ['one where the policy warns', update, modes('warn'), true],
    ['one where the policy looks', update, modes('audit'), true],
    [
      'one of its status by the API server itself',
      { ...update, subResource: 'status', userInfo: { username: 'system:apiserver' } },
      { unjudged: 'deny' },
      true,
    ],
    ['one of its status by somebody else', { ...update, subResource: 'status' }, {}, false],
    [
      'one of the status of something of OLM',
      {
        ...update,
        subResource: 'status',
        resource: { group: 'operators.coreos.com', resource: 'installplans' },
      },
      { unjudged: 'deny' },
      true,
    ],
    ['one that cleans up', { ...update, userInfo: { username: collector } }, {}, true],
    ['a creation', { ...update, operation: 'CREATE' }, {}, true],
    ['a creation', { ...update, operation: 'CREATE' }, { unjudged: 'deny' }, false],
    [
      'something of OLM',
      { ...update, resource: { group: 'operators.coreos.com', resource: 'subscriptions' } },
      {},
      true,
    ],
    ['something else', { ...update, resource: { group: '', resource: 'pods' } }, {}, true],
  ];
  for (const [what, head, policy, isAllowed] of rows) {
    it(`is ${isAllowed ? 'allowed' : 'denied'}: ${what} (${JSON.stringify(policy)})`, () => {
      const reviewers = createReviewers(FolderState.of([]));
      const { response, decision } = noTime(
        head,
        reviewers,
        { ...defaultPolicy, ...policy },
        'no time',
      );
      expect([response.allowed, decision]).to.deep.equal([isAllowed, 'unjudged']);
      expect(response.status?.message ?? response.warnings?.join()).to.include('no time');
    });
  }

  it('is denied, whatever it is, by the policy of the enforcing component', () => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const file = join(root, 'manifests', 'components', 'enforcing', 'policy.yaml');
    const policy = parsePolicy(readFileSync(file, 'utf8'), file, ruleNames);
    const reviewers = createReviewers(FolderState.of([]));
    for (const { group, resource } of reviewers) {
      for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
        const head = { uid: 'u', resource: { group, resource }, operation };
        const { response } = noTime(head, reviewers, policy, 'no time');
        expect(response.allowed, `${operation} ${resource}`).to.equal(false);
      }
    }
  });
});
