/** Who may read /metrics: as controller-runtime's secure metrics, whom the API server lets get it. */
import { createHash } from 'node:crypto';
import { isAllowed, userOf } from '../../facts/cluster/access.js';
import type { Connection } from '../../facts/cluster/connection.js';
import { bearerToken } from './bearer-token.js';
import { ClusterError } from '../../facts/cluster/view.js';
import { InvalidInputError } from '../../text/documents/index.js';

/** HTTP status: 503 when nobody could say. */
export type AccessStatus = 200 | 401 | 403 | 503;

export interface MetricsAccess {
  /** For the value of an Authorization header. */
  statusFor(authorization: string | undefined): Promise<AccessStatus>;
}

const rememberedMilliseconds = 30_000;
const maxRemembered = 200;
/** Questions about tokens that never were good, at once and in a second: not to become a load on the API server. */
const maxStrangers = 5;
const strangersEachSecond = 10;
const askMilliseconds = 5_000;

interface Remembered {
  readonly until: number;
  readonly status: AccessStatus;
}

/** Asks for the right to get the non-resource URL `/metrics` (TokenReview, SubjectAccessReview). */
export function metricsAccess(connection: Connection): MetricsAccess {
  // Apart, so that made-up tokens take neither the place nor the turn of those that were good. A token
  // that is new has to find a turn among them.
  const good = new Map<string, Remembered>();
  const refused = new Map<string, Remembered>();
  const asked = new Map<string, Promise<AccessStatus>>();
  let strangers = 0;
  let second = { begun: 0, count: 0 };

  function mayAskForStranger(): boolean {
    const now = performance.now();
    if (now - second.begun >= 1000) second = { begun: now, count: 0 };
    second.count += 1;
    return strangers < maxStrangers && second.count <= strangersEachSecond;
  }

  async function ask(token: string): Promise<AccessStatus> {
    try {
      const signal = AbortSignal.timeout(askMilliseconds);
      const user = await userOf(connection, token, signal);
      if (user === undefined) return 401;
      const nonResourceAttributes = { path: '/metrics', verb: 'get' };
      return (await isAllowed(connection, user, { nonResourceAttributes }, signal)) ? 200 : 403;
    } catch (error) {
      // No answer, or none that is JSON.
      if (error instanceof ClusterError || error instanceof InvalidInputError) return 503;
      throw error;
    }
  }

  async function askOnce(key: string, token: string): Promise<AccessStatus> {
    const isStranger = !good.has(key);
    if (isStranger && !mayAskForStranger()) return 503;
    if (isStranger) strangers += 1;
    try {
      const status = await ask(token);
      if (status !== 503) {
        good.delete(key);
        remember(status === 200 ? good : refused, key, status);
      }
      return status;
    } finally {
      if (isStranger) strangers -= 1;
    }
  }

  return {
    async statusFor(authorization = '') {
      const token = bearerToken(authorization);
      if (token === undefined) return 401;
      const key = createHash('sha256').update(token).digest('base64');
      const known = good.get(key) ?? refused.get(key);
      if (known !== undefined && known.until > performance.now()) return known.status;
      let asking = asked.get(key);
      if (asking === undefined) {
        asking = askOnce(key, token).finally(() => asked.delete(key));
        asked.set(key, asking);
      }
      return asking;
    },
  };
}

function remember(among: Map<string, Remembered>, key: string, status: AccessStatus): void {
  among.delete(key);
  among.set(key, { until: performance.now() + rememberedMilliseconds, status });
  if (among.size > maxRemembered) among.delete(among.keys().next().value ?? '');
}
