import type { JsonObject } from '../../../text/documents/index.js';
import type { DocumentPlace } from '../../crd/place.js';
import type { Upgrade } from '../../crd/upgrade.js';
import type { ComparedSides } from './compared-sides.js';
import { defineRule, from, type Rule, type RuleDescription } from '../../../rule/index.js';

export type ReferenceProfile = 'olm-v1' | CrdifyProfile;

export type CrdifyProfile = 'crdify' | 'olm-v1.10';

/** Whether crdify takes it for compatible that something is added, or removed. */
type ChangePolicies = {
  readonly [Name in 'additionPolicy' | 'removalPolicy']?: 'Allow' | 'Disallow';
};

/** A validation left out has OLM v1's, an option left out beside others crdify's default, `Disallow`. */
export type CrdifyOptions = Readonly<{
  enum?: Pick<ChangePolicies, 'additionPolicy'>;
  pattern?: Pick<ChangePolicies, 'removalPolicy'>;
  nullable?: ChangePolicies;
  oneOf?: ChangePolicies;
}>;

interface Texts {
  readonly 'olm-v1'?: string;
  readonly crdify?: string;
}

export interface PropertyTexts extends Omit<Texts, 'crdify'> {
  /** A long text is written when it is asked for. */
  readonly crdify?: string | (() => string);
  /** The reference prints something else each time, and so takes this for no difference that was there before. */
  readonly isNeverTheSame?: true;
}

type Described = Omit<RuleDescription, 'subject' | 'family' | 'severity'>;

const common = {
  subject: 'CustomResourceDefinition',
  family: 'crd-upgrade-safety',
  severity: 'error',
} as const;

interface PropertyDefinition extends Described {
  /** The keyword that the rule explains: a difference in it alone is no unknown change. */
  readonly keyword: string;
  /** Whether it looks at a changed field although the keyword did not change. */
  readonly looksAtEqual?: true;
  /** Its texts contain whole subtrees, once for each level of nesting. */
  readonly isSlow?: true;
  /** @throws InvalidInputError `E_INPUT` for a keyword with a value it cannot have. */
  readonly compare: (
    old: JsonObject,
    next: JsonObject,
    sides?: ComparedSides,
    options?: CrdifyOptions,
  ) => PropertyTexts | undefined;
}
export type PropertyRule = Rule<PropertyDefinition & typeof common>;

export interface DefinitionDifference {
  readonly texts: Texts;
  readonly version?: string;
  readonly path?: string;
  /** How many fields it stands for, where there is no room to list each; by default one. */
  readonly fields?: number;
  readonly place: DocumentPlace;
}

interface WholeDefinition extends Described {
  readonly crdify: string;
  readonly refusedByServer: boolean;
  readonly compare: (upgrade: Upgrade) => readonly DefinitionDifference[];
}
export type DefinitionRule = Rule<WholeDefinition & typeof common>;

export function definePropertyRule(definition: PropertyDefinition): PropertyRule {
  return defineRule({ ...definition, ...common });
}

export function defineDefinitionRule(definition: WholeDefinition): DefinitionRule {
  return defineRule({ ...definition, ...common, aliases: [definition.crdify] });
}

export function describeComparison(definition: Described): Rule<Described & typeof common> {
  return defineRule({ ...definition, ...common });
}

const preflight = 'internal/operator-controller/rukpak/preflights/crdupgradesafety';

/** Where OLM v1 has the check of a keyword. */
export const olmCheck = (name: string): string =>
  from.operatorController417(`${preflight}/checks.go`, name);

export const olmValidator = (name: string): string =>
  from.operatorController417(`${preflight}/validator.go`, name);
