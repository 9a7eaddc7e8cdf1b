/** What was seen of an installed gate, one sentence each. */
import type { Connection } from '../../../facts/cluster/connection.js';
import { ClusterError } from '../../../facts/cluster/view.js';

export interface Observation {
  /** `unknown`: it could not be looked at. */
  readonly state: 'ok' | 'problem' | 'unknown';
  /** One sentence: what is so, and for a problem what to do. */
  readonly message: string;
}

export const ok = (message: string): Observation => ({ state: 'ok', message });

export const problem = (message: string): Observation => ({ state: 'problem', message });

export const unknown = (message: string): Observation => ({ state: 'unknown', message });

export async function get<Answer>(
  connection: Connection,
  path: string,
): Promise<Answer | 'absent' | 'forbidden'> {
  try {
    return ((await connection.find({ path })) as Answer | undefined) ?? 'absent';
  } catch (error) {
    if (error instanceof ClusterError && error.status === 403) return 'forbidden';
    throw error;
  }
}
