import { firstNames } from '../../text/shortened.js';
import type { ApiClash } from './intersection.js';

export function describeClash({ api, group, namespaces }: ApiClash): string {
  const [name, namespace] = group.split('/');
  return `${api} is already provided by OperatorGroup ${name ?? ''} of namespace ${namespace ?? ''} for ${namespacesText(namespaces)}`;
}

/** Names at most five namespaces: a global group can share thousands. */
function namespacesText(namespaces: readonly string[]): string {
  if (namespaces.length === 1 && namespaces[0] === '') return 'all namespaces';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${firstNames(namespaces)}`;
}
