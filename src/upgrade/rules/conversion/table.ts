import type { Rule } from '../../../rule/index.js';
import { conversionContract } from './conversion-contract.js';
import { conversionPrunesFields } from './conversion-prunes-fields.js';
import { conversionUnchecked } from './conversion-unchecked.js';
import { conversionUnstable } from './conversion-unstable.js';
import { convertedObjectRefused } from './converted-object-refused.js';
import { converterFails } from './converter-fails.js';
import { converterUnreachable } from './converter-unreachable.js';
import { roundTripLoss } from './round-trip-loss.js';

export const conversionRules: readonly Rule[] = [
  converterUnreachable,
  converterFails,
  conversionContract,
  convertedObjectRefused,
  roundTripLoss,
  conversionUnstable,
  conversionPrunesFields,
  conversionUnchecked,
];
