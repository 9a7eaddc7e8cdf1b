export { doctorWarnings } from './admission/review.js';
export { type Reviewer, UnfinishedError } from './admission/reviewer.js';
export { type KnownCatalogs } from './admission/subscription-resolution.js';
export { type Logger } from './log.js';
export { type GateMetrics } from './metrics/gate.js';
export { type ExportingRegistry } from './metrics/olm/exporting-registry.js';
export { type OlmMetrics } from './metrics/olm/olm-metrics.js';
export { type RegistrationMetrics } from './metrics/registration.js';
export { type SidecarMetrics } from './metrics/sidecar.js';
export { describeCoverage, readCoverage } from './policy-sync/coverage.js';
export { useInCluster } from './policy-sync/object-use.js';
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
export { type Gate, type GateOptions } from './server/gate.js';
export { type JudgePool } from './server/judge-pool.js';
export { type Address, parseAddress } from './server/listen.js';
export { type MetricsAccess } from './server/metrics-access.js';
export { readPolicy } from './server/policy-file.js';
export { policyOf } from './admission-policy/policy.js';
export { addUse, type Need } from './admission-policy/use.js';
export { staticWebhooks } from './admission-policy/static-webhooks.js';
