/** Judges what consumers of a definition lose by its upgrade. */
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import {
  hasField,
  preferred,
  type Consumer,
  type FieldPath,
  type Need,
  hasSubresource,
  preferredVersion,
  type Subresource,
  type Requirement,
} from './consumer.js';
import {
  consumerFieldRemoved,
  consumerSubresourceRemoved,
  consumerVersionRemoved,
  compatibilityRequirementUnmet,
} from './rules.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import { locationOf } from '../../crd/place.js';
import { Upgrade } from '../../crd/upgrade.js';
import { noExistingFieldRemoved } from '../crd/definitions.js';
import { olmReference } from '../crd/olm-v1.js';

/** Without an old definition, and for a CompatibilityRequirement, all needs that are not satisfied. */
export function judgeConsumers(
  old: CustomResourceDefinition | undefined,
  next: CustomResourceDefinition,
  consumers: readonly Consumer[],
): Finding[] {
  return consumers.flatMap((consumer) => [
    ...consumer.needs.flatMap((need) => missing(old, next, need, consumer)),
    ...(consumer.requirement ? judgeRequirement(consumer.requirement, next, consumer.name) : []),
  ]);
}

function missing(
  old: CustomResourceDefinition | undefined,
  next: CustomResourceDefinition,
  need: Need,
  consumer: Consumer,
): Finding[] {
  const { version, subresource } = need;
  if (version === preferred) {
    return subresource === undefined ? [] : goneFromPreferred(old, next, subresource, consumer);
  }
  const names =
    version === undefined
      ? (old ?? next).versions.filter(({ served }) => served).map(({ name }) => name)
      : [version];
  return names.flatMap((name) => {
    const before = old?.version(name);
    if (old !== undefined && before?.served !== true) return [];
    const after = next.version(name);
    if (after?.served !== true) {
      // A consumer that takes every version can use another one.
      return version === undefined ? [] : [versionGone(name, after, consumer)];
    }
    return [
      ...goneFields(before, after, need.fields ?? [], consumer),
      ...goneSubresource(before, after, need, consumer),
    ];
  });
}

function versionGone(
  version: string,
  after: DefinitionVersion | undefined,
  consumer: Consumer,
): Finding {
  const data = { consumer: consumer.name, version };
  const keys = ['spec', 'versions', ...(after === undefined ? [] : [after.index, 'served'])];
  return consumerVersionRemoved.finding({ id: 'gone', data, version, [foundAt]: { keys } });
}

function goneFields(
  before: DefinitionVersion | undefined,
  after: DefinitionVersion,
  fields: readonly FieldPath[],
  consumer: Consumer,
): Finding[] {
  const gone = new Set<string>();
  return fields.flatMap((path) => {
    if (path.some((_, end) => gone.has(JSON.stringify(path.slice(0, end))))) return [];
    if (before !== undefined && !hasField(before, path)) return [];
    if (hasField(after, path)) return [];
    gone.add(JSON.stringify(path));
    const field = path.join('.');
    const version = after.name;
    const data = { consumer: consumer.name, field, version };
    const keys = [
      ...['spec', 'versions', after.index, 'schema', 'openAPIV3Schema'],
      ...path.flatMap((name) => ['properties', name]),
    ];
    const at = { version, path: `^.${field}`, [foundAt]: { keys } };
    return [consumerFieldRemoved.finding({ id: 'gone', data, ...at })];
  });
}

function goneFromPreferred(
  old: CustomResourceDefinition | undefined,
  next: CustomResourceDefinition,
  subresource: Subresource,
  consumer: Consumer,
): Finding[] {
  const before = old && preferredVersion(old.versions);
  if (old !== undefined && !hasSubresource(before, subresource)) return [];
  const after = preferredVersion(next.versions);
  if (after === undefined) {
    return before === undefined
      ? []
      : [versionGone(before.name, next.version(before.name), consumer)];
  }
  if (after.name === before?.name) return goneSubresource(before, after, { subresource }, consumer);
  if (hasSubresource(after, subresource)) return [];
  const data = { consumer: consumer.name, subresource, version: after.name };
  const at = { version: after.name, [foundAt]: { keys: ['spec', 'versions', after.index] } };
  return [consumerSubresourceRemoved.finding({ id: 'notPreferred', data, ...at })];
}

function goneSubresource(
  before: DefinitionVersion | undefined,
  after: DefinitionVersion,
  { subresource }: Need,
  consumer: Consumer,
): Finding[] {
  if (subresource === undefined || hasSubresource(after, subresource)) return [];
  if (before !== undefined && !hasSubresource(before, subresource)) return [];
  const version = after.name;
  const data = { consumer: consumer.name, subresource, version };
  const isRight = consumer.by === 'rights';
  const finding = consumerSubresourceRemoved.finding({
    id: isRight ? 'mayBeUsed' : 'gone',
    data,
    version,
    severity: isRight ? 'warning' : 'error',
    [foundAt]: { keys: ['spec', 'versions', after.index, 'subresources', subresource] },
  });
  return [finding];
}

/** The old definition does not matter. Source: openshift/cluster-capi-operator 409c6b4, `pkg/crdchecker`. */
function judgeRequirement(
  { action, definition }: Requirement,
  next: CustomResourceDefinition,
  consumer: string,
): Finding[] {
  const severity = action === 'Warn' ? 'warning' : 'error';
  const rule = compatibilityRequirementUnmet;
  const versions = definition.versions
    .filter(({ name, served }) => served && next.version(name)?.served !== true)
    .map(({ name: version }): Finding => {
      const data = { consumer, version };
      const index = next.version(version)?.index;
      const keys = ['spec', 'versions', ...(index === undefined ? [] : [index, 'served'])];
      return rule.finding({ id: 'version', data, version, severity, [foundAt]: { keys } });
    });
  const gone = new Set<string>();
  const removed = noExistingFieldRemoved.compare(new Upgrade(definition, next, olmReference));
  const fields = removed.flatMap(({ version = '', path, fields: count = 1, place }): Finding[] => {
    const at = { version, severity, [foundAt]: locationOf(place) } as const;
    if (path === undefined) {
      const data = { consumer, version, count };
      return [rule.finding({ id: 'fields', data, ...at })];
    }
    // A removed field is reported once, without the fields below it.
    const upTo = (end: number): string => `${version}${path.slice(0, end)}`;
    const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
    gone.add(upTo(path.length));
    if (ends.some((end) => gone.has(upTo(end)))) return [];
    const data = { consumer, version, field: path.replace(/^\^\.?/, '') };
    return [rule.finding({ id: 'field', data, path, ...at })];
  });
  return [...versions, ...fields];
}
