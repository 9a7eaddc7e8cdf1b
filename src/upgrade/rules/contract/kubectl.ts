/** A request as a kubectl command that a person can run. */
import type { WitnessRequest } from '../../../rule/index.js';
import { stringifyJson } from '../../../text/documents/index.js';

const plain = /^[\w@%+=:,./-]+$/;

function quoted(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function kubectlCommand({ verb, path, contentType, body }: WitnessRequest): string {
  const text = body === undefined ? '' : stringifyJson(body);
  const stdin = `echo ${quoted(text)} | `;
  const url = new URL(path, 'https://cluster');
  if (contentType === 'application/apply-patch+yaml') {
    const manager = quoted(url.searchParams.get('fieldManager') ?? 'kubectl');
    const namespace = /\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1];
    const where = namespace === undefined ? '' : ` -n ${quoted(namespace)}`;
    return `${stdin}kubectl apply --server-side --field-manager=${manager}${where} -f -`;
  }
  if (verb === 'PATCH') {
    const [, group = '', version = '', namespace, plural = '', name = '', subresource] =
      /^\/apis\/([^/]+)\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(
        url.pathname,
      ) ?? [];
    return [
      'kubectl patch',
      quoted(`${plural}.${version}.${group}`),
      quoted(name),
      ...(namespace === undefined ? [] : [`-n ${quoted(namespace)}`]),
      ...(subresource === undefined ? [] : [`--subresource=${quoted(subresource)}`]),
      '--type=merge -p',
      quoted(text),
    ].join(' ');
  }
  const raw = `--raw ${quoted(path)}`;
  if (verb === 'GET') return `kubectl get ${raw}`;
  return `${stdin}kubectl ${verb === 'POST' ? 'create' : 'replace'} ${raw} -f -`;
}

/** `200 before, 404 NotFound after: kubectl …` */
export function requestSentence(request: WitnessRequest): string {
  const { before, after } = request;
  const words = [before, after].map(({ status, reason }) =>
    reason === undefined ? String(status) : `${status} ${reason}`,
  );
  return `${words[0]} before, ${words[1]} after: ${kubectlCommand(request)}`;
}
