import type { JsonObject } from '../../text/documents/index.js';
import { aNamespace, anObject, describeRule } from './testing/harness.js';
import * as rules from './catalog-source-rules.js';

function aCatalog(spec: JsonObject, template?: string, name = 'c'): JsonObject {
  const catalog = anObject('CatalogSource', name, 'ns', { spec: { sourceType: 'grpc', ...spec } });
  if (template === undefined) return catalog;
  return {
    ...catalog,
    metadata: { name, namespace: 'ns', annotations: { 'olm.catalogImageTemplate': template } },
  };
}
const image = { image: 'example.com/c:v1' };
const follows = 'example.com/c:v{kube_major_version}.{kube_minor_version}';

describeRule(rules.catalogSourceSpec, [
  { when: 'an image', object: aCatalog(image), says: [] },
  { when: 'an address', object: aCatalog({ address: 'c.ns:50051' }), says: [] },
  {
    when: 'neither',
    object: aCatalog({}),
    says: ['error: image and address unset: at least one must be set for sourcetype: grpc'],
  },
  { when: 'a template that fills in the image', object: aCatalog({}, follows), says: [] },
  {
    when: 'a template, version unknown',
    object: aCatalog({}, follows),
    kubernetesVersion: null,
    says: [],
  },
  {
    when: 'a template that does not resolve',
    object: aCatalog({}, 'example.com/c:{foo}'),
    says: ['error: image and address unset'],
  },
  { when: 'a ConfigMap', object: aCatalog({ sourceType: 'configmap', configMap: 'm' }), says: [] },
  {
    when: 'no ConfigMap',
    object: aCatalog({ sourceType: 'internal' }),
    says: ['error: configmap name unset: must be set for sourcetype: internal'],
  },
  {
    when: 'an unknown type',
    object: aCatalog({ sourceType: 'ftp' }),
    says: ['error: unknown sourcetype: ftp'],
  },
]);

const polls = (interval: string, more: JsonObject = image) =>
  aCatalog({ ...more, updateStrategy: { registryPoll: { interval } } });

describeRule(rules.catalogSourcePoll, [
  { when: 'no strategy', object: aCatalog(image), says: [] },
  { when: 'an interval', object: polls('30m0s'), says: [] },
  {
    when: 'a strategy without registryPoll',
    object: aCatalog({ ...image, updateStrategy: {} }),
    says: ["error: updateStrategy without registryPoll crashes OLM's catalog operator"],
  },
  {
    when: 'registryPoll null',
    object: aCatalog({ ...image, updateStrategy: { registryPoll: null } }),
    says: [/^error: updateStrategy without/],
  },
  {
    when: 'no duration',
    object: polls('1d'),
    says: [
      'warning: error parsing spec.updateStrategy.registryPoll.interval. Using the default value of 15m0s instead. Error: time: unknown unit "d" in duration "1d"',
    ],
  },
  {
    when: 'a negative one',
    object: polls('-1m'),
    says: ['warning: registryPoll interval -1m polls with every sync'],
  },
  {
    when: 'no image',
    object: polls('30m', { address: 'a' }),
    says: ['warning: registryPoll has no effect'],
  },
  {
    when: 'a digest',
    object: polls('30m', { image: 'example.com/c@sha256:0' }),
    says: ['warning: registryPoll finds nothing new'],
  },
]);

const mode = (securityContextConfig: string) =>
  aCatalog({ ...image, grpcPodConfig: { securityContextConfig } });
const restricted = aNamespace('ns', { 'pod-security.kubernetes.io/enforce': 'restricted' });

describeRule(rules.catalogSourceSecurity, [
  { when: 'restricted', object: mode('restricted'), cluster: [restricted], says: [] },
  {
    when: 'legacy in an open namespace',
    object: mode('legacy'),
    cluster: [aNamespace('ns')],
    says: [],
  },
  {
    when: 'legacy in a restricted namespace',
    object: mode('legacy'),
    cluster: [restricted],
    says: ['warning: namespace ns enforces the restricted Pod Security Standard'],
  },
  {
    when: 'something else',
    object: mode('open'),
    says: ['warning: securityContextConfig must be legacy or restricted, not open'],
  },
  { when: 'namespaces not in view', object: mode('legacy'), unknown: ['Namespace'], says: [] },
]);

describeRule(rules.catalogSourcePriority, [
  {
    when: 'its own priority',
    object: aCatalog({ ...image, priority: -400 }),
    cluster: [aCatalog({ priority: 1 }, undefined, 'd')],
    says: [],
  },
  { when: 'none', object: aCatalog(image), cluster: [aCatalog(image, undefined, 'd')], says: [] },
  {
    when: 'a tie',
    object: aCatalog({ ...image, priority: 1 }),
    cluster: [aCatalog({ priority: 1 }, undefined, 'd')],
    says: ['warning: d has priority 1 too'],
  },
  {
    when: 'too large',
    object: aCatalog({ ...image, priority: 2 ** 31 }),
    says: ['warning: priority must be an integer'],
  },
]);

describeRule(rules.catalogSourceTemplate, [
  { when: 'resolves', object: aCatalog(image, follows), says: [] },
  { when: 'none', object: aCatalog(image), says: [] },
  { when: 'version unknown', object: aCatalog(image, follows), kubernetesVersion: null, says: [] },
  {
    when: 'an unknown name',
    object: aCatalog(image, 'example.com/c:{foo}'),
    says: [/^warning: UnableToResolve: /],
  },
]);
