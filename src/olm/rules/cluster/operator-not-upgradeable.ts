import { heldBack } from '../objects/cluster-service-version/other-operators.js';
import { from, sources } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';

export const operatorNotUpgradeable = defineScanRule({
  id: 'OperatorNotUpgradeable',
  severity: 'warning',
  blocksUpgrade: true,
  family: 'operator-groups',
  kinds: ['OperatorCondition'],
  otherwise: 'operator is not upgradeable: …',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorconditions.go', 'isOperatorUpgradeable'),
    from.openShift('Operator conditions'),
  ),
  checks: 'Operators that say in their OperatorCondition that they cannot be upgraded.',
  why: 'The next version stays Pending until that changes.',
  instead:
    'Let the operator finish, or set an override of condition Upgradeable in spec.overrides.',
  messages: { waits: 'the next version will wait: {reason}' },
  example: {
    after: `
      apiVersion: operators.coreos.com/v2
      kind: OperatorCondition
      metadata: { name: cats.v1, namespace: pets }
      spec: { conditions: [{ type: Upgradeable, status: 'False', message: migrating }] }`,
    says: 'the next version will wait: the operator is not upgradeable: migrating',
    accepted: `
      apiVersion: operators.coreos.com/v2
      kind: OperatorCondition
      metadata: { name: cats.v1, namespace: pets }
      spec: { conditions: [{ type: Upgradeable, status: 'True' }] }`,
  },
  *judge({ objects }) {
    for (const object of objects('OperatorCondition')) {
      const reason = heldBack(object);
      if (reason !== null) yield { object, id: 'waits', data: { reason } };
    }
  },
});
