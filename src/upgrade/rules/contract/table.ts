import { appliedVersionRemoved } from './applied-version-removed.js';
import { categoryRemoved } from './category-removed.js';
import { constraintRelaxed } from './constraint-relaxed.js';
import { conversionChanged } from './conversion-changed.js';
import { conversionPartlyOwned } from './conversion-partly-owned.js';
import { deprecationChanged } from './deprecation-changed.js';
import { enumValueAdded } from './enum-value-added.js';
import { fieldNowOptional } from './field-now-optional.js';
import { listKindChanged } from './list-kind-changed.js';
import { listTypeChanged } from './list-type-changed.js';
import { mapTypeChanged } from './map-type-changed.js';
import { nameChanged } from './name-changed.js';
import { nullAllowed } from './null-allowed.js';
import { otherDifference as makeOtherDifference } from './other-difference.js';
import { printerColumnChanged } from './printer-column-changed.js';
import { printerColumnRemoved } from './printer-column-removed.js';
import { scaleSubresourceChanged } from './scale-subresource-changed.js';
import { scaleSubresourceRemoved } from './scale-subresource-removed.js';
import { selectableFieldRemoved } from './selectable-field-removed.js';
import { servedVersionAdded as makeServedVersionAdded } from './served-version-added.js';
import { servedVersionRemoved } from './served-version-removed.js';
import { shortNameRemoved } from './short-name-removed.js';
import { singularChanged } from './singular-changed.js';
import { statusSubresourceAdded } from './status-subresource-added.js';
import { statusSubresourceRemoved } from './status-subresource-removed.js';
import { storageVersionChanged } from './storage-version-changed.js';
import { toolMetadataChanged } from './tool-metadata-changed.js';
import { typeWidened } from './type-widened.js';
import { unknownFieldsKept } from './unknown-fields-kept.js';
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
