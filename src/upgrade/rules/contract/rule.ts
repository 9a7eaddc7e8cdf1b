/**
 * Rules about what a definition promises beside its stored objects: to clients, to server-side apply,
 * to readers, and to people who look at tables. No reference has them; they warn.
 */
import type {
  CustomResourceDefinition,
  DefinitionVersion,
} from '../../crd/custom-resource-definition.js';
import type { ChangedField, RemovedField } from '../../crd/difference.js';
import type { DocumentPlace } from '../../crd/place.js';
import {
  type Audience,
  defineRule,
  type Family,
  type MessageOf,
  type Messages,
  type Rule,
  type RuleDescription,
  type Subject,
  type WitnessRequest,
} from '../../../rule/index.js';
import type { Pin } from '../../proof/pin.js';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';

export interface VersionPair {
  readonly old: DefinitionVersion;
  readonly new: DefinitionVersion;
}

/** Looks for an object that a version of the old definition accepts, with a value at some place. */
export type Sample = (version: string, within?: FieldContext) => JsonObject | undefined;

/** @param paths of what shows it; @param within has a pin where that alone shows it */
type Shows = (
  version: string,
  paths: readonly string[],
  within: FieldContext,
) => JsonValue | undefined;

export interface FieldContext {
  readonly field: ChangedField;
  /** The field's value; without it, any value that the schema takes. */
  readonly pin?: Pin;
}

export interface ContractPair {
  readonly old: CustomResourceDefinition;
  readonly next: CustomResourceDefinition;
  readonly shared: readonly VersionPair[];
  readonly removed: readonly (VersionPair & { readonly field: RemovedField })[];
  /** Left out where no caller needs requests: looking for objects takes its time. */
  readonly sample?: Sample;
  /** For what it has at one of these paths; left out where no caller needs objects. */
  readonly shows?: Shows;
  readonly changed: readonly (VersionPair & { readonly field: ChangedField })[];
  readonly between: (old: DefinitionVersion, next: DefinitionVersion) => readonly ChangedField[];
  readonly heard: ReadonlySet<string>;
}

export type ContractDifference<Of extends Messages = Messages> = MessageOf<Of> & DifferenceDetails;

export interface DifferenceDetails {
  readonly version?: string;
  readonly path?: string;
  readonly place: DocumentPlace;
  readonly request?: WitnessRequest;
  readonly witness?: JsonValue;
  /** It harms nothing by itself, where the rule is about harm. */
  readonly isMild?: true;
  /** It takes nothing away: a result, and no finding. */
  readonly isHarmless?: true;
}

interface ContractDefinition<Of extends Messages> extends Omit<
  RuleDescription,
  'subject' | 'family' | 'severity'
> {
  readonly messages: Of;
  readonly audience: Audience;
  /** Its own family, where that is not its audience's. */
  readonly family?: Family;
  /** Where it is not its audience's: an unchanged manifest conflicts, or takes from others what they own. */
  readonly severity?: 'error';
  /** With everything beneath: `spec.versions[].served`; those of a schema begin with `schema.`. */
  readonly fields: readonly string[];
  readonly compare: (pair: ContractPair) => Iterable<ContractDifference<Of>>;
}

const ofAudience = {
  objects: { subject: 'rollback', family: 'rollback', severity: 'info' },
  clients: { subject: 'clients', family: 'client-contract', severity: 'warning' },
  apply: { subject: 'server-side apply', family: 'apply-contract', severity: 'warning' },
  readers: { subject: 'readers', family: 'reader-contract', severity: 'info' },
  display: { subject: 'display', family: 'display', severity: 'info' },
} as const satisfies Record<
  Audience,
  Pick<RuleDescription, 'family' | 'severity'> & { subject: Subject }
>;

export type ContractRule = Rule<
  Omit<ContractDefinition<Messages>, 'family' | 'severity'> &
    Pick<RuleDescription, 'subject' | 'family' | 'severity'>
>;

export function defineContractRule<const Of extends Messages>(
  definition: ContractDefinition<Of>,
): ContractRule {
  const common = ofAudience[definition.audience];
  const messages = {
    ...definition.messages,
    more: 'and more differences of {rule} (report limit reached)',
  };
  return defineRule({
    ...common,
    ...definition,
    messages,
    family: definition.family ?? common.family,
    severity: definition.severity ?? common.severity,
  });
}
