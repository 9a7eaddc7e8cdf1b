import { gzipSync } from 'node:zlib';
import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { installPlanCsv } from './install-plan-rules.js';
import { aPlan, aStep, bundled, csvStep, map, refersTo } from './testing/install-plan.js';

describeRule(installPlanCsv, [
  {
    when: 'fits its group; requirements are what the plan brings',
    object: aPlan(true, csvStep),
    cluster: [makeGroup({ spec: {} })],
    says: [],
  },
  {
    when: 'what a bundle says to be a copy',
    object: aPlan(
      true,
      aStep(
        'ClusterServiceVersion',
        'cats.v1',
        aCsv({
          modes: ['AllNamespaces'],
          metadata: {
            labels: { 'olm.copiedFrom': 'elsewhere' },
            annotations: { 'olm.operatorNamespace': 'b' },
          },
        }),
      ),
    ),
    isByOlm: true,
    cluster: [makeGroup()],
    says: [
      {
        id: 'refused',
        data: {
          csv: 'cats.v1',
          rule: 'UnsupportedOperatorGroup',
          message:
            'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace (OperatorGroup g selects ns)',
        },
      },
    ],
  },
  {
    when: 'does not fit',
    object: aPlan(true, csvStep),
    cluster: [makeGroup()],
    says: [
      {
        id: 'refused',
        data: {
          csv: 'cats.v1',
          rule: 'UnsupportedOperatorGroup',
          message:
            'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace (OperatorGroup g selects ns)',
        },
      },
    ],
  },
  {
    when: 'a reference to a bundle',
    object: aPlan(true, refersTo),
    cluster: [makeGroup(), map({ data: { a: '::', b: bundled } })],
    says: [
      {
        id: 'refused',
        data: {
          csv: 'cats.v1',
          rule: 'UnsupportedOperatorGroup',
          message:
            'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace (OperatorGroup g selects ns)',
        },
      },
    ],
  },
  {
    when: 'a reference to a gzipped bundle',
    object: aPlan(true, refersTo),
    cluster: [
      makeGroup(),
      map({ binaryData: { a: 'AAAA', b: gzipSync(bundled).toString('base64') } }),
    ],
    says: [
      {
        id: 'refused',
        data: {
          csv: 'cats.v1',
          rule: 'UnsupportedOperatorGroup',
          message:
            'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace (OperatorGroup g selects ns)',
        },
      },
    ],
  },
  {
    when: 'a reference that leads nowhere is the other rule’s',
    object: aPlan(true, refersTo),
    cluster: [makeGroup()],
    says: [],
  },
]);
