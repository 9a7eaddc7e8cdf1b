import { annotatedCsv, csvUpTo } from '../examples.js';
import { bundleProperties, limitOfCsv, limitProblem } from '../../../objects/open-shift-limit.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';
import { objectsAt, textAt, textsAt } from '../../../../text/documents/fields.js';
import { isObject, type JsonValue, own, parseJson } from '../../../../text/documents/index.js';
import { lintConstraint } from '../../bundle/lints.js';
import { lifecycleText, removedResource } from '../../../objects/kubernetes-apis.js';

export const unreadableOpenShiftLimit = defineOlmRule({
  id: 'UnreadableOpenShiftLimit',
  subject: 'ClusterServiceVersion',
  family: 'catalogs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'OLM can read the olm.maxOpenShiftVersion of a ClusterServiceVersion, where it has one.',
  why: 'What OLM cannot read keeps an OpenShift cluster from its next minor version for as long as the operator is installed.',
  otherwise: '… has invalid olm.maxOpenShiftVersion properties: …',
  instead:
    'Set one property olm.maxOpenShiftVersion to <major>.<minor> as a string, such as "4.18".',
  source: from.olm('pkg/controller/operators/openshift/helpers.go', 'maxOpenShiftVersion'),
  example: {
    after: csvUpTo('<cluster_version>'),
    says: 'failed to parse "<cluster_version>" as semver',
    accepted: csvUpTo('4.18'),
  },
  *judge({ object }) {
    const properties = bundleProperties(object);
    const limit = limitOfCsv(object);
    const message =
      properties !== null
        ? limitProblem(properties)
        : limit.kind === 'unreadable'
          ? `OLM cannot read olm.maxOpenShiftVersion and will keep an OpenShift cluster from its next minor version: ${limit.problem}`
          : undefined;
    if (message !== undefined) yield { message, path: '$.metadata.annotations' };
  },
});

const annotated = (value: string): string =>
  annotatedCsv(
    `operatorframework.io/properties: '{"properties":[{"type":"olm.constraint","value":${value}}]}'`,
  );

export const installedConstraints = defineOlmRule({
  id: 'InstalledConstraints',
  subject: 'ClusterServiceVersion',
  family: 'resolution',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'OLM can read each olm.constraint of a ClusterServiceVersion, and reads it as it is meant: what check bundle says of them.',
  why: 'An installed operator is asked for what it depends on at every resolution. One constraint that OLM cannot read stops all installations and upgrades in its namespace.',
  otherwise: 'ErrorPreventedResolution: parse olm.constraint: …',
  instead: 'Mend the constraint in the bundle; its check names the place.',
  source: from.olm('pkg/controller/registry/resolver/source_csvs.go', 'newEntryFromV1Alpha1CSV'),
  messages: { unreadable: 'properties[{index}]: {rule}: {message}' },
  example: {
    after: annotated(
      '{"failureMessage":"needs dogs","package":{"name":"dogs","versionRange":">=1.0.0"}}',
    ),
    says: 'OLM cannot read the constraint: parse olm.constraint: json: unknown field "name"',
    accepted: annotated(
      '{"failureMessage":"needs dogs","package":{"packageName":"dogs","versionRange":">=1.0.0"}}',
    ),
  },
  *judge({ object }) {
    const properties = propertiesOf(bundleProperties(object));
    for (const [index, property] of properties.entries()) {
      if (!isObject(property) || textAt(property, 'type') !== 'olm.constraint') continue;
      const value = own(property, 'value') ?? null;
      for (const found of lintConstraint(value)) {
        yield {
          id: 'unreadable',
          data: { index, rule: found.rule, message: found.message },
          path: '$.metadata.annotations',
          cause: `${found.rule} properties[${index}]`,
          ...(typeof found.fix === 'string' ? { fix: found.fix } : {}),
        };
      }
    }
  },
});

/** @param text JSON, which another rule judges */
function propertiesOf(text: string | null): readonly JsonValue[] {
  if (text === null) return [];
  try {
    const list = parseJson(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

const asking = (group: string): string => `
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: pets }
      spec:
        install:
          spec:
            clusterPermissions:
              - serviceAccountName: cats
                rules: [{ apiGroups: [${group}], resources: [ingresses], verbs: [get] }]`;

export const removedApiPermissions = defineOlmRule({
  id: 'RemovedApiPermissions',
  subject: 'ClusterServiceVersion',
  family: 'catalogs',
  severity: 'warning',
  protects: 'own-namespace',
  checks:
    'The permissions of a ClusterServiceVersion name no API of Kubernetes that is gone in every version.',
  why: 'An operator that asks for such an API most likely still calls it. On a cluster that no longer has it, the operator fails after the cluster’s update, without any warning beforehand.',
  otherwise: 'the server could not find the requested resource (in the operator’s log)',
  instead:
    'Move the operator to the API that took its place, and ask for permissions on that; keep the old one only as long as old clusters are supported, with spec.minKubeVersion set accordingly.',
  source: sources(
    from.kubernetesPages('Deprecated API Migration Guide'),
    from.openShift('Update paths'),
  ),
  messages: { removed: 'asks for {resource} of group {group}, of which every version {gone}' },
  example: {
    after: asking('extensions'),
    says: 'asks for ingresses of group extensions, of which every version is gone since Kubernetes 1.22; use networking.k8s.io/v1 Ingress',
    accepted: asking('networking.k8s.io'),
  },
  *judge({ object }) {
    const seen = new Set<string>();
    for (const list of ['permissions', 'clusterPermissions']) {
      const permissions = objectsAt(object, 'spec', 'install', 'spec', list);
      for (const [index, permission] of permissions.entries()) {
        for (const [at, rule] of objectsAt(permission, 'rules').entries()) {
          const groups = textsAt(rule, 'apiGroups');
          for (const group of groups) {
            for (const resource of textsAt(rule, 'resources')) {
              const gone = removedResource(group, resource);
              // One list of groups for old and new clusters names the resource in both.
              const isElsewhere = groups.some(
                (other) => other !== group && gone?.replacement?.startsWith(`${other}/`),
              );
              if (gone === undefined || isElsewhere || seen.has(`${group}/${resource}`)) continue;
              seen.add(`${group}/${resource}`);
              yield {
                id: 'removed',
                data: { resource, group, gone: lifecycleText(gone) },
                path: `$.spec.install.spec.${list}[${index}].rules[${at}]`,
                cause: `${group}/${resource}`,
              };
            }
          }
        }
      }
    }
  },
});

export const csvContentRules = [
  unreadableOpenShiftLimit,
  installedConstraints,
  removedApiPermissions,
];
