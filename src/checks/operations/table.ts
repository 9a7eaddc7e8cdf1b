/** Every question that olm-guard answers, in one list. Doors, OpenAPI and help are derived from it. */
import { copiedCsvs, installModes, membership, operatorAccess } from './members.js';
import {
  operatorgroupIntersection,
  operatorgroupRoles,
  operatorgroupSync,
  operatorgroupTargets,
} from './operator-groups.js';
import { crd } from './crd.js';
import { crdClassic } from './crd-classic.js';
import { crdObjects, crdStoredObjects } from './custom-resources.js';
import { bundle } from './bundle.js';
import { catalog } from './catalog.js';
import { clusterCompatibility } from './cluster-compatibility.js';
import { definition } from './definition.js';
import { imageTemplate } from './image-template.js';
import type { Operation } from './operation.js';
import { resolveNamespace } from './resolve.js';
import { range, version } from './versions.js';
import { upgradeClassic, upgradeV1 } from './upgrade-paths.js';

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
