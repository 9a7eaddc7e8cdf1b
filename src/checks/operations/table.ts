/** Every question that olm-guard answers, in one list. Doors, OpenAPI and help are derived from it. */
import { copiedCsvs } from './copied-csvs.js';
import { crd } from './crd.js';
import { crdClassic } from './crd-classic.js';
import { crdObjects } from './crd-objects.js';
import { bundle } from './bundle.js';
import { crdStoredObjects } from './crd-stored-objects.js';
import { catalog } from './catalog.js';
import { clusterCompatibility } from './cluster-compatibility.js';
import { definition } from './definition.js';
import { imageTemplate } from './image-template.js';
import { installModes } from './install-modes.js';
import { membership } from './membership.js';
import type { Operation } from './operation.js';
import { operatorAccess } from './operator-access.js';
import { operatorgroupIntersection } from './operatorgroup-intersection.js';
import { operatorgroupRoles } from './operatorgroup-roles.js';
import { operatorgroupSync } from './operatorgroup-sync.js';
import { operatorgroupTargets } from './operatorgroup-targets.js';
import { resolveNamespace } from './resolve.js';
import { range } from './range.js';
import { upgradeClassic } from './upgrade-classic.js';
import { upgradeV1 } from './upgrade-v1.js';
import { version } from './version.js';

export const operations: readonly Operation[] = [
  crd,
  crdObjects,
  crdStoredObjects,
  crdClassic,
  definition,
  bundle,
  catalog,
  operatorgroupTargets,
  installModes,
  operatorgroupIntersection,
  operatorgroupRoles,
  operatorgroupSync,
  operatorAccess,
  copiedCsvs,
  membership,
  resolveNamespace,
  clusterCompatibility,
  imageTemplate,
  range,
  upgradeClassic,
  upgradeV1,
  version,
];
