export { doctorWarnings } from './admission/review.js';
export { type Reviewer, UnfinishedError } from './admission/reviewer.js';
export type { KnownCatalogs } from './admission/subscription-resolution.js';
export type { Logger } from './log.js';
export type { GateMetrics, RegistrationMetrics, SidecarMetrics } from './metrics/own-metrics.js';
export type { ExportingRegistry } from './metrics/olm/go-exposition.js';
export type { OlmMetrics } from './metrics/olm/olm-metrics.js';
export { describeCoverage, readCoverage, useInCluster } from './policy-sync/coverage.js';
export { apiServiceName } from './server/api-discovery.js';
export { certificatesOf } from './server/certificates/authority.js';
export { type CertificateSource, notValidAt } from './server/certificates/certificate.js';
export { readAuthority } from './server/certificates/client-authority.js';
export { readCertificate } from './server/certificates/files.js';
export { readFrontProxy } from './server/certificates/front-proxy.js';
export {
  type SecretCertificateOptions,
  certificateInSecret,
} from './server/certificates/in-secret.js';
export type { Gate, GateOptions } from './server/gate.js';
export type { JudgePool } from './server/judge-pool.js';
export { type Address, parseAddress } from './server/listen.js';
export type { MetricsAccess } from './server/metrics-access.js';
export { readPolicy } from './server/policy-file.js';
export { policyOf } from './admission-policy/policy.js';
export { addUse, type Need } from './admission-policy/use.js';
export { staticWebhooks } from './admission-policy/static-webhooks.js';
