import { describeRule } from '../testing/harness.js';
import { catalogSourceImageTemplate } from './catalog-source-rules.js';
import { makeCatalog, follows, image } from './testing/catalog-source.js';

describeRule(catalogSourceImageTemplate, [
  { when: 'resolves', object: makeCatalog(image, follows), says: [] },
  { when: 'none', object: makeCatalog(image), says: [] },
  {
    when: 'version unknown',
    object: makeCatalog(image, follows),
    kubernetesVersion: null,
    says: [],
  },
  {
    when: 'an unknown name, version unknown',
    object: makeCatalog(image, 'example.com/c:v{ocp_major_version}'),
    kubernetesVersion: null,
    says: [/^warning: UnableToResolve: .* \(as if Kubernetes were v1.30.0\)$/],
  },
  {
    when: 'an unknown name',
    object: makeCatalog(image, 'example.com/c:{foo}'),
    says: [/^warning: UnableToResolve: /],
  },
]);
