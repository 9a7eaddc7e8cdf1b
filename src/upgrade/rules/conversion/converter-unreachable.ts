import { defineRule, from, sameInBothVersions, sources } from '../../../rule/index.js';

export const converterUnreachable = defineRule({
  id: 'ConverterUnreachable',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'A conversion webhook whose service, endpoints, port or certificate an API server cannot use.',
  why: 'Every read and write in another version than the stored one fails, the deletion of the namespace among them, for as long as the webhook is away.',
  otherwise:
    'conversion webhook for example.com/v1, Kind=Widget failed: Post "https://…": x509: certificate signed by unknown authority',
  instead:
    'Bring up the service, its endpoints and a certificate for SERVICE.NAMESPACE.svc first, with its authority in caBundle, and name the webhook in the definition after that.',
  source: sources(
    from.apiextensions('pkg/apiserver/conversion/webhook_converter.go', 'Convert'),
    from.issue('operator-framework/operator-lifecycle-manager', 3892),
  ),
  messages: {
    unreachable: 'the converter cannot be reached{detail}',
    certificate: 'the certificate of the converter is not accepted{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `failure: { clause: certificate, reason: 'CERT_HAS_EXPIRED' }`,
    says: 'the certificate of the converter is not accepted',
  },
});
