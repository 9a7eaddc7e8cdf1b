/** Resolution does not look at install modes and at other groups' APIs. */
import { isObject } from '../../../../text/documents/index.js';
import type { CatalogBundle } from '../../../catalogs/index.js';
import { textField } from '../../../catalogs/properties.js';
import type { OlmView } from '../../../objects/view.js';
import { RuleContext } from '../rule.js';
import { cannotModifyStaticOperatorGroupProvidedApis } from './cannot-modify-static-operator-group-provided-apis.js';
import { interOperatorGroupOwnerConflict } from './inter-operator-group-owner-conflict.js';
import { reviewedCsv } from './csv-review.js';
import { noTargetNamespaces } from './no-target-namespaces.js';
import { requirementsNotMet, unmetKubernetesVersion } from './requirements-not-met.js';
import { unsupportedOperatorGroup } from './unsupported-operator-group.js';

const allModes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

interface AfterInstall {
  readonly id: 'fails' | 'waits';
  readonly problem: string;
}

/** Without the bundle's metadata in the catalog, only its APIs are judged. */
export function afterInstall(
  { name, properties, installation }: CatalogBundle,
  namespace: string,
  view: OlmView,
): AfterInstall[] {
  const owned = properties.flatMap(({ type, value }) =>
    type === 'olm.gvk' && isObject(value)
      ? [
          {
            // The plural is not in a catalog, and the group is what counts.
            name: `x.${textField(value, 'group')}`,
            version: textField(value, 'version'),
            kind: textField(value, 'kind'),
          },
        ]
      : [],
  );
  const context = new RuleContext({
    request: 'CREATE',
    object: {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: { name, namespace },
      spec: {
        installModes: (installation?.modes ?? allModes).map((type) => ({ type, supported: true })),
        customresourcedefinitions: { owned },
        minKubeVersion: installation?.minKubeVersion ?? '',
      },
    },
    oldObject: null,
    view,
    crdSafety: () => [],
  });
  const rules = [
    noTargetNamespaces,
    unsupportedOperatorGroup,
    cannotModifyStaticOperatorGroupProvidedApis,
    interOperatorGroupOwnerConflict,
  ];
  const failures = rules.flatMap((rule) =>
    rule
      .judge(context)
      .filter(({ severity }) => severity === 'error' || rule === noTargetNamespaces)
      .map(({ message }) => (message.startsWith(rule.id) ? message : `${rule.id}: ${message}`)),
  );
  const unmet = [...unmetKubernetesVersion(context.fact(reviewedCsv), view)];
  return [
    ...failures.map((problem) => ({ id: 'fails' as const, problem })),
    ...unmet.map(({ message }) => ({
      id: 'waits' as const,
      problem: `${requirementsNotMet.id}: ${message}`,
    })),
  ];
}
