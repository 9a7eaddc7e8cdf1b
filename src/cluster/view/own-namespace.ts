/** The namespace that this pod runs in. */
import { readFileSync } from 'node:fs';

const file = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** `otherwise` outside of a pod. */
export function ownNamespace(otherwise = 'olm-guard'): string {
  try {
    const namespace = readFileSync(file, 'utf8').trim();
    return namespace === '' ? otherwise : namespace;
  } catch {
    return otherwise;
  }
}
