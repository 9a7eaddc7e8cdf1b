/** Every function that rules may use in Kubernetes 1.35: k8s.io/apiserver/pkg/cel/environment/base.go. */
import { conversionOverloads } from './conversions.js';
import { listOverloads } from './list-functions.js';
import { formatOverloads, semverOverloads } from './named-formats.js';
import { networkOverloads } from './network-functions.js';
import { operatorOverloads } from './operators.js';
import { optionalOverloads } from './optional-functions.js';
import { quantityOverloads } from './quantity.js';
import { FunctionTable } from './signature.js';
import { stringOverloads } from './string-functions.js';
import { timeOverloads } from './time-functions.js';

export const overloads = [
  operatorOverloads,
  conversionOverloads,
  stringOverloads,
  listOverloads,
  timeOverloads,
  optionalOverloads,
  quantityOverloads,
  networkOverloads,
  formatOverloads,
  semverOverloads,
].flat();

export const functions = new FunctionTable([overloads]);
