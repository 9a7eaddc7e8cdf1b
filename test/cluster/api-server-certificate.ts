/** The files of docs/client-certificate.md, by which an API server shows the gate who it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authority, type Authority } from '../server/client-certificates.js';
import { root } from './installed-gate.js';

const page = readFileSync(join(root, 'docs', 'client-certificate.md'), 'utf8');

/** Common name of the certificate; manifests/components/client-certificate has it too. */
export const clientName = 'kube-apiserver-kubelet-client';

/** The file of this name as the page has it. */
function fileOnPage(name: string): string {
  const block = new RegExp(`^# ${name.replaceAll('.', '\\.')}\\n([^]*?)^\`\`\``, 'm').exec(
    page,
  )?.[1];
  if (block === undefined) throw new Error(`docs/client-certificate.md has no ${name}`);
  return block;
}

/**
 * Writes `admission.yaml`, for the API server's `--admission-control-config-file`, with all that it
 * names, and `ca.crt`, for the gate's `--client-ca-file`, into a folder.
 *
 * @returns the authority that issued the certificate
 */
export async function writeCertificateFiles(folder: string): Promise<Authority> {
  const file = (name: string): string => join(folder, name);
  const callers = await authority('kubernetes');
  const pair = await callers.issue(clientName);
  writeFileSync(file('ca.crt'), callers.pem);
  writeFileSync(file('client.crt'), pair.cert);
  writeFileSync(file('client.key'), pair.key, { mode: 0o600 });
  const admission = fileOnPage('/etc/kubernetes/olm-guard/admission.yaml');
  const kubeconfig = fileOnPage('/etc/kubernetes/olm-guard/kubeconfig.yaml');
  const at = (text: string): string =>
    text
      .replaceAll('/etc/kubernetes/olm-guard/', `${folder}/`)
      .replaceAll('/etc/kubernetes/pki/apiserver-kubelet-client.crt', file('client.crt'))
      .replaceAll('/etc/kubernetes/pki/apiserver-kubelet-client.key', file('client.key'))
      // There is no Service here: the webhooks have the address of the gate's process.
      .replaceAll('olm-guard.olm-guard.svc', '"*"');
  writeFileSync(file('admission.yaml'), at(admission));
  writeFileSync(file('kubeconfig.yaml'), at(kubeconfig));
  return callers;
}
