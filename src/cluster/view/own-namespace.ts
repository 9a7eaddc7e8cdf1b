import { readFileSync } from 'node:fs';

const file = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** `olm-guard` outside of a pod. */
export function ownNamespace(): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'olm-guard';
  } catch {
    return 'olm-guard';
  }
}
