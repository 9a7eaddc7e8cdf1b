/** Kubernetes' authorizer: rules of definitions have none, but their calls are checked against its functions. */
import { noSuchOverload } from '../errors.js';
import { declare, type CelFunction } from '../overloads.js';

const room = 'kubernetes.authorization';

const signatures: readonly (readonly [id: string, signature: string])[] = [
  ['authorizer_path', `${room}.Authorizer:path(string) ${room}.PathCheck`],
  ['authorizer_group', `${room}.Authorizer:group(string) ${room}.GroupCheck`],
  [
    'authorizer_serviceaccount',
    `${room}.Authorizer:serviceAccount(string, string) ${room}.Authorizer`,
  ],
  ['groupcheck_resource', `${room}.GroupCheck:resource(string) ${room}.ResourceCheck`],
  ['resourcecheck_subresource', `${room}.ResourceCheck:subresource(string) ${room}.ResourceCheck`],
  ['resourcecheck_namespace', `${room}.ResourceCheck:namespace(string) ${room}.ResourceCheck`],
  ['resourcecheck_name', `${room}.ResourceCheck:name(string) ${room}.ResourceCheck`],
  ['pathcheck_check', `${room}.PathCheck:check(string) ${room}.Decision`],
  ['resourcecheck_check', `${room}.ResourceCheck:check(string) ${room}.Decision`],
  ['decision_errored', `${room}.Decision:errored() bool`],
  ['decision_error', `${room}.Decision:error() string`],
  ['decision_allowed', `${room}.Decision:allowed() bool`],
  ['decision_reason', `${room}.Decision:reason() string`],
  ['authorizer_fieldselector', `${room}.ResourceCheck:fieldSelector(string) ${room}.ResourceCheck`],
  ['authorizer_labelselector', `${room}.ResourceCheck:labelSelector(string) ${room}.ResourceCheck`],
];

export const authorizationFunctions: readonly CelFunction[] = declare(
  signatures.map(([id, signature]) => [
    id,
    signature,
    () => {
      throw noSuchOverload();
    },
  ]),
);
