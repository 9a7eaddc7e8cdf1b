/** As `ParseNormalizedNamed` of containers/image, by which opm checks a bundle's images. */

const nameComponent = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const domainComponent = String.raw`[a-zA-Z0-9]+(?:-+[a-zA-Z0-9]+)*`;
const domain = String.raw`${domainComponent}(?:\.${domainComponent})*(?::[0-9]+)?`;
const tag = String.raw`\w[\w.-]{0,127}`;
const digest = String.raw`[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}`;
const reference = new RegExp(
  `^((?:${domain}/)?${nameComponent}(?:/${nameComponent})*)(?::(${tag}))?(?:@(${digest}))?$`,
);
const hexLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);
const longestName = 255;

/** Images repeat from bundle to bundle. Empty where nothing is wrong. */
const remembered = new Map<string, string>();
const maxRemembered = 10_000;

/** The error of a reference, in the words of the library; undefined when it is fine. */
export function imageReferenceProblem(image: string): string | undefined {
  let problem = remembered.get(image);
  if (problem === undefined) {
    problem = findProblem(image) ?? '';
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(image, problem);
  }
  return problem === '' ? undefined : problem;
}

function findProblem(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const [host, rest] = splitDomain(image);
  const remote = rest.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) {
    return 'invalid reference format: repository name must be lowercase';
  }
  const whole = `${host}/${rest}`;
  const match = reference.exec(whole);
  if (match === null) {
    return reference.test(whole.toLowerCase())
      ? 'repository name must be lowercase'
      : 'invalid reference format';
  }
  if ((match[1] ?? '').length > longestName) {
    return `repository name must not be more than ${longestName} characters`;
  }
  return match[3] === undefined ? undefined : digestProblem(match[3]);
}

/** Docker's rule: what holds neither a dot nor a colon is no host name, unless it is localhost. */
function splitDomain(image: string): [host: string, rest: string] {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = slash !== -1 && (/[.:]/.test(first) || first === 'localhost');
  const host = isHost ? first : 'docker.io';
  const rest = isHost ? image.slice(slash + 1) : image;
  if (host !== 'docker.io' && host !== 'index.docker.io') return [host, rest];
  return ['docker.io', rest.includes('/') ? rest : `library/${rest}`];
}

function digestProblem(text: string): string | undefined {
  const colon = text.indexOf(':');
  const algorithm = text.slice(0, colon);
  const hex = text.slice(colon + 1);
  const length = hexLengths.get(algorithm);
  if (length === undefined) {
    return /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*$/.test(algorithm)
      ? 'unsupported digest algorithm'
      : 'invalid checksum digest format';
  }
  if (hex.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(hex) ? undefined : 'invalid checksum digest format';
}
