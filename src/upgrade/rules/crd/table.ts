/** Every rule of CRD upgrade safety that has a reference, and which profile runs which, in its order. */
import { changeValidatorRule } from './change-validator.js';
import { defaultRule } from './default.js';
import { descriptionRule } from './description.js';
import { enumRule } from './enum.js';
import { maxItemsRule } from './max-items.js';
import { maxLengthRule } from './max-length.js';
import { maxPropertiesRule } from './max-properties.js';
import { maximumRule } from './maximum.js';
import { minItemsRule } from './min-items.js';
import { minLengthRule } from './min-length.js';
import { minPropertiesRule } from './min-properties.js';
import { minimumRule } from './minimum.js';
import { noExistingFieldRemoved } from './no-existing-field-removed.js';
import { noScopeChange } from './no-scope-change.js';
import { noStoredVersionRemoved } from './no-stored-version-removed.js';
import { nullableRule } from './nullable.js';
import { oneOfRule } from './one-of.js';
import { patternRule } from './pattern.js';
import { proof } from './proof.js';
import { requiredRule } from './required.js';
import { servedVersionValidatorRule } from './served-version-validator.js';
import { typeRule } from './type.js';
import { unhandledRule } from './unhandled.js';
import { unreadableObject } from './unreadable-object.js';
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
  maximumRule,
  maxItemsRule,
  maxLengthRule,
  maxPropertiesRule,
  minimumRule,
  minItemsRule,
  minLengthRule,
  minPropertiesRule,
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
