/** Where a rule comes from, for anybody to look up; files are cited in the version that was read. */
type Repository = `${string}/${string}`;
type Cite = (path: `${string}.go`, ...functions: string[]) => string;

function files(repository: Repository, version: string): Cite {
  return (path, ...functions) =>
    `${repository} ${version} ${path}${functions.length === 0 ? '' : ` (${functions.join(', ')})`}`;
}

function pages(site: string): (title: string) => string {
  return (title) => `${site} documentation, “${title}”`;
}

/** The projects that rules, profiles and facts follow: the version that was read, and its day. */
export const followedVersions = {
  'operator-framework/operator-lifecycle-manager': { version: 'v0.46.0', date: '2026-07-23' },
  'operator-framework/api': { version: 'v0.45.0', date: '2026-07-21' },
  'operator-framework/operator-registry': { version: 'v1.73.0', date: '2026-07-23' },
  'operator-framework/operator-controller': { version: 'v1.11.0', date: '2026-07-23' },
  'openshift/cluster-olm-operator': { version: '9983877d', date: '2026-07-24' },
  'openshift/crd-schema-checker': { version: 'a406d101', date: '2026-05-20' },
  'kubernetes-sigs/crdify': { version: 'bb9957d', date: '2026-06-02' },
  /** The files that rules cite; verdicts are those of each minor's own release. */
  'kubernetes/apiextensions-apiserver': { version: 'v0.35.4', date: '2026-04-16' },
} as const;

/** Older ones that are followed too, because clusters have them. */
const older = {
  /** The last release with the validators that OpenShift 4.17 documents. */
  'operator-framework/operator-controller': 'v1.3.0',
  /** As operator-controller had it before v1.10. */
  'kubernetes-sigs/crdify': '54162f2',
} as const;

/** The program whose verdicts a profile repeats. */
export const followedByProfile = {
  'olm-v1': `operator-framework/operator-controller ${older['operator-framework/operator-controller']}`,
  crdify: `kubernetes-sigs/crdify ${older['kubernetes-sigs/crdify']}`,
  'olm-v1.10': `kubernetes-sigs/crdify ${followedVersions['kubernetes-sigs/crdify'].version}, as operator-framework/operator-controller ${followedVersions['operator-framework/operator-controller'].version} has it`,
} as const;

const followed = (repository: keyof typeof followedVersions): Cite =>
  files(repository, followedVersions[repository].version);

export const from = {
  olm: followed('operator-framework/operator-lifecycle-manager'),
  olmApi: followed('operator-framework/api'),
  operatorRegistry: followed('operator-framework/operator-registry'),
  operatorController: followed('operator-framework/operator-controller'),
  operatorController417: files(
    'operator-framework/operator-controller',
    older['operator-framework/operator-controller'],
  ),
  clusterOlmOperator: followed('openshift/cluster-olm-operator'),
  crdSchemaChecker: followed('openshift/crd-schema-checker'),
  crdify: files('kubernetes-sigs/crdify', older['kubernetes-sigs/crdify']),
  /** As operator-controller v1.10 and v1.11 have it. */
  crdifyOfOlm110: followed('kubernetes-sigs/crdify'),
  apiextensions: followed('kubernetes/apiextensions-apiserver'),
  helm: files('helm/helm', 'v3.20.2'),
  kubernetesPages: pages('Kubernetes'),
  openShift: pages('OpenShift'),
  olmPages: pages('OLM'),
  issue: (repository: Repository, number: number): string => `${repository}#${number}`,
  /** A rule of our own: the page of this repository that argues for it. */
  us: (page: `docs/${string}.md`): string => `olm-guard ${page}`,
} as const;

/** For a rule with more than one. */
export const sources = (...each: string[]): string => each.join('; ');
