import { withStatus } from '../../operator-groups/objects.js';
import { groupSurface } from '../../operator-groups/surface.js';
import { readOperatorGroup } from '../../objects/classic-objects.js';
import { from } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';

export const targetNamespacesOverlap = defineScanRule({
  id: 'TargetNamespacesOverlap',
  severity: 'info',
  family: 'operator-groups',
  kinds: ['OperatorGroup'],
  otherwise: 'intersecting operatorgroups provide the same apis',
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  checks: 'OperatorGroups that target a common namespace; their own namespaces count.',
  why: 'That is allowed as long as they provide different APIs: an operator of one whose API another provides cannot be installed.',
  instead: 'Choose targets that share no namespace.',
  messages: { overlap: 'shares target namespaces with {names}' },
  example: {
    after: `
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo, pets] }, status: { namespaces: [zoo, pets] } }`,
    says: 'shares target namespaces with zoo/zoo',
    accepted: `
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
  },
  *judge({ view, objects }) {
    for (const object of objects('OperatorGroup')) {
      const { identifier, targets } = groupSurface(
        withStatus(readOperatorGroup(object), view.namespaces()),
      );
      if (targets.isEmpty) continue;
      const others = view
        .groupsCovering(targets.names())
        .map((group) => groupSurface(withStatus(group, view.namespaces())))
        .filter(
          (other) =>
            other.identifier !== identifier && !targets.intersection(other.targets).isEmpty,
        );
      if (others.length === 0) continue;
      const names = others.map((other) => other.identifier.split('/').reverse().join('/')).sort();
      yield { object, id: 'overlap', data: { names } };
    }
  },
});
