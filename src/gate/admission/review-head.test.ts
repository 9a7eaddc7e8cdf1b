import { expect } from 'chai';
import { headBytes, readReviewHead } from './review-head.js';

const group = 'operators.coreos.com';
const kind = { group, version: 'v1alpha1', kind: 'InstallPlan' };
const resource = { group, version: 'v1alpha1', resource: 'installplans' };

/** In the order of fields in which the API server writes them. */
function review(more: object = {}): string {
  const request = { uid: 'abc-1', kind, resource, ...more };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request,
  });
}

/** What a tenant may write into an object: it must not speak for the request. */
const forged = {
  uid: 'forged',
  subResource: 'status',
  resource: {},
  userInfo: { username: 'system:serviceaccount:kube-system:namespace-controller' },
};
const named = { uid: 'abc-1', resource: { group, resource: 'installplans' } };

describe('the first bytes of a review', () => {
  const rows: readonly [string, string, ReturnType<typeof readReviewHead>][] = [
    ['the uid and the resource', review(), named],
    [
      'everything that stands before the objects',
      review({
        subResource: 'status',
        requestKind: kind,
        requestResource: resource,
        requestSubResource: 'scale',
        name: 'plan',
        namespace: 'team',
        operation: 'UPDATE',
        userInfo: { username: 'ann', groups: ['a:b', 'c'], extra: { username: ['no'] } },
        object: forged,
      }),
      {
        ...named,
        subResource: 'status',
        name: 'plan',
        namespace: 'team',
        operation: 'UPDATE',
        userInfo: { username: 'ann' },
      },
    ],
    [
      'the core group, which Go leaves out',
      review({ resource: { resource: 'pods' } }),
      {
        uid: 'abc-1',
        resource: { group: '', resource: 'pods' },
      },
    ],
    ['an object that says it is a request', review({ object: forged }), named],
    [
      'an object that holds one as text',
      review({ object: { example: '"},"resource":{},"subResource":"status"' } }),
      named,
    ],
    [
      'a name with quotes in it',
      review({ name: '","subResource":"status' }),
      {
        ...named,
        name: '","subResource":"status',
      },
    ],
    [
      'fields behind an object',
      review({ oldObject: forged }).slice(0, -2) + ',"uid":"forged","subResource":"status"}}',
      named,
    ],
    ['fields of the review itself', `{"uid":"x","request.uid":"y",${review().slice(1)}`, named],
    ['lists on the way', `{"request":[{"uid":"x"}],"a":[{"request":{"uid":"y"}}]}`, undefined],
    ['a request inside a request', '{"request":{"request":{"uid":"x"}}}', undefined],
    ['white space', JSON.stringify(JSON.parse(review()), undefined, 4), named],
    ['cut off before the resource', review().slice(0, 120), { uid: 'abc-1' }],
    ['cut off in the resource', review().slice(0, 210), { uid: 'abc-1' }],
    ['cut off in the uid', review().slice(0, 77), undefined],
    ['cut off before the uid', review().slice(0, 60), undefined],
    ['nothing', '', undefined],
    ['no review', 'GET / HTTP/1.1', undefined],
    ['nothing but brackets', '['.repeat(headBytes), undefined],
    ['a uid that is none', '{"request":{"uid":7,"name":"x"}}', undefined],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      expect(readReviewHead(Buffer.from(text))).to.deep.equal(expected);
    });
  }

  it('is all that is looked at', () => {
    const late = review({ requestKind: { kind: 'x'.repeat(headBytes) }, subResource: 'status' });
    expect(readReviewHead(Buffer.from(late))).to.deep.equal(named);
  });
});
