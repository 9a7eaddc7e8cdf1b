/** `spec.conversion`. Source: validateCustomResourceConversion, k8s.io/apiserver/pkg/util/webhook/validation.go. */
import { isCertificate } from '../../text/platform.js';
import {
  child,
  forbidden,
  invalid,
  invalids,
  notSupported,
  required,
  type FieldError,
} from '../apiserver/field-error.js';
import { parseReference } from '../../text/formats/network.js';
import { label1035Problems, subdomainProblems } from '../../text/formats/names.js';
import type {
  Conversion,
  WebhookClientConfig,
  Requirements,
} from './custom-resource-definition.js';
import { append } from '../../text/long-lists.js';

const strategies = ['None', 'Webhook'];

export function conversionErrors(
  { strategy, clientConfig, reviewVersions }: Conversion,
  requirements: Requirements,
  preservesUnknownFields: boolean,
): FieldError[] {
  const path = 'spec.conversion';
  const errors: FieldError[] = [];
  if (strategy !== 'None' && preservesUnknownFields) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid(child(path, 'strategy'), detail));
  }
  if (strategy === '') errors.push(required(child(path, 'strategy')));
  else if (!strategies.includes(strategy)) {
    errors.push(notSupported(child(path, 'strategy'), strategies));
  }
  const [configPlace, versionsPlace] = [
    child(path, 'webhookClientConfig'),
    child(path, 'conversionReviewVersions'),
  ];
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook';
    if (clientConfig !== undefined) errors.push(forbidden(configPlace, detail));
    if (reviewVersions.length > 0) errors.push(forbidden(versionsPlace, detail));
    return errors;
  }
  if (clientConfig === undefined) {
    errors.push(required(configPlace, 'required when strategy is set to Webhook'));
  } else append(errors, clientConfigErrors(clientConfig, configPlace, requirements.validCaBundle));
  append(
    errors,
    reviewVersionErrors(reviewVersions, versionsPlace, requirements.recognizedReviewVersion),
  );
  return errors;
}

function clientConfigErrors(
  { url, service, caBundle }: WebhookClientConfig,
  path: string,
  requiresValidBundle: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) append(errors, urlErrors(url, child(path, 'url')));
  else if (service !== undefined) append(errors, serviceErrors(service, child(path, 'service')));
  if (requiresValidBundle && caBundle.length > 0 && !isCaBundleValid(caBundle)) {
    const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
    errors.push(invalid(child(path, 'caBundle'), detail));
  }
  return errors;
}

const urlForm = '; desired format: https://host[/path]';

function urlErrors(text: string, field: string): FieldError[] {
  const url = parseReference(text);
  if (typeof url === 'string') {
    return [required(field, `url must be a valid URL: ${url}${urlForm}`)];
  }
  const problems: string[] = [];
  if (url.scheme !== 'https') problems.push(`'https' is the only allowed URL scheme${urlForm}`);
  if (url.host === '') problems.push(`host must be specified${urlForm}`);
  if (url.hasUser) problems.push('user information is not permitted in the URL');
  if (url.fragment !== '') problems.push('fragments are not permitted in the URL');
  if (url.rawQuery !== '') problems.push('query parameters are not permitted in the URL');
  return invalids(field, problems);
}

function serviceErrors(
  { name, namespace, port, path }: NonNullable<WebhookClientConfig['service']>,
  place: string,
): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream hands name and namespace over in the other order.
  if (namespace === '') errors.push(required(child(place, 'name')));
  if (name === '') errors.push(required(child(place, 'namespace')));
  if (port < 1 || port > 65535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalid(child(place, 'port'), detail));
  }
  if (path === undefined || path === '' || path === '/') return errors;
  const field = child(place, 'path');
  if (path === '//') return [...errors, invalid(field, 'segment[0] may not be empty')];
  if (!path.startsWith('/')) errors.push(invalid(field, "must start with a '/'"));
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, index) => {
    const problems =
      segment === ''
        ? [' may not be empty']
        : subdomainProblems(segment).map((each) => `: ${each}`);
    append(
      errors,
      problems.map((problem) => invalid(field, `segment[${index}]${problem}`)),
    );
  });
  return errors;
}

function reviewVersionErrors(
  versions: readonly string[],
  field: string,
  requiresRecognized: boolean,
): FieldError[] {
  if (versions.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  versions.forEach((version, index) => {
    const problems = seen.has(version) ? ['duplicate version'] : label1035Problems(version);
    seen.add(version);
    append(errors, invalids(`${field}[${index}]`, problems));
  });
  if (requiresRecognized && !hasRecognizedVersion(versions)) {
    errors.push(invalid(field, 'must include at least one of v1, v1beta1'));
  }
  return errors;
}

const recognizedVersions = ['v1', 'v1beta1'];

/** None at all passes, too. */
export function hasRecognizedVersion(versions: readonly string[]): boolean {
  return versions.length === 0 || versions.some((version) => recognizedVersions.includes(version));
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Whether a bundle holds at least one certificate that can be read. */
export function isCaBundleValid(bundle: Uint8Array): boolean {
  const text = Buffer.from(bundle).toString('latin1');
  return (text.match(certificate) ?? []).some(isCertificate);
}
