/**
 * Validates a definition as the API server of one minor does.
 *
 * Source: ValidateCustomResourceDefinition and its update of
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, and
 * pkg/registry/customresourcedefinition/strategy.go.
 */
import {
  child,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../apiserver/field-error.js';
import { subdomainName, validateMeta, validateMetaUpdate } from '../apiserver/meta-validation.js';
import { label1035Problems } from '../../text/formats/names.js';
import type { JsonObject } from '../../text/documents/index.js';
import { conversionErrors } from './conversion.js';
import {
  schemasOf,
  type Definition,
  type Validation,
  ofCreate,
  type Requirements,
} from './custom-resource-definition.js';
import type { ServerTraits } from './minors.js';
import {
  approvalErrors,
  definitionNameProblems,
  groupErrors,
  missingNames,
  nameErrors,
  columnErrors,
  deprecationErrors,
  selectableFieldErrors,
  subresourceErrors,
} from './version-parts.js';
import { expressionErrors } from './expressions.js';
import type { JudgedSchemas } from './judged-schema.js';
import { StoredExpressions, UpdateRequirements } from './ratcheting.js';
import { usedKeywords, type SchemaNode } from '../apiserver/schema.js';
import { holds } from './schema-walk.js';
import { append } from '../../text/long-lists.js';

/** Facts about both definitions that servers of all minors share. */
export interface KnownOfPair {
  readonly schemas: JudgedSchemas;
  readonly stored: StoredExpressions | undefined;
}

/**
 * @param old the stored definition, where there is one
 */
export function validate(
  definition: Definition,
  old: Definition | undefined,
  traits: ServerTraits,
  { schemas, stored }: KnownOfPair,
): FieldError[] {
  const requirements =
    old === undefined
      ? ofCreate
      : new UpdateRequirements(definition, old, stored ?? new StoredExpressions(old), traits);
  const errors = [
    ...(old === undefined
      ? validateMeta(
          withoutKeys(definition.meta, ['namespace', 'generation']),
          false,
          (name, isPrefix) => [
            ...subdomainName(name, isPrefix),
            ...definitionNameProblems(definition, name),
          ],
          'metadata',
          traits,
        )
      : metaUpdateErrors(definition, old, traits)),
    ...new SpecValidation(definition, requirements, traits, schemas).errors(),
    ...(old === undefined ? [] : immutableErrors(definition, old, requirements)),
    ...storedVersionErrors(definition, old),
    ...approvalErrors(definition, old),
  ];
  if (old !== undefined) {
    const { acceptedNames } = old.status;
    const accepted = acceptedNames.plural === '' ? old.names : acceptedNames;
    append(errors, nameErrors(accepted, 'status.acceptedNames'));
  }
  if (definition.preserveUnknownFields && old?.preserveUnknownFields !== true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalid('spec.preserveUnknownFields', detail));
  }
  return errors;
}

const keptByServer =
  'resourceVersion uid generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds'.split(
    ' ',
  );

function metaUpdateErrors(
  definition: Definition,
  old: Definition,
  traits: ServerTraits,
): FieldError[] {
  const kept = Object.fromEntries(
    Object.entries(old.meta).filter(([key]) => keptByServer.includes(key)),
  );
  const asStored = (meta: JsonObject): JsonObject => ({
    ...withoutKeys(meta, ['namespace', ...keptByServer]),
    ...kept,
    resourceVersion: '1',
  });
  return validateMetaUpdate(asStored(definition.meta), asStored(old.meta), 'metadata', traits);
}

function withoutKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function immutableErrors(
  definition: Definition,
  old: Definition,
  { immutableNames }: Requirements,
): FieldError[] {
  const compared: [string, string, string][] = [
    ['spec.group', definition.group, old.group],
    ['spec.names.plural', definition.names.plural, old.names.plural],
  ];
  if (immutableNames) {
    compared.push(
      ['spec.scope', definition.scope, old.scope],
      ['spec.names.kind', definition.names.kind, old.names.kind],
    );
  }
  return compared
    .filter(([, now, before]) => now !== before)
    .map(([field]) => invalid(field, 'field is immutable'));
}

function storedVersionErrors(definition: Definition, old: Definition | undefined): FieldError[] {
  const field = 'status.storedVersions';
  const stored = [
    ...(old === undefined
      ? []
      : old.status.storedVersions.length > 0
        ? old.status.storedVersions
        : old.versions
            .filter(({ storage }) => storage)
            .slice(0, 1)
            .map(({ name }) => name)),
  ];
  const storage = definition.versions.find((version) => version.storage);
  if (storage !== undefined && !stored.includes(storage.name)) stored.push(storage.name);
  if (stored.length === 0) return [invalid(field, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  // A version that is there twice is found once.
  const unmet = new Set(stored);
  for (const { name, storage } of definition.versions) {
    if (!unmet.delete(name) && storage) {
      errors.push(invalid(field, `must have the storage version ${name}`));
    }
  }
  for (const name of unmet) {
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(`${field}[${stored.lastIndexOf(name)}]`, detail));
  }
  return errors;
}

const hasDefault = (schema: SchemaNode): boolean => schema.default !== undefined;

const hasExtension = (schema: SchemaNode): boolean =>
  schema.embeddedResource ||
  schema.preserveUnknownFields !== undefined ||
  schema.intOrString ||
  schema.listType !== undefined ||
  schema.listMapKeys.length > 0 ||
  schema.rules.length > 0;

class SpecValidation {
  constructor(
    private readonly definition: Definition,
    private readonly requirements: Requirements,
    private readonly traits: ServerTraits,
    private readonly schemas: JudgedSchemas,
  ) {}

  /** Whatever an update may leave as it was. */
  private get mustBeStructural(): boolean {
    return (
      !this.definition.preserveUnknownFields ||
      schemasOf(this.definition).some((schema) =>
        holds(schema, (each) => hasDefault(each) || hasExtension(each)),
      )
    );
  }

  errors(): FieldError[] {
    const { definition, requirements } = this;
    const scopes = ['Cluster', 'Namespaced'];
    const errors = groupErrors(definition.group);
    if (definition.scope === '') errors.push(required('spec.scope'));
    else if (!scopes.includes(definition.scope)) errors.push(notSupported('spec.scope', scopes));
    append(errors, this.missingSchemas());
    if (
      definition.preserveUnknownFields &&
      schemasOf(definition).some((schema) => holds(schema, hasDefault))
    ) {
      const detail = 'must be false in order to use defaults in the schema';
      errors.push(invalid('spec.preserveUnknownFields', detail));
    }
    append(errors, this.versions());
    append(errors, [
      ...missingNames(definition.names),
      ...nameErrors(definition.names, 'spec.names'),
    ]);
    const hasStatus = [definition, ...definition.versions].some(
      ({ subresources }) => subresources?.hasStatus === true,
    );
    const [first] = definition.versions;
    append(errors, [
      ...this.schema(definition.validation, 'spec.validation', first?.name ?? '', hasStatus),
      ...subresourceErrors(definition.subresources, 'spec'),
      ...columnErrors(definition.columns, 'spec'),
      ...selectableFieldErrors(
        definition,
        'spec',
        true,
        requirements.mayStaySelectable(''),
        this.schemas.facts,
      ),
      ...conversionErrors(definition.conversion, requirements, definition.preserveUnknownFields),
    ]);
    return errors;
  }

  private missingSchemas(): FieldError[] {
    const { definition, requirements } = this;
    if (definition.validation?.schema !== undefined) return [];
    const onlyServed = !requirements.schema;
    if (onlyServed && definition.preserveUnknownFields) return [];
    const detail = onlyServed ? 'because otherwise all fields are pruned' : '';
    return definition.versions.flatMap(({ served, validation }, index) =>
      validation?.schema !== undefined || (onlyServed && !served)
        ? []
        : [required(`spec.versions[${index}].schema.openAPIV3Schema`, detail)],
    );
  }

  private versions(): FieldError[] {
    const { definition, requirements } = this;
    const errors: FieldError[] = [];
    definition.versions.forEach((version, index) => {
      const path = `spec.versions[${index}]`;
      const problems = label1035Problems(version.name);
      if (problems.length > 0) errors.push(invalid(child(path, 'name'), problems.join(',')));
      const subresources = this.subresourcesOf(version.name);
      append(errors, [
        ...deprecationErrors(version, path),
        ...this.schema(
          version.validation,
          child(path, 'schema'),
          version.name,
          subresources?.hasStatus === true,
        ),
        ...subresourceErrors(version.subresources, path),
        ...columnErrors(version.columns, path),
        ...selectableFieldErrors(
          version,
          path,
          false,
          requirements.mayStaySelectable(version.name),
          this.schemas.facts,
        ),
      ]);
    });
    const names = new Set(definition.versions.map(({ name }) => name));
    if (names.size < definition.versions.length) {
      errors.push(invalid('spec.versions', 'must contain unique version names'));
    }
    if (definition.versions.filter(({ storage }) => storage).length !== 1) {
      const detail = 'must have exactly one version marked as storage version';
      errors.push(invalid('spec.versions', detail));
    }
    const [first] = definition.versions;
    const problems = first === undefined || first.name === '' ? [] : label1035Problems(first.name);
    if (problems.length > 0) errors.push(invalid('spec.version', problems.join(',')));
    return errors;
  }

  private subresourcesOf(version: string): Definition['subresources'] {
    const { subresources, versions } = this.definition;
    if (versions.every((each) => each.subresources === undefined)) return subresources;
    return versions.find(({ name }) => name === version)?.subresources;
  }

  private schema(
    validation: Validation | undefined,
    path: string,
    version: string,
    hasStatus: boolean,
  ): FieldError[] {
    const schema = validation?.schema;
    if (schema === undefined) return [];
    const { requirements, traits } = this;
    const judged = this.schemas.at(schema, path);
    const { place } = judged;
    const errors = hasStatus ? rootErrors(schema, place) : [];
    if (schema.nullable) {
      errors.push(forbidden(child(place, 'nullable'), 'nullable cannot be true at the root'));
    }
    const { errors: others, ruled } = judged.judgement(requirements);
    const form = judged.form(traits, requirements);
    const isFormAsked =
      (form.length > 0 || judged.unsupported !== undefined || ruled.length > 0) &&
      (this.mustBeStructural || requirements.structuralSchema);
    if (isFormAsked) append(errors, form);
    append(errors, others);
    if (!isFormAsked) return errors;
    if (judged.unsupported === undefined && form.length === 0) {
      let same: boolean | undefined;
      const isSame = (): boolean => (same ??= requirements.hasSameSchema(version));
      append(errors, expressionErrors(ruled, place, requirements, traits, isSame));
    }
    if (errors.length === 0 && judged.unsupported !== undefined) {
      errors.push(invalid(place, judged.unsupported));
    }
    return errors;
  }
}

const allowedAtRoot: ReadonlySet<string> = new Set(
  `
    description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength
    minLength pattern maxItems minItems uniqueItems multipleOf required items properties
    externalDocs example preserveUnknownFields rules`
    .trim()
    .split(/\s+/),
);

/** With a status of its own, a root says nothing that would not hold for the status alone. */
function rootErrors(schema: SchemaNode, place: string): FieldError[] {
  for (const keyword of usedKeywords(schema)) {
    if (keyword === 'type') {
      if (schema.type === 'object') continue;
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(child(place, 'type'), detail)];
    }
    if (!allowedAtRoot.has(keyword)) {
      const detail = `${keyword} is not allowed at the root of the schema if the status subresource is enabled`;
      return [invalid(place, detail)];
    }
  }
  return [];
}
