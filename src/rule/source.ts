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

export const from = {
  olm: files('operator-framework/operator-lifecycle-manager', 'v0.46.0'),
  olmApi: files('operator-framework/api', 'v0.45.0'),
  operatorRegistry: files('operator-framework/operator-registry', 'v1.73.0'),
  operatorController: files('operator-framework/operator-controller', 'v1.11.0'),
  /** The last release with the validators that OpenShift 4.17 documents. */
  operatorController417: files('operator-framework/operator-controller', 'v1.3.0'),
  clusterOlmOperator: files('openshift/cluster-olm-operator', '9983877d'),
  crdSchemaChecker: files('openshift/crd-schema-checker', 'a406d101'),
  crdify: files('kubernetes-sigs/crdify', '54162f2'),
  /** As operator-controller v1.10 and v1.11 have it. */
  crdifyOfOlm110: files('kubernetes-sigs/crdify', 'bb9957d'),
  apiextensions: files('kubernetes/apiextensions-apiserver', 'v0.35.4'),
  kubernetesPages: pages('Kubernetes'),
  openShift: pages('OpenShift'),
  olmPages: pages('OLM'),
  issue: (repository: Repository, number: number): string => `${repository}#${number}`,
  /** A rule that nobody else has: the page of this repository that says what it is for. */
  us: (page: `docs/${string}.md`): string => `olm-guard ${page}`,
} as const;

/** For a rule with more than one. */
export const sources = (...each: string[]): string => each.join('; ');
