import { from } from '../../../rule/index.js';
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import { droppedFields } from '../../crd/narrower.js';
import { isObject, own, type JsonObject } from '../../../text/documents/index.js';
import type { ChangedField } from '../../crd/difference.js';
import { requiredOf } from './field-now-optional.js';
import { defineContractRule, type ContractPair, type ContractRule } from './rule.js';

/** @param readers the rules about values that a reader does not know */
export const servedVersionAdded = (readers: readonly ContractRule[]) =>
  defineContractRule({
    id: 'ServedVersionAdded',
    audience: 'clients',
    fields: ['spec.versions[].name', 'spec.versions[].served'],
    checks:
      'A version is served from now on whose schema does not hold what another version stores; with a conversion webhook, that the converter has to carry it.',
    why: 'A converter that leaves out a field deletes it from stored objects, and no definition shows whether it does: olm-guard roundtrip asks it. With conversion None only the apiVersion changes. Reads through the new version lack the fields that it does not declare, and an update through it deletes them; values that its schema refuses make every update through it fail; what only the new version declares is pruned before it is stored.',
    otherwise: 'Widget.example.com "example" is invalid: spec.size: Invalid value: 20',
    instead:
      'Serve versions whose schemas accept the same objects, or convert between them by a webhook.',
    source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
    messages: {
      drops:
        'version "{version}" is served from now on, and does not hold all that is stored as "{stored}": it drops {dropped}',
      refuses:
        'version "{version}" is served from now on, and does not hold all that is stored as "{stored}": it may refuse {refused}',
      dropsAndRefuses:
        'version "{version}" is served from now on, and does not hold all that is stored as "{stored}": it drops {dropped}, and may refuse {refused}',
      loses:
        'version "{version}" is served from now on, and "{storage}", which is stored, does not have {fields}: what is written there is lost',
      unasked:
        'version "{version}" is served from now on, and does not have {dropped}, which "{stored}" stores: the conversion webhook has to carry it, and was not asked',
    },
    example: {
      before:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }] }',
      after:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }, { name: v2, served: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer, maximum: 10 } } } } }] }',
      says: 'version "v2" is served from now on, and does not hold all that is stored as "v1": it drops ^.color, and may refuse ^.size (maximum)',
      accepted:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }, { name: v2, served: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }] }',
    },
    *compare(pair) {
      const { old, next } = pair;
      const isConverted = next.convertsByWebhook;
      const storage = next.storage;
      for (const version of next.versions) {
        if (!version.served || old.version(version.name)?.served === true) continue;
        const place = { side: 'new', keys: ['spec', 'versions', version.index] } as const;
        for (const stored of storedVersionsOf(old)) {
          if (stored.name === version.name) continue;
          const dropped = droppedFields(stored.schema, version.schema);
          const refused = isConverted ? [] : [...unknownTo(version, stored, pair, readers)];
          if (dropped.length + refused.length === 0) continue;
          if (isConverted) {
            const data = { version: version.name, stored: stored.name, dropped };
            yield { id: 'unasked', data, version: version.name, place, isMild: true };
            continue;
          }
          yield {
            id:
              refused.length === 0 ? 'drops' : dropped.length === 0 ? 'refuses' : 'dropsAndRefuses',
            data: { version: version.name, stored: stored.name, dropped, refused },
            version: version.name,
            place,
          };
        }
        const unstored =
          isConverted || storage === undefined || storage === version
            ? []
            : droppedFields(version.schema, storage.schema);
        if (unstored.length === 0) continue;
        const data = { version: version.name, storage: storage?.name ?? '', fields: unstored };
        yield { id: 'loses', data, version: version.name, place };
      }
    },
  });

function storedVersionsOf(definition: CustomResourceDefinition): readonly DefinitionVersion[] {
  const { storedVersions, versions } = definition;
  return versions.filter(({ name, storage }) => storage || storedVersions.includes(name));
}

/** Fields whose stored values a reader may not know, with the keywords that differ. */
function* unknownTo(
  reader: DefinitionVersion,
  stored: DefinitionVersion,
  { old, next, heard, between }: ContractPair,
  readers: readonly ContractRule[],
): Generator<string> {
  const differing = between(reader, stored).filter((field) => !isFilled(field));
  const shared = [{ old: reader, new: stored }];
  const changed = differing.map((field) => ({ old: reader, new: stored, field }));
  const keywords = new Map(
    differing.map(({ path, keywords: all }) => [
      path,
      [...all].filter((keyword) => keyword !== 'description').sort(),
    ]),
  );
  const paths = new Set<string>();
  for (const rule of readers) {
    for (const { path } of rule.compare({
      old,
      next,
      heard,
      between,
      shared,
      changed,
      removed: [],
    })) {
      if (path !== undefined) paths.add(path);
    }
  }
  for (const path of paths) yield `${path} (${keywords.get(path)?.join(', ') ?? 'schema'})`;
}

/** Whether it differs only in fields that the reader requires and sets by a default. */
function isFilled({ keywords, old, new: stored }: ChangedField): boolean {
  if ([...keywords].some((keyword) => keyword !== 'required')) return false;
  const properties = own(old, 'properties') ?? null;
  const known = requiredOf(stored);
  return requiredOf(old)
    .filter((name) => !known.includes(name))
    .every((name) => {
      const field = isObject(properties) ? own(properties, name) : undefined;
      return isObject(field ?? null) && (own(field as JsonObject, 'default') ?? null) !== null;
    });
}
