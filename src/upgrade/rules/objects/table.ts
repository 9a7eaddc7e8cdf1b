import type { Rule } from '../../../rule/index.js';
import { objectRefused } from './object-refused.js';
import { unknownField } from './unknown-field.js';
import { versionDeprecated } from './version-deprecated.js';
import { versionNotServed } from './version-not-served.js';

export const objectRules: readonly Rule[] = [
  objectRefused,
  unknownField,
  versionNotServed,
  versionDeprecated,
];
