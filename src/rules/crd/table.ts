/** Every rule of CRD upgrade safety that has a reference, and which profile runs which, in its order. */
import {
  maximumRule,
  maxItemsRule,
  maxLengthRule,
  maxPropertiesRule,
  minimumRule,
  minItemsRule,
  minLengthRule,
  minPropertiesRule,
} from './bounds.js';
import { defaultRule } from './default.js';
import { descriptionRule } from './description.js';
import { enumRule } from './enum.js';
import { nullableRule } from './nullable.js';
import { patternRule } from './pattern.js';
import { removedFieldsRule } from './removed-fields.js';
import { requiredRule } from './required.js';
import type { DefinitionRule, PropertyRule, Rule } from './rule.js';
import { scopeRule } from './scope.js';
import { storedVersionsRule } from './stored-versions.js';
import { typeRule } from './type.js';

export const definitionRules: readonly DefinitionRule[] = [
  scopeRule,
  storedVersionsRule,
  removedFieldsRule,
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

export const crdifyPropertyRules: readonly PropertyRule[] = [
  ...olmPropertyRules,
  nullableRule,
  patternRule,
  descriptionRule,
];

export const rules: readonly Rule[] = [...definitionRules, ...crdifyPropertyRules];
