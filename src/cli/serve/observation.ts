/** Observations of an installed gate, one sentence each. */
import { type Connection, ClusterError } from '../../cluster/index.js';

export interface Observation {
  /** `unknown`: it could not be looked at. `warning`: the gate works, and an administrator should know. */
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown';
  /** One sentence: what is so, and for a problem what to do. */
  readonly message: string;
}

export const ok = (message: string): Observation => ({ state: 'ok', message });

export const warning = (message: string): Observation => ({ state: 'warning', message });

export const problem = (message: string): Observation => ({ state: 'problem', message });

export const unknown = (message: string): Observation => ({ state: 'unknown', message });

export async function get<Answer>(
  connection: Connection,
  path: string,
  accept = 'application/json',
): Promise<Answer | 'absent' | 'forbidden'> {
  try {
    return ((await connection.find({ path, accept })) as Answer | undefined) ?? 'absent';
  } catch (error) {
    if (error instanceof ClusterError && error.status === 403) return 'forbidden';
    throw error;
  }
}
