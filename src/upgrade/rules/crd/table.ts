/** Every rule of CRD upgrade safety that has a reference, and which profile runs which, in its order. */
import {
  changeValidatorRule,
  proof,
  servedVersionValidatorRule,
  unhandledRule,
  unreadableObject,
} from './comparisons.js';
import {
  defaultRule,
  descriptionRule,
  enumRule,
  nullableRule,
  patternRule,
  requiredRule,
  typeRule,
  oneOfRule,
} from './keywords.js';
import { boundRules } from './bounds.js';
import { noExistingFieldRemoved, noScopeChange, noStoredVersionRemoved } from './definitions.js';
import type { CrdifyProfile, DefinitionRule, PropertyRule } from './rule.js';
import type { Rule } from '../../../rule/index.js';

export const definitionRules: readonly DefinitionRule[] = [
  noScopeChange,
  noStoredVersionRemoved,
  noExistingFieldRemoved,
];

/** The order in which `olm-v1` looks at a field; the first that explains the rest of the difference ends it. */
export const olmPropertyRules: readonly PropertyRule[] = [
  enumRule,
  requiredRule,
  ...boundRules,
  defaultRule,
  typeRule,
];

const crdifyPropertyRules = [...olmPropertyRules, nullableRule, patternRule, descriptionRule];

/** The keywords of a field that each version of crdify handles; every other difference is `unhandled`. */
export const propertyRulesOf: Readonly<Record<CrdifyProfile, readonly PropertyRule[]>> = {
  crdify: crdifyPropertyRules,
  'olm-v1.10': [...crdifyPropertyRules, oneOfRule],
};

export const rules: readonly Rule[] = [
  ...definitionRules,
  servedVersionValidatorRule,
  changeValidatorRule,
  ...propertyRulesOf['olm-v1.10'],
  unhandledRule,
  proof,
  unreadableObject,
];
