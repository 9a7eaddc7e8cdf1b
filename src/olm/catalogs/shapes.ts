/** Sources: operator-registry `alpha/declcfg`, `alpha/property`; operator-framework/api `v1alpha1`. */
import {
  bool,
  bytes,
  integer,
  list,
  map,
  named,
  raw,
  struct,
  text,
} from '../../text/go/decode-json.js';
import type { Shape } from '../../text/go/index.js';

const property = struct('property.Property', { type: text, value: raw });
const properties = list(property);

export const packageShape = struct('declcfg.Package', {
  schema: text,
  name: text,
  defaultChannel: text,
  icon: struct('declcfg.Icon', { base64data: bytes, mediatype: text }),
  description: text,
  properties,
});

export const channelShape = struct('declcfg.Channel', {
  schema: text,
  name: text,
  package: text,
  entries: list(
    struct('declcfg.ChannelEntry', {
      name: text,
      replaces: text,
      skips: list(text),
      skipRange: text,
    }),
  ),
  properties,
});

export const bundleShape = struct('declcfg.Bundle', {
  schema: text,
  name: text,
  package: text,
  image: text,
  properties,
  relatedImages: list(struct('declcfg.RelatedImage', { name: text, image: text })),
});

export const deprecationShape = struct('declcfg.Deprecation', {
  schema: text,
  package: text,
  entries: list(
    struct('declcfg.DeprecationEntry', {
      reference: struct('declcfg.PackageScopedReference', { schema: text, name: text }),
      message: text,
    }),
  ),
});

const descriptor = (name: string): Shape =>
  struct(`v1alpha1.${name}`, {
    path: text,
    displayName: text,
    description: text,
    'x-descriptors': list(text),
    value: raw,
  });

const described = {
  displayName: text,
  description: text,
  resources: list(
    struct('v1alpha1.APIResourceReference', { name: text, kind: text, version: text }),
  ),
  statusDescriptors: list(descriptor('StatusDescriptor')),
  specDescriptors: list(descriptor('SpecDescriptor')),
  actionDescriptors: list(descriptor('ActionDescriptor')),
};

const crdDescriptions = list(
  struct('v1alpha1.CRDDescription', { name: text, version: text, kind: text, ...described }),
);

const apiServiceDescriptions = list(
  struct('v1alpha1.APIServiceDescription', {
    name: text,
    group: text,
    version: text,
    kind: text,
    deploymentName: text,
    containerPort: integer('int32'),
    ...described,
  }),
);

const link = struct('v1alpha1.AppLink', { name: text, url: text });

const csvMetadata = struct('property.CSVMetadata', {
  annotations: map(text),
  apiServiceDefinitions: struct('v1alpha1.APIServiceDefinitions', {
    owned: apiServiceDescriptions,
    required: apiServiceDescriptions,
  }),
  crdDescriptions: struct('v1alpha1.CustomResourceDefinitions', {
    owned: crdDescriptions,
    required: crdDescriptions,
  }),
  description: text,
  displayName: text,
  installModes: list(
    struct('v1alpha1.InstallMode', { type: named('v1alpha1.InstallModeType'), supported: bool }),
  ),
  keywords: list(text),
  labels: map(text),
  links: list(link),
  maintainers: list(struct('v1alpha1.Maintainer', { name: text, email: text })),
  maturity: text,
  minKubeVersion: text,
  nativeAPIs: list(struct('v1.GroupVersionKind', { group: text, version: text, kind: text })),
  provider: link,
});

export const packagePropertyShape = struct('property.Package', {
  packageName: text,
  version: text,
  release: text,
});

/** Property types that the reference parses; all others are kept as they are. */
export const propertyShapes: ReadonlyMap<string, Shape> = new Map([
  ['olm.package', packagePropertyShape],
  [
    'olm.package.required',
    struct('property.PackageRequired', { packageName: text, versionRange: text }),
  ],
  ['olm.gvk', struct('property.GVK', { group: text, kind: text, version: text })],
  ['olm.gvk.required', struct('property.GVKRequired', { group: text, kind: text, version: text })],
  ['olm.bundle.object', struct('property.BundleObject', { data: bytes })],
  ['olm.csv.metadata', csvMetadata],
  ['olm.channel', struct('property.Channel', { channelName: text, priority: integer('int') })],
]);
