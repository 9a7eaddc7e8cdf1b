/**
 * A certificate authority and a serving certificate that the gate makes and keeps in a Secret, and
 * whose authority it fills into its ValidatingWebhookConfiguration and its APIService.
 *
 * All replicas read the Secret; one, which holds a Lease, writes. A new authority is trusted before
 * it is used: it is kept as the next one, is in every `caBundle` beside the one in use, and
 * takes over when API servers have had time to see it. Time is the API server's, which is who
 * verifies, so that a clock that jumps here changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ClusterError } from '../../../cluster/index.js';
import {
  own,
  stringifyJson,
  type JsonObject,
  invalidInput,
} from '../../../text/documents/index.js';
import { objectAt, objectsAt } from '../../../text/documents/fields.js';
import type { Logger } from '../../log.js';
import type { ServerMetrics } from '../../metrics/own-metrics.js';
import { apiServiceName } from '../api-discovery.js';
import { certificatesOf, createAuthority, issueCertificate, type Authority } from './authority.js';
import { notValidAt, type Certificate, type CertificateSource } from './certificate.js';
import {
  dataOf,
  keptIn,
  nextStep,
  wantedBundle,
  type StoredCertificates,
} from './kept-certificates.js';

export interface SecretCertificateOptions {
  readonly namespace: string;
  readonly name: string;
  /** Name of the ValidatingWebhookConfiguration whose webhooks all get the `caBundle`. */
  readonly registration: string;
  /** Whether the APIService of the gate gets it too. */
  readonly isAggregated: boolean;
  /** Host names and addresses that the certificate is for; at least one. */
  readonly names: readonly string[];
  /** Whether this replica is the one that writes. */
  readonly isWriter: () => boolean;
  readonly log: Logger;
  readonly metrics: Pick<ServerMetrics, 'certificateReloads'>;
  /** Milliseconds since 1970; the API server's clock when it is left out. */
  readonly now?: () => number;
  /** Between looks at the Secret. */
  readonly roundMilliseconds?: number;
  /** From when a new authority is in every `caBundle` until it is used. */
  readonly settleMilliseconds?: number;
}

const authorityDays = 365;
/** Longest wait for one answer of the API server. */
const requestMilliseconds = 10_000;

/** A replica that may write makes it. @throws InvalidInputError without the right to read the Secret */
export async function certificateInSecret(
  connection: Connection,
  options: SecretCertificateOptions,
): Promise<CertificateSource> {
  const { log, metrics, roundMilliseconds = 10_000 } = options;
  for (const outcome of ['success', 'failure']) metrics.certificateReloads.inc({ outcome }, 0);
  const kept = new CertificateKeeper(connection, options);
  while (kept.serving === undefined) {
    try {
      await kept.round();
    } catch (error) {
      if (error instanceof ClusterError && error.status === 403) {
        const rights = `${error.message}; the rights are in manifests/components/self-managed`;
        throw invalidInput(rights);
      }
      log.warn({ reason: String(error) }, 'no serving certificate yet');
    }
    if (kept.serving === undefined) await sleep(Math.min(roundMilliseconds, 1000));
  }
  const current = kept.serving;
  const closed = new AbortController();

  async function follow(use: (certificate: Certificate) => void): Promise<void> {
    let seen = current.cert;
    while (!closed.signal.aborted) {
      try {
        await kept.round();
        const { serving } = kept;
        if (serving !== undefined && serving.cert !== seen) {
          seen = serving.cert;
          const problem = notValidAt(new Date(kept.now()), serving);
          if (problem === undefined) {
            use(serving);
            metrics.certificateReloads.inc({ outcome: 'success' });
            log.info({ expires: serving.expires }, 'serving certificate reloaded');
          } else {
            metrics.certificateReloads.inc({ outcome: 'failure' });
            const reason = `the certificate in the Secret ${problem}`;
            log.error({ reason }, 'serving certificate not reloaded; the one in use is kept');
          }
        }
      } catch (error) {
        log.error({ reason: String(error) }, 'certificates not renewed; those in use are kept');
      }
      await sleep(roundMilliseconds, undefined, { signal: closed.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  return {
    current,
    onRenewal(use) {
      void follow(use);
      return Promise.resolve();
    },
    close: () => closed.abort(),
  };
}

class CertificateKeeper {
  private kept: StoredCertificates = {};
  private reported: ReadonlySet<string> = new Set();
  /** Since when, by this process's own steady clock, the next authority has been in every caBundle. */
  private published: { readonly cert: string; readonly at: number } | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly options: SecretCertificateOptions,
  ) {}

  get serving(): Certificate | undefined {
    return this.kept.serving;
  }

  /** Reads the Secret, and brings it and the registration up to date where this replica writes. */
  async round(): Promise<void> {
    // Each step brings the state nearer to what it should be; the bound ends a quarrel over it.
    for (let steps = 0; steps < 6; steps += 1) {
      const secret = await this.connection.find({
        path: `${this.secrets}/${this.options.name}`,
        ...inTime(),
      });
      if (secret === undefined) {
        if (!this.options.isWriter()) return;
        await this.write(undefined, await this.whatIsKept());
        continue;
      }
      const { kept: stored, problems } = keptIn(secret);
      this.tell(problems);
      // A damaged Secret must not take the certificate in use away, nor what issued it.
      const { serving, authority } = this.kept;
      this.kept = { serving, authority, ...stored };
      if (!this.options.isWriter() || !(await this.step(secret, stored))) return;
    }
  }

  /** Warns once: a replica that writes puts another in its place. */
  private tell(problems: readonly string[]): void {
    for (const reason of problems.filter((each) => !this.reported.has(each))) {
      this.options.log.warn(
        { reason, secret: this.options.name },
        'an authority in the Secret is not used; a new one takes its place',
      );
    }
    this.reported = new Set(problems);
  }

  /** After the Secret was deleted, what is in use still; at the very first, something new. */
  private async whatIsKept(): Promise<StoredCertificates> {
    if (this.kept.authority !== undefined) return this.kept;
    const authority = await createAuthority(this.now(), authorityDays);
    return { authority, serving: await this.issue(authority) };
  }

  /** @returns whether something was done */
  private async step(secret: JsonObject, stored: StoredCertificates): Promise<boolean> {
    const trusting = await this.readTrusting();
    const bundles = trusting.flatMap(({ object, holders }) => holders(object).map(certificatesIn));
    const step = nextStep(stored, bundles, this.options.names, this.now(), () =>
      this.hasSettled(stored.next),
    );
    switch (step) {
      case 'none':
        return false;
      case 'publish':
        if (trusting.length === 0) return false;
        await this.publish(trusting, stored);
        break;
      case 'prepare':
        await this.write(secret, {
          ...stored,
          next: await createAuthority(this.now(), authorityDays),
        });
        break;
      case 'promote':
      case 'issue': {
        const authority = step === 'promote' ? stored.next : stored.authority;
        if (authority === undefined) return false;
        await this.write(secret, { authority, serving: await this.issue(authority) });
      }
    }
    this.options.log.info({ step, secret: this.options.name }, 'certificates brought up to date');
    return true;
  }

  private issue(authority: Authority): Promise<Certificate> {
    return issueCertificate(authority, this.options.names, this.now());
  }

  private hasSettled(next: Authority | undefined): boolean {
    if (next === undefined) return false;
    const { settleMilliseconds = 30_000 } = this.options;
    if (this.published?.cert !== next.cert) {
      this.published = { cert: next.cert, at: performance.now() };
    }
    return performance.now() - this.published.at >= settleMilliseconds;
  }

  now(): number {
    return this.options.now?.() ?? this.connection.now();
  }

  private get secrets(): string {
    return `/api/v1/namespaces/${this.options.namespace}/secrets`;
  }

  /** The existing objects whose `caBundle` follows the authority. */
  private async readTrusting(): Promise<Trusting[]> {
    const { registration, isAggregated } = this.options;
    const kinds = [
      { path: `${registrations}/${registration}`, ...webhookConfiguration },
      ...(isAggregated ? [{ path: apiServicePath, ...apiService }] : []),
    ];
    const found: Trusting[] = [];
    for (const { path, ...kind } of kinds) {
      const object = await this.connection.find({ path, ...inTime() });
      if (object !== undefined) found.push({ path, object, ...kind });
    }
    return found;
  }

  /** With its resourceVersion, so that one of two writers gets 409 and looks again. */
  private async write(secret: JsonObject | undefined, kept: StoredCertificates): Promise<void> {
    const { namespace, name } = this.options;
    if (own(secret ?? {}, 'immutable') === true) {
      throw new Error(
        `Secret ${namespace}/${name} is immutable and has to be written: delete it, and olm-guard makes another`,
      );
    }
    const body = stringifyJson({
      apiVersion: 'v1',
      kind: 'Secret',
      type: own(secret ?? {}, 'type') ?? 'kubernetes.io/tls',
      metadata: own(secret ?? {}, 'metadata') ?? { name, namespace },
      data: dataOf(kept),
    });
    await this.connection.read(
      secret === undefined
        ? { path: this.secrets, method: 'POST', body, ...inTime() }
        : { path: `${this.secrets}/${name}`, method: 'PUT', body, ...inTime() },
    );
    this.kept = { serving: this.kept.serving, ...kept };
  }

  private async publish(trusting: readonly Trusting[], kept: StoredCertificates): Promise<void> {
    const filled = (holder: JsonObject): JsonObject => {
      const bundle = wantedBundle(kept, certificatesIn(holder), this.now());
      return { ...holder, caBundle: Buffer.from(`${bundle.join('\n')}\n`).toString('base64') };
    };
    for (const { path, object, fill } of trusting) {
      const body = stringifyJson(fill(object, filled));
      await this.connection.read({ path, method: 'PUT', body, ...inTime() });
    }
  }
}

const registrations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const apiServicePath = `/apis/apiregistration.k8s.io/v1/apiservices/${apiServiceName}`;

/** Where an object holds what its reader trusts. */
interface TrustingKind {
  /** The parts with a `caBundle`. */
  readonly holders: (object: JsonObject) => JsonObject[];
  /** The object with these parts put in their place. */
  readonly fill: (object: JsonObject, filled: (holder: JsonObject) => JsonObject) => JsonObject;
}

interface Trusting extends TrustingKind {
  readonly path: string;
  readonly object: JsonObject;
}

const webhookConfiguration: TrustingKind = {
  holders: (object) =>
    objectsAt(object, 'webhooks').map((each) => objectAt(each, 'clientConfig') ?? {}),
  fill: (object, filled) => ({
    ...object,
    webhooks: objectsAt(object, 'webhooks').map((webhook) => ({
      ...webhook,
      clientConfig: filled(objectAt(webhook, 'clientConfig') ?? {}),
    })),
  }),
};

const apiService: TrustingKind = {
  holders: (object) => [objectAt(object, 'spec') ?? {}],
  fill: (object, filled) => ({ ...object, spec: filled(objectAt(object, 'spec') ?? {}) }),
};

/** An API server that accepts and never answers must not end the rounds. */
function inTime(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(requestMilliseconds) };
}

function certificatesIn(holder: JsonObject): string[] {
  const bundle = own(holder, 'caBundle');
  return typeof bundle === 'string'
    ? certificatesOf(Buffer.from(bundle, 'base64').toString('utf8'))
    : [];
}
