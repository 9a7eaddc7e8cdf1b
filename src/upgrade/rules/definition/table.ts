import type { Rule } from '../../../rule/index.js';
import { celCompile } from './cel-compile.js';
import { celCost } from './cel-cost.js';
import { celSettings } from './cel-settings.js';
import { conversionSettings } from './conversion-settings.js';
import { definitionNames } from './definition-names.js';
import { invalidDefault } from './invalid-default.js';
import { invalidPattern } from './invalid-pattern.js';
import { notDecodable } from './not-decodable.js';
import { notStructural } from './not-structural.js';
import { printerColumns } from './printer-columns.js';
import { scalePaths } from './scale-paths.js';
import { selectableFields } from './selectable-fields.js';
import { storageVersions } from './storage-versions.js';
import { tooLargeToApply } from './too-large-to-apply.js';
import { tooLargeToStore } from './too-large-to-store.js';
import { unknownDefinitionField } from './unknown-definition-field.js';
import type { RefusalRule } from './rule.js';

export const refusalRules: readonly RefusalRule[] = [
  notDecodable,
  storageVersions,
  definitionNames,
  conversionSettings,
  printerColumns,
  scalePaths,
  selectableFields,
  celCost,
  celCompile,
  celSettings,
  invalidDefault,
  invalidPattern,
  notStructural,
];

export const definitionRules: readonly Rule[] = [
  ...refusalRules,
  unknownDefinitionField,
  tooLargeToApply,
  tooLargeToStore,
];
