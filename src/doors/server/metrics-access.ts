/** Who may read /metrics: as controller-runtime's secure metrics, whom the API server lets get it. */
import { createHash } from 'node:crypto';
import { isAllowed, userOf } from '../../facts/cluster/access.js';
import type { Connection } from '../../facts/cluster/connection.js';
import { ClusterError } from '../../facts/cluster/view.js';

export interface MetricsAccess {
  /** HTTP status for the value of an Authorization header: 200, 401, 403, or 503 when nobody could say. */
  statusFor(authorization: string | undefined): Promise<200 | 401 | 403 | 503>;
}

const rememberedMilliseconds = 30_000;
const maxRemembered = 200;
/** Questions to the API server at once: strangers' tokens must not become a load on it. */
const maxAsking = 5;
const askMilliseconds = 5_000;

/** Asks for the right to get the non-resource URL `/metrics` (TokenReview, SubjectAccessReview). */
export function metricsAccess(connection: Connection): MetricsAccess {
  const remembered = new Map<
    string,
    { readonly until: number; readonly status: Promise<200 | 401 | 403 | 503> }
  >();
  let asking = 0;

  async function ask(token: string): Promise<200 | 401 | 403 | 503> {
    if (asking >= maxAsking) return 503;
    asking += 1;
    try {
      const signal = AbortSignal.timeout(askMilliseconds);
      const user = await userOf(connection, token, signal);
      if (user === undefined) return 401;
      const nonResourceAttributes = { path: '/metrics', verb: 'get' };
      return (await isAllowed(connection, user, { nonResourceAttributes }, signal)) ? 200 : 403;
    } catch (error) {
      if (error instanceof ClusterError) return 503;
      throw error;
    } finally {
      asking -= 1;
    }
  }

  return {
    async statusFor(authorization = '') {
      const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token === undefined) return 401;
      const key = createHash('sha256').update(token).digest('base64');
      const known = remembered.get(key);
      if (known !== undefined && known.until > performance.now()) return known.status;
      const status = ask(token);
      remembered.delete(key);
      remembered.set(key, { until: performance.now() + rememberedMilliseconds, status });
      if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
      if ((await status) === 503 && remembered.get(key)?.status === status) remembered.delete(key);
      return status;
    },
  };
}
