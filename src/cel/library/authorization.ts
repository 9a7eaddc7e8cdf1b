/** Kubernetes' authorizer: rules of definitions have none, but their calls are checked against its functions. */
import { noSuchOverload } from '../errors.js';
import { declare, sharing, type CelFunction } from '../overloads.js';

const prefix = 'kubernetes.authorization';

const signatures = [
  `authorizer_path ${prefix}.Authorizer:path(string) ${prefix}.PathCheck`,
  `authorizer_group ${prefix}.Authorizer:group(string) ${prefix}.GroupCheck`,
  `authorizer_serviceaccount ${prefix}.Authorizer:serviceAccount(string, string) ${prefix}.Authorizer`,
  `groupcheck_resource ${prefix}.GroupCheck:resource(string) ${prefix}.ResourceCheck`,
  `resourcecheck_subresource ${prefix}.ResourceCheck:subresource(string) ${prefix}.ResourceCheck`,
  `resourcecheck_namespace ${prefix}.ResourceCheck:namespace(string) ${prefix}.ResourceCheck`,
  `resourcecheck_name ${prefix}.ResourceCheck:name(string) ${prefix}.ResourceCheck`,
  `pathcheck_check ${prefix}.PathCheck:check(string) ${prefix}.Decision`,
  `resourcecheck_check ${prefix}.ResourceCheck:check(string) ${prefix}.Decision`,
  `decision_errored ${prefix}.Decision:errored() bool`,
  `decision_error ${prefix}.Decision:error() string`,
  `decision_allowed ${prefix}.Decision:allowed() bool`,
  `decision_reason ${prefix}.Decision:reason() string`,
  `authorizer_fieldselector ${prefix}.ResourceCheck:fieldSelector(string) ${prefix}.ResourceCheck`,
  `authorizer_labelselector ${prefix}.ResourceCheck:labelSelector(string) ${prefix}.ResourceCheck`,
];

export const authorizationFunctions: readonly CelFunction[] = declare(
  sharing(signatures, unanswered),
);

function unanswered(): never {
  throw noSuchOverload();
}
