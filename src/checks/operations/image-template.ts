import { resolveImageTemplate } from '../../olm/index.js';
import { findingNamed } from '../../policy/index.js';
import { optionalText, record } from './schemas.js';
import { defineOperation } from './operation.js';

interface ImageTemplateInput {
  readonly template?: string | null;
  readonly gitVersion?: string | null;
  readonly specImage?: string | null;
}

export const imageTemplate = defineOperation<ImageTemplateInput>({
  name: 'image-template',
  summary: 'Which image the annotation olm.catalogImageTemplate of a CatalogSource becomes.',
  quick: true,
  input: record({ template: optionalText, gitVersion: optionalText, specImage: optionalText }),
  judge({ template, gitVersion, specImage }) {
    const output = resolveImageTemplate(
      template ?? undefined,
      gitVersion ?? undefined,
      specImage ?? '',
    );
    const [condition] = output.conditions;
    return {
      allowed: true,
      findings:
        condition?.status === 'False'
          ? [findingNamed('CatalogImageTemplate', { message: condition.message })]
          : [],
      output,
    };
  },
});
