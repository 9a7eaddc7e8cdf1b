import { catalogSourcePod } from './catalog-source-pod.js';
import { resolveImageTemplate } from '../../../catalogs/image-template.js';
import { readCatalogSource } from '../../../objects/classic-objects.js';
import { from, sources } from '../../../../rule/index.js';
import { defineCatalogSourceRule } from '../rule.js';
import { objectAt, textAt, valueAt } from '../../../../text/documents/fields.js';
import { parseDuration } from '../../../../text/go/index.js';
import { metaOf } from '../../../../text/documents/index.js';
import { exampleCatalogSource } from '../examples.js';

export const catalogSourceSpecInvalid = defineCatalogSourceRule({
  id: 'CatalogSourceSpecInvalid',
  severity: 'error',
  checks:
    'A CatalogSource has what its source type needs: an image or an address for grpc, a ConfigMap for configmap and internal.',
  why: 'OLM refuses any other; such a catalog is never healthy and blocks the namespaces that see it.',
  otherwise:
    'SpecInvalidError: image and address unset: at least one must be set for sourcetype: grpc',
  instead: 'Set spec.image or spec.address for grpc, spec.configMap for configmap and internal.',
  source: from.olm('pkg/controller/operators/catalog/operator.go', 'validateSourceType'),
  example: {
    after:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc } }',
    says: 'image and address unset: at least one must be set for sourcetype: grpc',
    accepted: exampleCatalogSource(),
  },
  *judge({ object, view }) {
    const catalog = readCatalogSource(object);
    const { sourceType } = catalog;
    if (sourceType === 'grpc') {
      // OLM fills in spec.image from a template that resolves.
      const template = resolveImageTemplate(
        catalog.imageTemplate,
        view.kubernetesVersion ?? undefined,
        catalog.image,
      );
      if (template.specImage !== '' || catalog.address !== '') return;
      if (template.participates && view.kubernetesVersion === null) return;
      yield {
        message: 'image and address unset: at least one must be set for sourcetype: grpc',
        path: '$.spec.image',
      };
    } else if (sourceType === 'configmap' || sourceType === 'internal') {
      if (catalog.configMap !== '') return;
      yield {
        message: `configmap name unset: must be set for sourcetype: ${sourceType}`,
        path: '$.spec.configMap',
      };
    } else {
      yield { message: `unknown sourcetype: ${sourceType}`, path: '$.spec.sourceType' };
    }
  },
});

export const catalogSourceRegistryPoll = defineCatalogSourceRule({
  id: 'CatalogSourceRegistryPoll',
  severity: 'error',
  checks:
    'The updateStrategy of a CatalogSource has a registryPoll with an interval that can be polled.',
  why: 'An updateStrategy without registryPoll makes OLM’s decoder read a nil pointer: the catalog operator crashes as often as it starts. An interval that is not a Go duration, or that never or always fires, is a warning.',
  otherwise:
    'panic: invalid memory address or nil pointer dereference (catalog-operator), or: error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead.',
  instead: 'Remove spec.updateStrategy, or set spec.updateStrategy.registryPoll.interval.',
  source: from.olmApi('pkg/operators/v1alpha1/catalogsource_types.go', 'UnmarshalJSON', 'Poll'),
  messages: {
    noRegistryPoll:
      "updateStrategy without registryPoll crashes OLM's catalog operator (nil pointer while decoding)",
    unreadable:
      'error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead. Error: {error}',
    everySync: 'registryPoll interval {interval} polls with every sync',
    noImage: 'registryPoll has no effect: only a grpc source with an image is polled',
    digest: 'registryPoll finds nothing new: the image is named by its digest',
  },
  example: {
    after: exampleCatalogSource('updateStrategy: {}'),
    says: "updateStrategy without registryPoll crashes OLM's catalog operator",
    accepted: exampleCatalogSource('updateStrategy: { registryPoll: { interval: 30m } }'),
  },
  *judge({ object }) {
    const strategy = objectAt(object, 'spec', 'updateStrategy');
    if (strategy === undefined) return;
    const path = '$.spec.updateStrategy';
    if (objectAt(strategy, 'registryPoll') === undefined) {
      yield {
        id: 'noRegistryPoll',
        path,
        fix: 'Remove spec.updateStrategy, or set spec.updateStrategy.registryPoll.interval.',
      };
      return;
    }
    const interval = textAt(strategy, 'registryPoll', 'interval') ?? '';
    const duration = parseDuration(interval);
    const { image, sourceType } = readCatalogSource(object);
    const beside = { severity: 'warning', path: `${path}.registryPoll.interval` } as const;
    if ('error' in duration) {
      yield { id: 'unreadable', data: { error: duration.error }, ...beside };
    } else if (duration.nanoseconds <= 0n) {
      yield { id: 'everySync', data: { interval }, ...beside };
    }
    if (image === '' || sourceType !== 'grpc') {
      yield { id: 'noImage', ...beside };
    } else if (image.includes('@')) {
      yield { id: 'digest', ...beside };
    }
  },
});

/** A cluster that is not asked has some version. */
const anyVersion = 'v1.30.0';

export const catalogSourceImageTemplate = defineCatalogSourceRule({
  id: 'CatalogSourceImageTemplate',
  aliases: ['CatalogImageTemplate'],
  severity: 'warning',
  checks: 'The image template of a CatalogSource resolves to an image reference.',
  why: 'olm.catalogImageTemplate knows {kube_major_version}, {kube_minor_version} and {kube_patch_version}. One that does not resolve leaves spec.image as it is.',
  otherwise: 'UnableToResolve: cannot construct catalog image …',
  instead: 'Use only {kube_major_version}, {kube_minor_version} and {kube_patch_version}.',
  source: sources(
    from.olm('pkg/lib/catalogsource/image_template.go', 'ReplaceTemplates'),
    from.olm('pkg/controller/operators/catalogtemplate/operator.go', 'syncCatalogSources'),
  ),
  example: {
    after: exampleCatalogSource('', {
      annotations: "olm.catalogImageTemplate: 'example.com/community:{minor}'",
    }),
    says: 'UnableToResolve: ',
    accepted: exampleCatalogSource('', {
      annotations:
        "olm.catalogImageTemplate: 'example.com/community:v{kube_major_version}.{kube_minor_version}'",
    }),
  },
  *judge({ object, view }) {
    const { imageTemplate, image } = readCatalogSource(object);
    if (imageTemplate === '') return;
    // Whether a template can be an image at all does not depend on the version that fills it in.
    const version = view.kubernetesVersion ?? anyVersion;
    const template = resolveImageTemplate(imageTemplate, version, image);
    const failed = template.conditions.find((condition) => condition.status === 'False');
    if (failed === undefined) return;
    const assumed = view.kubernetesVersion === null ? ` (as if Kubernetes were ${anyVersion})` : '';
    yield {
      message: `${failed.reason}: ${failed.message}${assumed}`,
      path: '$.metadata.annotations["olm.catalogImageTemplate"]',
    };
  },
});

export const catalogSourceSecurityContext = defineCatalogSourceRule({
  id: 'CatalogSourceSecurityContext',
  severity: 'warning',
  checks:
    'The security context of a CatalogSource is legacy or restricted, and its namespace admits it.',
  withoutNames: 'the Pod Security Standard of its namespace refuses its pod',
  why: 'In a namespace that enforces the restricted Pod Security Standard a legacy catalog pod is refused, and the catalog stays unhealthy. Catalog images made by old versions of opm need legacy.',
  otherwise: 'violates PodSecurity "restricted:latest" (the catalog pod is not created)',
  instead:
    'Set restricted and build the catalog image with a current opm, or keep the catalog in a namespace that admits legacy.',
  source: from.olm('pkg/controller/registry/reconciler/reconciler.go', 'Pod', 'addSecurityContext'),
  messages: {
    unknownMode: 'securityContextConfig must be legacy or restricted, not {mode}',
    legacy:
      'namespace {namespace} enforces the restricted Pod Security Standard: a legacy catalog pod is refused',
    unset:
      'namespace {namespace} enforces the restricted Pod Security Standard, and securityContextConfig is unset: an OLM for which that means legacy makes a pod that is refused, a later one makes a restricted pod; say which',
  },
  example: {
    before:
      '{ kind: Namespace, metadata: { name: olm, labels: { pod-security.kubernetes.io/enforce: restricted } } }',
    after: exampleCatalogSource('grpcPodConfig: { securityContextConfig: legacy }'),
    says: 'namespace olm enforces the restricted Pod Security Standard',
    accepted: exampleCatalogSource('grpcPodConfig: { securityContextConfig: restricted }'),
  },
  *judge({ object, view }) {
    const { namespace } = readCatalogSource(object);
    const path = '$.spec.grpcPodConfig.securityContextConfig';
    const mode = textAt(object, 'spec', 'grpcPodConfig', 'securityContextConfig') ?? '';
    if (mode !== '' && mode !== 'legacy' && mode !== 'restricted') {
      yield { id: 'unknownMode', data: { mode }, path };
      return;
    }
    const found = view.lookUp('Namespace', namespace);
    if (found === undefined || found === null || mode === 'restricted') return;
    if (metaOf(found).label('pod-security.kubernetes.io/enforce') !== 'restricted') return;
    yield { id: mode === 'legacy' ? 'legacy' : 'unset', data: { namespace }, path };
  },
});

const largestPriority = 2 ** 31 - 1;

export const catalogSourcePriority = defineCatalogSourceRule({
  id: 'CatalogSourcePriority',
  severity: 'warning',
  checks:
    'The priority of a CatalogSource is an integer that no other catalog of the namespace has.',
  withoutNames: 'another catalog has the same priority',
  why: 'Dependencies are taken from the catalog with the highest priority. Of equal ones the catalog of the own namespace, and then the name decides, which is rarely what was meant when a priority was set.',
  otherwise: 'OLM reports no error: of catalogs with one priority the name decides',
  instead: 'Give each catalog of the namespace a priority of its own.',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'FindPreferred'),
  messages: {
    outOfRange: 'priority must be an integer between -{largestPriority} and {largestPriority}',
    samePriority: '{equals} has priority {priority} too: the name of the catalog decides',
  },
  example: {
    before: exampleCatalogSource('priority: 10', { name: 'certified' }),
    after: exampleCatalogSource('priority: 10'),
    says: 'certified has priority 10 too: the name of the catalog decides',
    accepted: exampleCatalogSource('priority: 5'),
  },
  *judge({ object, view }) {
    if (valueAt(object, 'spec', 'priority') === undefined) return;
    const { name, namespace, priority } = readCatalogSource(object);
    const path = '$.spec.priority';
    if (!Number.isInteger(priority) || Math.abs(priority) > largestPriority) {
      yield { id: 'outOfRange', data: { largestPriority }, path };
      return;
    }
    const equals = view
      .catalogsIn(namespace)
      .filter((other) => other.name !== name && other.priority === priority)
      .map((other) => other.name);
    if (equals.length === 0) return;
    yield { id: 'samePriority', data: { equals, priority }, path };
  },
});

export const catalogSourceRules = [
  catalogSourceSpecInvalid,
  catalogSourcePod,
  catalogSourceRegistryPoll,
  catalogSourceImageTemplate,
  catalogSourceSecurityContext,
  catalogSourcePriority,
];
