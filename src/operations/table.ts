/** Every question that olm-guard answers, in one list. Doors, OpenAPI and help are derived from it. */
import { installModes } from './install-modes.js';
import type { Operation } from './operation.js';
import { operatorgroupIntersection } from './operatorgroup-intersection.js';
import { operatorgroupRoles } from './operatorgroup-roles.js';
import { operatorgroupTargets } from './operatorgroup-targets.js';

export const operations: readonly Operation[] = [
  operatorgroupTargets,
  installModes,
  operatorgroupIntersection,
  operatorgroupRoles,
];
