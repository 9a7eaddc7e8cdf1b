import type { ApiClash } from './intersection.js';

/** One sentence part that names what OLM's own message leaves out: the API, the group, the namespaces. */
export function describeClash({ api, group, namespaces }: ApiClash): string {
  const [name, namespace] = group.split('/');
  return `${api} is already provided by OperatorGroup ${name ?? ''} of namespace ${namespace ?? ''} for ${namespacesText(namespaces)}`;
}

const shown = 5;

/** Names at most five namespaces: a global group can share thousands. */
function namespacesText(namespaces: readonly string[]): string {
  if (namespaces.length === 1 && namespaces[0] === '') return 'all namespaces';
  const named = namespaces.slice(0, shown).join(', ');
  const more = namespaces.length - shown;
  const noun = namespaces.length === 1 ? 'namespace' : 'namespaces';
  return more > 0 ? `${noun} ${named} and ${more} more` : `${noun} ${named}`;
}
