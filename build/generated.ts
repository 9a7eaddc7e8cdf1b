/** Files that are made from the code; `npm run docs` writes them, test/docs says when they are old. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../src/checks/preflight/openapi.js';
import { answeredPage } from './answered-page.js';
import { architecturePage, folderPages } from './architecture.js';
import { coverageDocument } from './coverage.js';
import { chartFiles } from './chart.js';
import { outputSchemas } from './output-schemas.js';
import { publishedPolicySchema } from './policy-schema.js';
import { withRefusedReleases } from './refused-releases.js';
import { olmFiles, ownRelease } from './olm-bundle.js';
import { resolutionPage } from './resolution-page.js';
import { metricsDocument } from './metrics-document.js';
import { rulePages, rulesDocument } from './rules-document.js';

const verdicts = join(import.meta.dirname, '..', 'docs', 'verdicts.md');

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: () => string | Promise<string>;
}

export const generatedFiles: readonly GeneratedFile[] = [
  { file: 'docs/architecture.md', text: architecturePage },
  ...folderPages,
  { file: 'docs/coverage.md', text: coverageDocument },
  { file: 'docs/metrics.md', text: metricsDocument },
  { file: 'docs/rules.md', text: rulesDocument },
  ...rulePages,
  { file: 'docs/openapi.json', text: () => json(openApiDocument()) },
  { file: 'README.md', text: () => answeredPage('README.md') },
  { file: 'docs/verdicts.md', text: () => withRefusedReleases(readFileSync(verdicts, 'utf8')) },
  { file: 'docs/commands.md', text: () => answeredPage('docs/commands.md') },
  { file: 'docs/manifests.md', text: () => answeredPage('docs/manifests.md') },
  { file: 'docs/resolution.md', text: resolutionPage },
  ...chartFiles,
  ...olmFiles('manifests/olm', ownRelease),
  { file: 'schemas/policy.schema.json', text: () => json(publishedPolicySchema()) },
  ...outputSchemas,
];

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
