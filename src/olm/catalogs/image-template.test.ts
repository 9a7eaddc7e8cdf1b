import { expect } from 'chai';
import { resolveImageTemplate } from './image-template.js';

const image = 'registry.example/catalog:v{kube_major_version}.{kube_minor_version}';

describe('catalog image templates', () => {
  const versions: [rule: string, gitVersion: string, processed: string | undefined][] = [
    ['a release', 'v1.30.4', 'registry.example/catalog:v1.30'],
    ['without v', '1.30.4', 'registry.example/catalog:v1.30'],
    ['with a vendor’s suffix', 'v1.27.3-gke.100', 'registry.example/catalog:v1.27'],
    ['with build metadata', 'v1.25.16+rke2r1', 'registry.example/catalog:v1.25'],
    ['blanks around', ' v1.30.4 ', 'registry.example/catalog:v1.30'],
    ['no patch', 'v1.29', undefined],
    ['leading zero', 'v1.08.0', undefined],
    ['leading zero in a pre-release', 'v1.8.0-01', undefined],
    ['a newline at the end', 'v1.8.0\n', undefined],
    ['nothing', '', undefined],
  ];
  for (const [rule, gitVersion, processed] of versions) {
    it(`server version: ${rule}`, () => {
      const result = resolveImageTemplate(image, gitVersion, 'old');
      expect(result.processed).to.equal(processed ?? 'registry.example/catalog:vmissing.missing');
      expect(result.specImage).to.equal(processed ?? 'old');
      expect(result.unresolved).to.have.length(processed === undefined ? 2 : 0);
    });
  }

  const references: [rule: string, template: string, error: string | undefined][] = [
    ['a name alone', 'catalog', undefined],
    ['port and path', 'localhost:5000/a/b__c', undefined],
    ['an IPv6 host', '[::1]:5000/a', undefined],
    ['a digest', `a@sha256:${'0'.repeat(64)}`, undefined],
    ['upper case in the path', 'quay.io/A', 'repository name must be lowercase'],
    ['an unknown template', 'quay.io/a:{kube_foo}', 'invalid reference format'],
    [
      'a template of another resource',
      'quay.io/a:{group:g,version:v1,kind:K,name:n,jsonpath:.x}',
      'invalid reference format',
    ],
    ['a scheme', 'https://quay.io/a', 'invalid reference format'],
    ['a long tag', `a:${'x'.repeat(129)}`, 'invalid reference format'],
    ['a long path', 'a'.repeat(256), 'repository name must not be more than 255 characters'],
    ['a short digest', `a@sha256:${'0'.repeat(32)}`, 'invalid checksum digest length'],
    ['an upper-case digest', `a@sha256:${'A'.repeat(64)}`, 'invalid checksum digest format'],
    ['an unknown digest', `a@md5:${'0'.repeat(32)}`, 'unsupported digest algorithm'],
  ];
  for (const [rule, template, error] of references) {
    it(`reference: ${rule}`, () => {
      const result = resolveImageTemplate(template, 'v1.30.0', '');
      expect(result.referenceError).to.equal(error);
      expect(result.invalidSyntax).to.equal(error !== undefined);
    });
  }

  it('names unresolved variables and bad syntax in one message', () => {
    const { conditions } = resolveImageTemplate('a:{kube_minor_version}{x}', undefined, '');
    expect(conditions).to.deep.equal([
      {
        type: 'TemplatesHaveResolved',
        status: 'False',
        reason: 'UnableToResolve',
        message:
          'cannot construct catalog image reference, because variable(s) "{kube_minor_version}" could not be resolved and one or more template(s) has improper syntax',
      },
      {
        type: 'ResolvedImage',
        status: 'False',
        reason: 'UnableToResolve',
        message: 'a:missing{x}',
      },
    ]);
  });

  it('takes its conditions away from a CatalogSource without a template', () => {
    const result = resolveImageTemplate(undefined, 'v1.30.0', 'image');
    expect(result).to.include({ participates: false, specImage: 'image', specChanged: false });
    expect(result.removeConditions).to.deep.equal(['TemplatesHaveResolved', 'ResolvedImage']);
  });
});
