import type { Rule } from '../../../rule/index.js';
import { definitionRemoved } from './definition-removed.js';
import { leavingVersionUsed } from './leaving-version-used.js';
import { ownerReferenceCollects } from './owner-reference-collects.js';
import { ownerReferenceUnknown } from './owner-reference-unknown.js';
import { storedObjectsDeleted } from './stored-objects-deleted.js';
import { storedObjectsLoseData } from './stored-objects-lose-data.js';
import { storedObjectsRefused } from './stored-objects-refused.js';
import { storedObjectsUnchecked } from './stored-objects-unchecked.js';
import { storedObjectsUnreachable } from './stored-objects-unreachable.js';
import { storedVersionUnproven } from './stored-version-unproven.js';
import { storedVersionMigration } from './stored-version-migration.js';

export const storedRules: readonly Rule[] = [
  storedObjectsRefused,
  storedObjectsLoseData,
  storedObjectsUnchecked,
  storedObjectsDeleted,
  definitionRemoved,
  storedObjectsUnreachable,
  ownerReferenceCollects,
  ownerReferenceUnknown,
  storedVersionMigration,
  storedVersionUnproven,
  leavingVersionUsed,
];
