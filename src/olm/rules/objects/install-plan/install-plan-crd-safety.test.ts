import type { Finding } from '../../../../rule/finding.js';
import { InvalidInputError } from '../../../../text/documents/index.js';
import { makeCrd, aCsv, describeRule } from '../testing/harness.js';
import { installPlanCrdSafety } from './install-plan-crd-safety.js';
import { aPlan, aStep, crdStep } from './testing/install-plan.js';

const broken: Finding = {
  rule: 'NoStoredVersionRemoved',
  family: 'crd-upgrade-safety',
  severity: 'error',
  effect: 'breaking',
  message: 'stored version "v1" removed',
  docs: '',
};

const unserved: Finding = {
  ...broken,
  rule: 'ServedVersionRemoved',
  severity: 'warning',
  message: 'version "v1" is gone',
};
/** The next release of cats.v1. */
const upgradedStep = aStep(
  'ClusterServiceVersion',
  'cats.v2',
  aCsv({ name: 'cats.v2', spec: { replaces: 'cats.v1' } }),
);

describeRule(installPlanCrdSafety, [
  { when: 'safe', object: aPlan(true, crdStep), cluster: [makeCrd('cats.pets')], says: [] },
  { when: 'new', object: aPlan(true, crdStep), crdFindings: [broken], says: [] },
  {
    when: 'not approved',
    object: aPlan(false, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: [broken],
    says: [],
  },
  {
    when: 'done already',
    object: aPlan(
      true,
      aStep('CustomResourceDefinition', 'cats.pets', makeCrd('cats.pets'), 'Created'),
    ),
    cluster: [makeCrd('cats.pets')],
    crdFindings: [broken],
    says: [],
  },
  {
    when: 'unsafe',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: [
      broken,
      { ...broken, rule: 'Other', severity: 'warning' },
      { ...broken, severity: 'info' },
    ],
    says: [
      {
        id: 'unsafe',
        data: {
          name: 'cats.pets',
          rule: 'NoStoredVersionRemoved',
          message: 'stored version "v1" removed',
          elsewhere: [],
        },
      },
      {
        id: 'unsafe',
        data: {
          name: 'cats.pets',
          rule: 'Other',
          message: 'stored version "v1" removed',
          elsewhere: [],
        },
        severity: 'warning',
      },
    ],
  },
  {
    when: 'shared with an operator elsewhere',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets'), aCsv({ namespace: 'far' })],
    crdFindings: [broken],
    says: [
      {
        id: 'unsafeAndShared',
        data: {
          name: 'cats.pets',
          rule: 'NoStoredVersionRemoved',
          message: 'stored version "v1" removed',
          elsewhere: ['far/cats.v1'],
        },
      },
    ],
  },
  {
    when: 'a served version goes, with one operator that is upgraded',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv()],
    crdFindings: [unserved],
    says: [
      {
        id: 'unsafe',
        data: {
          name: 'cats.pets',
          rule: 'ServedVersionRemoved',
          message: 'version "v1" is gone',
          elsewhere: [],
        },
        severity: 'warning',
      },
    ],
  },
  {
    when: 'a served version goes, with another owner in the namespace',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv(), aCsv({ name: 'other.v1' })],
    crdFindings: [unserved],
    says: [
      {
        id: 'unsafe',
        data: {
          name: 'cats.pets',
          rule: 'ServedVersionRemoved',
          message:
            'version "v1" is gone; several ClusterServiceVersions own the definition, and each may need the version',
          elsewhere: [],
        },
      },
    ],
  },
  {
    when: 'a served version goes, and the plan brings the second owner',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv({ namespace: 'far' })],
    crdFindings: [unserved],
    says: [
      {
        id: 'unsafeAndShared',
        data: {
          name: 'cats.pets',
          rule: 'ServedVersionRemoved',
          message:
            'version "v1" is gone; several ClusterServiceVersions own the definition, and each may need the version',
          elsewhere: ['far/cats.v1'],
        },
      },
    ],
  },
  {
    when: 'a definition that is too much to judge',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: new InvalidInputError('E_LIMIT', 'is too large'),
    says: [{ id: 'unjudged', data: { name: 'cats.pets', problem: 'is too large' } }],
  },
  {
    when: 'a definition that cannot be judged',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: new InvalidInputError('E_INPUT', 'has no group'),
    says: [
      { id: 'unjudged', data: { name: 'cats.pets', problem: 'has no group' }, severity: 'warning' },
    ],
  },
]);
