/**
 * References to images taken literally, without Docker Hub's short names: what OLM checks of a CatalogSource's
 * image template. Rule: distribution/reference 0.6 `Parse`, and go-digest for what follows @.
 */

const MAX_PATH_BYTES = 255;

const domainComponent = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const host = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])`;
const domain = `${host}(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const path = `${pathComponent}(?:/${pathComponent})*`;
const tag = '[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}';
const algorithm = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*';
const digest = `${algorithm}:[0-9a-fA-F]{32,}`;

const reference = new RegExp(`^((?:${domain}/)?${path})(?::${tag})?(?:@(${digest}))?$`);
const named = new RegExp(`^(?:${domain}/)?(${path})$`);
const digestForm = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/;

/** Hexadecimal digits of the digests that can be checked. */
const digestLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** Why the text is no image reference, in the library's words; undefined when it is one. */
export function literalReferenceError(text: string): string | undefined {
  const match = reference.exec(text);
  if (match === null) {
    if (text === '') return 'repository name must have at least one component';
    return reference.test(lowerCase(text))
      ? 'repository name must be lowercase'
      : 'invalid reference format';
  }
  const name = match[1] ?? '';
  const repository = named.exec(name)?.[1] ?? name;
  if (repository.length > MAX_PATH_BYTES) {
    return `repository name must not be more than ${MAX_PATH_BYTES} characters`;
  }
  return match[2] === undefined ? undefined : digestError(match[2]);
}

function digestError(text: string): string | undefined {
  const separator = text.indexOf(':');
  const encoded = text.slice(separator + 1);
  const length = digestLengths.get(text.slice(0, separator));
  if (length === undefined) {
    return digestForm.test(text)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format';
  }
  if (encoded.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(encoded) ? undefined : 'invalid checksum digest format';
}

/** Go lowers U+0130 to a plain i, JavaScript to an i with a dot above. */
function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}
