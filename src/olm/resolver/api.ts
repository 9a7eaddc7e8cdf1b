import type { JsonValue } from '../../text/documents/index.js';
import { textField } from '../catalogs/properties.js';

/** Group, version and kind; case counts. */
export interface Api {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function apiKey({ group, version, kind }: Api): string {
  return `${group}\n${version}\n${kind}`;
}

/** OLM's form: `Kind (group/version)`. */
export function formatApi({ group, version, kind }: Api): string {
  return `${kind} (${group}/${version})`;
}

export function formatApiKey(key: string): string {
  const [group = '', version = '', kind = ''] = key.split('\n');
  return formatApi({ group, version, kind });
}

export function readApi(value: JsonValue): Api {
  const text = (name: string): string => textField(value, name);
  return { group: text('group'), version: text('version'), kind: text('kind') };
}
