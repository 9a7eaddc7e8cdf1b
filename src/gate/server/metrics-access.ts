/** Access to /metrics: as with controller-runtime's secure metrics, for users whom the API server lets get it. */
import { createHash } from 'node:crypto';
import { isAllowed, userOf, type Connection, ClusterError } from '../../cluster/index.js';
import { bearerToken } from './bearer-token.js';
import type { RequesterPath } from '../admission/fair-queue.js';
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { Turns } from '../admission/turns.js';

/** HTTP status: 503 when the API server could not say. */
export type AccessStatus = 200 | 401 | 403 | 503;

export interface MetricsAccess {
  /** For the value of an Authorization header. @param gone the client no longer waits */
  statusFor(
    authorization: string | undefined,
    asker: RequesterPath,
    gone: AbortSignal,
  ): Promise<AccessStatus>;
}

const rememberedMilliseconds = 30_000;
const maxRemembered = 200;
const maxTokenBytes = 8 * 1024;
/** Clock skew that an API server tolerates between itself and the issuer of the token. */
const leewaySeconds = 60;
const askMilliseconds = 5_000;
/**
 * Questions about tokens that were never accepted. At most 125 in a second, and 75 for one address, are no load on
 * the API server, and all that may wait have their turn before Prometheus gives up a scrape, after 10 s.
 */
const turnsOfOthers = { slots: 5, minMilliseconds: 40, patience: 8_000, most: 256 };

interface Remembered {
  readonly until: number;
  readonly status: AccessStatus;
}

/** Asks for the right to get the non-resource URL `/metrics` (TokenReview, SubjectAccessReview). */
export function metricsAccess(connection: Connection): MetricsAccess {
  // Apart, so that made-up tokens take neither the place nor the turn of those that were good.
  const good = new Map<string, Remembered>();
  const refused = new Map<string, Remembered>();
  const asked = new Map<string, Promise<AccessStatus>>();
  const turns = new Turns(turnsOfOthers);

  function remembered(key: string): AccessStatus | undefined {
    const known = good.get(key) ?? refused.get(key);
    return known !== undefined && known.until > performance.now() ? known.status : undefined;
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

  function askOnce(key: string, token: string): Promise<AccessStatus> {
    let asking = asked.get(key);
    if (asking === undefined) {
      asking = ask(token).finally(() => asked.delete(key));
      asked.set(key, asking);
    }
    return asking;
  }

  async function askAndRemember(key: string, token: string): Promise<AccessStatus> {
    const status = await askOnce(key, token);
    if (status !== 503) {
      good.delete(key);
      remember(status === 200 ? good : refused, key, status);
    }
    return status;
  }

  return {
    async statusFor(authorization = '', asker, gone) {
      const token = bearerToken(authorization);
      if (token === undefined || !mayBeGood(token, connection.now())) return 401;
      const key = createHash('sha256').update(token).digest('base64');
      const known = remembered(key);
      if (known !== undefined) return known;
      if (good.has(key)) return askAndRemember(key, token);
      const giveBack = await turns.take(asker, gone);
      if (giveBack === undefined) return 503;
      try {
        // Another request may have asked meanwhile.
        return remembered(key) ?? (await askAndRemember(key, token));
      } finally {
        giveBack();
      }
    },
  };
}

/**
 * Not asked about a JWT that has expired: a webhook or OpenID Connect may know any other token. @param now ms
 */
export function mayBeGood(token: string, now: number): boolean {
  if (token.length > maxTokenBytes) return false;
  const [header = '', payload = '', signature, ...more] = token.split('.');
  if (signature === undefined || more.length > 0) return true;
  if (own(decoded(header) ?? {}, 'alg') === undefined) return true;
  const claims = decoded(payload);
  if (claims === undefined) return false;
  const expiry = own(claims, 'exp');
  return typeof expiry !== 'number' || (expiry + leewaySeconds) * 1000 > now;
}

function decoded(part: string): JsonObject | undefined {
  try {
    const value = parseJson(Buffer.from(part, 'base64url'));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

function remember(among: Map<string, Remembered>, key: string, status: AccessStatus): void {
  among.delete(key);
  among.set(key, { until: performance.now() + rememberedMilliseconds, status });
  if (among.size > maxRemembered) among.delete(among.keys().next().value ?? '');
}
