import { gzipSync } from 'node:zlib';
import { describeRule } from '../testing/harness.js';
import { installPlanBundleTooLarge } from './install-plan-rules.js';
import { aPlan, bundled, crdStep, csvStep, map, refersTo } from './testing/install-plan.js';

/** Seventeen megabytes in as many kilobytes. */
const bomb = gzipSync('- a\n'.repeat(17 << 18)).toString('base64');

const aliases = `a: &a [${'1,'.repeat(2000)}]\n${['b', 'c'].map((key) => `${key}: [*a, *a, *a]`).join('\n')}`;

describeRule(installPlanBundleTooLarge, [
  { when: 'all read', object: aPlan(true, csvStep, crdStep), says: [] },
  {
    when: 'a bundle that is not there is the other rule’s',
    object: aPlan(true, refersTo),
    says: [],
  },
  {
    when: 'far more than it says',
    object: aPlan(true, refersTo),
    cluster: [map({ binaryData: { a: bomb, b: gzipSync(bundled).toString('base64') } })],
    says: [
      {
        id: 'tooLarge',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          unread: 'ConfigMap olm/bundle unpacks to more than 16 MiB',
        },
      },
    ],
  },
  {
    when: 'the same in pieces',
    object: aPlan(true, refersTo),
    cluster: [
      map({
        binaryData: Object.fromEntries(
          Array.from({ length: 5 }, (_, index) => [
            `k${index}`,
            gzipSync(' '.repeat(4 << 20)).toString('base64'),
          ]),
        ),
      }),
    ],
    says: [
      {
        id: 'tooLarge',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          unread: 'ConfigMap olm/bundle unpacks to more than 16 MiB',
        },
      },
    ],
  },
  {
    when: 'YAML that stands for a multiple of itself',
    object: aPlan(true, refersTo),
    cluster: [map({ data: { a: aliases } })],
    says: [
      {
        id: 'tooLarge',
        data: {
          kind: 'ClusterServiceVersion',
          name: 'cats.v1',
          unread:
            'ConfigMap olm/bundle holds a manifest that has aliases that expand to more than 10000 nodes',
        },
      },
    ],
  },
]);
