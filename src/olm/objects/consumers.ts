/** Finds consumers of a definition and their needs: objects of a cluster or of a repository, one at a time. */
import { documentOf, metaOf, type JsonObject } from '../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import {
  collectCrds,
  fieldsOfObject,
  fieldsOfVersion,
  preferred,
  readRequirement,
  type Consumer,
  type CustomResourceDefinition,
  type FieldPath,
  type ConsumerNeed,
} from '../../upgrade/index.js';
import { crdDescriptions } from './classic-objects.js';

export interface NeededDefinition {
  /** `widgets.example.com` */
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

export function neededDefinition({ name, document }: CustomResourceDefinition): NeededDefinition {
  return {
    name,
    group: textAt(document, 'spec', 'group') ?? '',
    plural: textAt(document, 'spec', 'names', 'plural') ?? '',
    kind: textAt(document, 'spec', 'names', 'kind') ?? '',
  };
}

/** A ClusterServiceVersion that owns the definition has none: it changes with it. @throws InvalidInputError */
export function consumerOf(
  object: JsonObject,
  definition: NeededDefinition,
): Omit<Consumer, 'name'> | undefined {
  const [group = '', version] = (textAt(object, 'apiVersion') ?? '').split('/');
  const kind = textAt(object, 'kind') ?? '';
  const reader = readers.get(`${kind}.${group}`);
  if (reader !== undefined) {
    const read = reader(object, definition);
    return read.needs.length === 0 && read.requirement === undefined ? undefined : read;
  }
  if (kind !== definition.kind || group !== definition.group || version === undefined) return;
  return { needs: [{ version, fields: fieldsOfObject(object) }] };
}

/** `ClusterServiceVersion shop/shop.v1` */
export function consumerName(object: JsonObject): string {
  const { name, namespace } = metaOf(object);
  const path = namespace === '' ? name : `${namespace}/${name}`;
  return `${textAt(object, 'kind') ?? ''} ${path}`;
}

type Read = Omit<Consumer, 'name'>;
type Reader = (object: JsonObject, definition: NeededDefinition) => Read;

const rbac = 'rbac.authorization.k8s.io';
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['ClusterServiceVersion.operators.coreos.com', readCsv],
  [
    'CompatibilityRequirement.apiextensions.openshift.io',
    (object, { name }) => {
      const requirement = readRequirement(object, name);
      return { needs: [], ...(requirement && { requirement }) };
    },
  ],
  ['CustomResourceDefinition.apiextensions.k8s.io', readShipped],
  ['HorizontalPodAutoscaler.autoscaling', readAutoscaler],
  [`ClusterRole.${rbac}`, readRole],
  [`Role.${rbac}`, readRole],
]);

function readCsv(csv: JsonObject, definition: NeededDefinition): Read {
  const required = requiredCrds(csv).filter((each) => textAt(each, 'name') === definition.name);
  return {
    needs: required.map((each) => ({
      version: textAt(each, 'version') ?? '',
      fields: ['spec', 'status'].flatMap((section) =>
        objectsAt(each, `${section}Descriptors`).map((one) =>
          pathOfDescriptor(section, textAt(one, 'path') ?? ''),
        ),
      ),
    })),
  };
}

/** `spec.customresourcedefinitions.required`, without those that it owns too. */
function requiredCrds(csv: JsonObject): JsonObject[] {
  const owned = new Set(crdDescriptions(csv, 'owned').map(({ name }) => name));
  return objectsAt(csv, 'spec', 'customresourcedefinitions', 'required').filter(
    (each) => !owned.has(textAt(each, 'name') ?? ''),
  );
}

/** By what a ClusterServiceVersion that requires a version of a definition is found: `widgets.example.com/v1`. */
export function requiredVersions(csv: JsonObject): string[] {
  return requiredCrds(csv).map(
    (each) => `${textAt(each, 'name') ?? ''}/${textAt(each, 'version') ?? ''}`,
  );
}

/** By what a role with rights to a subresource is found, whatever the group: `widgets/scale`. */
export function grantedSubresources(role: JsonObject): string[] {
  const resources = grantingRules(role).flatMap((rule) => textsAt(rule, 'resources'));
  return [...new Set(resources.filter((each) => /\/(?:status|scale)$/.test(each)))];
}

/** None of a role that OLM made of a ClusterServiceVersion, or that an API server has gathered from others. */
function grantingRules(role: JsonObject): JsonObject[] {
  const isMade = [...metaOf(role).labels.keys()].some((name) => name.startsWith('olm.'));
  const isGathered = objectAt(role, 'aggregationRule') !== undefined;
  return isMade || isGathered ? [] : objectsAt(role, 'rules');
}

/** Of `a[0].b` the fields `a` and `b`: items are no step. */
function pathOfDescriptor(section: string, path: string): FieldPath {
  return [section, ...path.replaceAll(/\[[^\]]*\]/g, '').split('.')].filter((name) => name !== '');
}

/** A right to a subresource; wildcards say nothing of what is used, and RBAC takes `widgets/*` at its word. */
function readRole(role: JsonObject, { group, plural }: NeededDefinition): Read {
  const resources = grantingRules(role)
    .filter((rule) => textsAt(rule, 'apiGroups').includes(group))
    .flatMap((rule) => textsAt(rule, 'resources'));
  const needs = (['status', 'scale'] as const).filter((name) =>
    resources.includes(`${plural}/${name}`),
  );
  return { needs: needs.map((subresource) => ({ subresource })), by: 'rights' };
}

/** In the preferred version. Source: kubernetes `reconcileAutoscaler`, client-go scale `pathAndVersionFor`. */
function readAutoscaler(autoscaler: JsonObject, { group, kind }: NeededDefinition): Read {
  const target = objectAt(autoscaler, 'spec', 'scaleTargetRef');
  const [ofTarget, version] = (textAt(target, 'apiVersion') ?? '').split('/');
  const isIt = ofTarget === group && textAt(target, 'kind') === kind && version !== undefined;
  return { needs: isIt ? [{ version: preferred, subresource: 'scale' }] : [] };
}

/** The definition as another bundle or repository ships it: what it serves is what its programs use. */
function readShipped(crd: JsonObject, definition: NeededDefinition): Read {
  if (metaOf(crd).name !== definition.name) return { needs: [] };
  const [found] = collectCrds([documentOf(crd)]).crds.values();
  return { needs: found === undefined ? [] : needsOfDefinition(found.crd) };
}

function needsOfDefinition(crd: CustomResourceDefinition): ConsumerNeed[] {
  return crd.versions
    .filter(({ served }) => served)
    .flatMap((version) => {
      const { name } = version;
      const subresources = (['status', 'scale'] as const).filter(
        (each) => objectAt(version.document, 'subresources', each) !== undefined,
      );
      return [
        { version: name, fields: fieldsOfVersion(version) },
        ...subresources.map((subresource) => ({ version: name, subresource })),
      ];
    });
}
