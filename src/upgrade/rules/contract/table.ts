import {
  appliedVersionRemoved,
  deprecationChanged,
  selectableFieldRemoved,
  servedVersionRemoved,
  storageVersionChanged,
} from './versions.js';
import {
  categoryRemoved,
  listKindChanged,
  nameChanged,
  shortNameRemoved,
  singularChanged,
} from './names.js';
import { constraintRelaxed } from './constraint-relaxed.js';
import { conversionChanged, conversionPartlyOwned } from './conversions.js';
import {
  enumValueAdded,
  fieldNowOptional,
  nullAllowed,
  typeWidened,
  unknownFieldsKept,
} from './readers.js';
import { listTypeChanged, mapTypeChanged } from './merge-strategies.js';
import { otherDifference as makeOtherDifference } from './other-difference.js';
import { printerColumnChanged, printerColumnRemoved } from './printer-columns.js';
import {
  scaleSubresourceChanged,
  scaleSubresourceRemoved,
  statusSubresourceAdded,
  statusSubresourceRemoved,
} from './subresources.js';
import { servedVersionAdded as makeServedVersionAdded } from './served-version-added.js';
import { toolMetadataChanged } from './tool-metadata-changed.js';
import type { ContractRule } from './rule.js';

const aboutReaders: readonly ContractRule[] = [
  enumValueAdded,
  typeWidened,
  nullAllowed,
  fieldNowOptional,
  constraintRelaxed,
  unknownFieldsKept,
];

export const servedVersionAdded = makeServedVersionAdded(aboutReaders);

const aboutFields: readonly ContractRule[] = [
  nameChanged,
  storageVersionChanged,
  servedVersionRemoved,
  servedVersionAdded,
  statusSubresourceRemoved,
  statusSubresourceAdded,
  scaleSubresourceRemoved,
  scaleSubresourceChanged,
  selectableFieldRemoved,
  listKindChanged,
  conversionChanged,
  conversionPartlyOwned,
  appliedVersionRemoved,
  listTypeChanged,
  mapTypeChanged,
  toolMetadataChanged,
  ...aboutReaders,
  shortNameRemoved,
  categoryRemoved,
  singularChanged,
  printerColumnRemoved,
  printerColumnChanged,
  deprecationChanged,
];

const otherDifference = makeOtherDifference(() => aboutFields);

export const contractRules: readonly ContractRule[] = [...aboutFields, otherDifference];
