import { expect } from 'chai';
import { peekRequest } from './admission-review.js';

/** In the order of fields in which the API server writes them. */
function head(more: object = {}): string {
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'abc-1',
      kind: { group: 'operators.coreos.com', version: 'v1alpha1', kind: 'InstallPlan' },
      resource: { group: 'operators.coreos.com', version: 'v1alpha1', resource: 'installplans' },
      ...more,
      requestKind: { group: 'operators.coreos.com', version: 'v1alpha1', kind: 'InstallPlan' },
    },
  });
}

describe('the first bytes of a review', () => {
  const rows: readonly [string, string, ReturnType<typeof peekRequest>][] = [
    ['the uid', head(), { uid: 'abc-1' }],
    [
      'a write of the status',
      head({ subResource: 'status' }),
      { uid: 'abc-1', subResource: 'status' },
    ],
    ['another subresource', head({ subResource: 'scale' }), { uid: 'abc-1' }],
    ['cut off before the resource', head().slice(0, 120), { uid: 'abc-1' }],
    ['cut off before the uid', head().slice(0, 60), undefined],
    ['no review', 'GET / HTTP/1.1', undefined],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      expect(peekRequest(Buffer.from(text))).to.deep.equal(expected);
    });
  }
});
