import { from } from '../../../rule/index.js';
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import { droppedFields } from '../../crd/narrower.js';
import { isObject, own, type JsonObject } from '../../../text/documents/index.js';
import type { ChangedField } from '../../crd/difference.js';
import { requiredOf } from './readers.js';
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
        '{served} from now on, without holding all that is stored as {stored}: it drops {dropped}',
      refuses:
        '{served} from now on, without holding all that is stored as {stored}: it may refuse {refused}',
      dropsAndRefuses:
        '{served} from now on, without holding all that is stored as {stored}: it drops {dropped}, and may refuse {refused}',
      loses:
        '{served} from now on, and {stored}, which is stored, does not have {dropped}: what is written there is lost',
      unasked:
        '{served} from now on, without {dropped}, which is stored as {stored}: the conversion webhook has to carry it, and was not asked',
    },
    example: {
      before:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }] }',
      after:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }, { name: v2, served: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer, maximum: 10 } } } } }] }',
      says: 'version "v2" is served from now on, without holding all that is stored as "v1": it drops ^.color, and may refuse ^.size (maximum)',
      accepted:
        'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }, { name: v2, served: true, schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer }, color: { type: string } } } } }] }',
    },
    *compare(pair) {
      const { old, next } = pair;
      const isConverted = next.convertsByWebhook;
      const told = new Map<string, Difference>();
      const tell = (id: Difference['id'], version: DefinitionVersion, of: Told): void => {
        const { stored, ...fields } = of;
        const key = JSON.stringify([id, fields]);
        const same = told.get(key) ?? { id, ...fields, versions: new Set(), stored: new Set() };
        same.versions.add(version);
        same.stored.add(stored);
        told.set(key, same);
      };
      for (const version of next.versions) {
        if (!version.served || old.version(version.name)?.served === true) continue;
        for (const stored of storedVersionsOf(old)) {
          if (stored.name === version.name) continue;
          const dropped = droppedFields(stored.schema, version.schema);
          const refused = isConverted ? [] : [...unknownTo(version, stored, pair, readers)];
          if (dropped.length + refused.length === 0) continue;
          const id =
            refused.length === 0 ? 'drops' : dropped.length === 0 ? 'refuses' : 'dropsAndRefuses';
          tell(isConverted ? 'unasked' : id, version, { stored: stored.name, dropped, refused });
        }
        const { storage } = next;
        if (isConverted || storage === undefined || storage === version) continue;
        const dropped = droppedFields(version.schema, storage.schema);
        if (dropped.length > 0)
          tell('loses', version, { stored: storage.name, dropped, refused: [] });
      }
      for (const { id, versions, stored, dropped, refused } of told.values()) {
        const [first] = versions;
        if (first === undefined) continue;
        const names = quoted([...versions].map(({ name }) => name));
        const data = {
          served: versions.size > 1 ? `versions ${names} are served` : `version ${names} is served`,
          stored: quoted([...stored]),
          dropped,
          refused,
        };
        const place = { side: 'new', keys: ['spec', 'versions', first.index] } as const;
        const isMild = id === 'unasked' ? ({ isMild: true } as const) : {};
        yield { id, data, version: first.name, place, ...isMild };
      }
    },
  });

interface Told {
  readonly stored: string;
  readonly dropped: readonly string[];
  readonly refused: readonly string[];
}

/** One difference that several new versions share, against several stored ones. */
interface Difference extends Omit<Told, 'stored'> {
  readonly id: 'drops' | 'refuses' | 'dropsAndRefuses' | 'loses' | 'unasked';
  readonly versions: Set<DefinitionVersion>;
  readonly stored: Set<string>;
}

/** `"v1"`, or `"v1" and "v2"`. */
function quoted(names: readonly string[]): string {
  const all = names.map((name) => `"${name}"`);
  return [...(all.length > 1 ? [all.slice(0, -1).join(', ')] : []), ...all.slice(-1)].join(' and ');
}

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
