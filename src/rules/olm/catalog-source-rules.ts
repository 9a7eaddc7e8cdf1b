import { resolveImageTemplate } from '../../catalogs/image-template.js';
import { readCatalogSource } from '../../olm/catalog-source.js';
import { objectAt, textAt, valueAt } from '../../olm/fields.js';
import { defineRule } from './rule.js';
import { namesText } from './group-review.js';
import { from, sources } from '../source.js';
import { parseDuration } from '../../text/go/index.js';
import { metaOf } from '../../text/documents/index.js';

export const catalogSourceSpec = defineRule({
  name: 'CatalogSourceSpecInvalid',
  kind: 'CatalogSource',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'catalogs',
  prevents:
    'SpecInvalidError: image and address unset: at least one must be set for sourcetype: grpc',
  source: from.olm('pkg/controller/operators/catalog/operator.go', 'validateSourceType'),
  explain:
    'OLM refuses a grpc source without image and address, a configmap source without configMap, and any other source type. Such a catalog is never healthy and blocks the namespaces that see it.',
  *check({ object, view }) {
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

export const catalogSourcePoll = defineRule({
  name: 'CatalogSourceRegistryPoll',
  kind: 'CatalogSource',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'catalogs',
  prevents:
    'panic: invalid memory address or nil pointer dereference (catalog-operator), or: error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead.',
  source: from.olmApi('pkg/operators/v1alpha1/catalogsource_types.go', 'UnmarshalJSON', 'Poll'),
  explain:
    "An updateStrategy without registryPoll makes OLM's decoder read a nil pointer: the catalog operator crashes as often as it starts. That is denied. " +
    'An interval that is no Go duration, or that never or always fires, only warns.',
  *check({ object }) {
    const strategy = objectAt(object, 'spec', 'updateStrategy');
    if (strategy === undefined) return;
    const path = '$.spec.updateStrategy';
    if (objectAt(strategy, 'registryPoll') === undefined) {
      yield {
        message:
          "updateStrategy without registryPoll crashes OLM's catalog operator (nil pointer while decoding)",
        path,
        fix: 'Remove spec.updateStrategy, or set spec.updateStrategy.registryPoll.interval.',
      };
      return;
    }
    const interval = textAt(strategy, 'registryPoll', 'interval') ?? '';
    const duration = parseDuration(interval);
    const { image, sourceType } = readCatalogSource(object);
    const warn = (message: string) => ({
      message,
      severity: 'warning' as const,
      path: `${path}.registryPoll.interval`,
    });
    if ('error' in duration) {
      yield warn(
        `error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead. Error: ${duration.error}`,
      );
    } else if (duration.nanoseconds <= 0n) {
      yield warn(`registryPoll interval ${interval} polls with every sync`);
    }
    if (image === '' || sourceType !== 'grpc') {
      yield warn('registryPoll has no effect: only a grpc source with an image is polled');
    } else if (image.includes('@')) {
      yield warn('registryPoll finds nothing new: the image is named by its digest');
    }
  },
});

export const catalogSourceSecurity = defineRule({
  name: 'CatalogSourceSecurityContext',
  kind: 'CatalogSource',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
  prevents: 'violates PodSecurity "restricted:latest" (the catalog pod is not created)',
  source: from.olm('pkg/controller/registry/reconciler/reconciler.go', 'Pod', 'addSecurityContext'),
  explain:
    'spec.grpcPodConfig.securityContextConfig is legacy or restricted. In a namespace that enforces the restricted Pod Security Standard, a legacy catalog pod is refused, and the catalog stays unhealthy. Catalog images made by old versions of opm need legacy.',
  *check({ object, view }) {
    const { namespace } = readCatalogSource(object);
    const path = '$.spec.grpcPodConfig.securityContextConfig';
    const mode = textAt(object, 'spec', 'grpcPodConfig', 'securityContextConfig') ?? '';
    if (mode !== '' && mode !== 'legacy' && mode !== 'restricted') {
      yield { message: `securityContextConfig must be legacy or restricted, not ${mode}`, path };
      return;
    }
    const found = view.lookUp('Namespace', namespace);
    if (found === undefined || found === null || mode !== 'legacy') return;
    if (metaOf(found).label('pod-security.kubernetes.io/enforce') !== 'restricted') return;
    yield {
      message: `namespace ${namespace} enforces the restricted Pod Security Standard: a legacy catalog pod is refused`,
      path,
    };
  },
});

const largestPriority = 2 ** 31 - 1;

export const catalogSourcePriority = defineRule({
  name: 'CatalogSourcePriority',
  kind: 'CatalogSource',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
  prevents: 'nothing is said: of catalogs with one priority the name decides',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'FindPreferred'),
  explain:
    'Dependencies are taken from the catalog with the highest priority. Of equal ones the catalog of the own namespace, and then the name decides, which is rarely what was meant when a priority was set.',
  *check({ object, view }) {
    if (valueAt(object, 'spec', 'priority') === undefined) return;
    const { name, namespace, priority } = readCatalogSource(object);
    const path = '$.spec.priority';
    if (!Number.isInteger(priority) || Math.abs(priority) > largestPriority) {
      yield {
        message: `priority must be an integer between -${largestPriority} and ${largestPriority}`,
        path,
      };
      return;
    }
    const equals = view
      .catalogsIn(namespace)
      .filter((other) => other.name !== name && other.priority === priority)
      .map((other) => other.name);
    if (equals.length === 0) return;
    yield {
      message: `${namesText(equals)} has priority ${priority} too: the name of the catalog decides`,
      path,
    };
  },
});

export const catalogSourceTemplate = defineRule({
  name: 'CatalogSourceImageTemplate',
  kind: 'CatalogSource',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
  prevents: 'UnableToResolve: cannot construct catalog image …',
  source: sources(
    from.olm('pkg/lib/catalogsource/image_template.go', 'ReplaceTemplates'),
    from.olm('pkg/controller/operators/catalogtemplate/operator.go', 'syncCatalogSources'),
  ),
  explain:
    'olm.catalogImageTemplate knows {kube_major_version}, {kube_minor_version} and {kube_patch_version}; the result must be an image reference. One that does not resolve leaves spec.image as it is.',
  *check({ object, view }) {
    const { imageTemplate, image } = readCatalogSource(object);
    if (imageTemplate === '' || view.kubernetesVersion === null) return;
    const template = resolveImageTemplate(imageTemplate, view.kubernetesVersion, image);
    const failed = template.conditions.find((condition) => condition.status === 'False');
    if (failed === undefined) return;
    yield {
      message: `${failed.reason}: ${failed.message}`,
      path: '$.metadata.annotations["olm.catalogImageTemplate"]',
    };
  },
});
