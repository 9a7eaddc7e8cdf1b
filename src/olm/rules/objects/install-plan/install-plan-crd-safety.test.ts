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
      'error: CustomResourceDefinition cats.pets: NoStoredVersionRemoved: stored version "v1" removed',
      'warning: CustomResourceDefinition cats.pets: Other: ',
    ],
  },
  {
    when: 'shared with an operator elsewhere',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets'), aCsv({ namespace: 'far' })],
    crdFindings: [broken],
    says: [/; it is shared with far\/cats\.v1$/],
  },
  {
    when: 'a served version goes, with one operator that is upgraded',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv()],
    crdFindings: [unserved],
    says: [/^warning: .*: ServedVersionRemoved: version "v1" is gone$/],
  },
  {
    when: 'a served version goes, with another owner in the namespace',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv(), aCsv({ name: 'other.v1' })],
    crdFindings: [unserved],
    says: [/^error: .*: ServedVersionRemoved: .*gone; several ClusterServiceVersions own/],
  },
  {
    when: 'a served version goes, and the plan brings the second owner',
    object: aPlan(true, crdStep, upgradedStep),
    cluster: [makeCrd('cats.pets'), aCsv({ namespace: 'far' })],
    crdFindings: [unserved],
    says: [/^error: .*: ServedVersionRemoved: .*own the definition.*shared with far\/cats\.v1$/],
  },
  {
    when: 'a definition that is too much to judge',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: new InvalidInputError('E_LIMIT', 'is too large'),
    says: ['error: CustomResourceDefinition cats.pets cannot be judged: is too large'],
  },
  {
    when: 'a definition that cannot be judged',
    object: aPlan(true, crdStep),
    cluster: [makeCrd('cats.pets')],
    crdFindings: new InvalidInputError('E_INPUT', 'has no group'),
    says: ['warning: CustomResourceDefinition cats.pets cannot be judged: has no group'],
  },
]);
