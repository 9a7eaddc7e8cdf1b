/** The key of an API: group, version and kind, compared exactly and with case. */

export interface Api {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function apiKey({ group, version, kind }: Api): string {
  return `${group}\n${version}\n${kind}`;
}

/** As OLM prints it: `Kind (group/version)`. */
export function formatApi({ group, version, kind }: Api): string {
  return `${kind} (${group}/${version})`;
}
