import { expect } from 'chai';
import { renderPaths } from './explanations.js';

describe('upgrade path report', () => {
  it('prints the whole report', () => {
    const page = renderPaths({
      paths: [
        {
          title: 'OLM classic',
          path: {
            steps: [
              { to: 'op.v1', channel: 'stable', edges: [], passedOver: [] },
              {
                from: 'op.v1',
                to: 'op.v3',
                channel: 'stable',
                catalog: 'own',
                edges: [
                  { kind: 'skips', channel: 'stable' },
                  { kind: 'skipRange', channel: 'stable', range: '<3.0.0' },
                ],
                passedOver: ['op.v2'],
                criterion: 1,
              },
            ],
            loops: true,
          },
        },
        { title: 'OLM v1', path: { steps: [], loops: false } },
        { title: 'broken', path: { steps: [], loops: false, error: 'two heads' } },
      ],
      differences: ['they part'],
      unmet: ['op.v3 requires package none'],
    });
    expect(page).to.equal(`OLM classic
  op.v1  (first installation; channel stable)
  op.v1 → op.v3  (skips op.v1, skipRange "<3.0.0" covers op.v1; channel stable; catalog own)
      1. head of the channel in the subscription’s source
      passes over op.v2
  and comes back: it would be an update cycle

OLM v1
  stays where it is

broken
  stops: two heads

Requirements that are not met
  op.v3 requires package none

Where they differ
  they part

Not asked without a cluster
  whether what is installed fits its OperatorGroup or ClusterExtension, other groups’ APIs, stored objects, and the versions of Kubernetes and OpenShift: olm-guard plan does
`);
  });
});
