/**
 * Writes src/definition/by-minor.json: in what the validation of definitions differs between minors, read
 * from the sources of the Go modules that the reference programs are built of.
 *
 *     npx tsx test/reference/kubernetes/by-minor.ts
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTraits } from '../../../src/definition/minors.js';

const here = import.meta.dirname;
const output = join(here, '..', '..', '..', 'src', 'definition', 'by-minor.json');

/** `go.mod` is that of the newest minor. */
const moduleFiles = readdirSync(here).filter((name) => name.endsWith('.mod'));

/** Folder of a module, downloaded where it is not there. */
function folderOf(path: string, version: string): string {
  const json = execFileSync('go', ['mod', 'download', '-json', `${path}@${version}`], {
    encoding: 'utf8',
  });
  return (JSON.parse(json) as { Dir: string }).Dir;
}

function traitsOf(moduleFile: string): readonly [minor: string, traits: ServerTraits] {
  const modules = readFileSync(join(here, moduleFile), 'utf8');
  const versionOf = (path: string): string =>
    new RegExp(`${path} (v\\S+)`).exec(modules)?.[1] ?? '';
  const reader = (path: string): ((file: string) => string) => {
    const folder = folderOf(path, versionOf(path));
    // A file that a release does not have yet says nothing.
    return (file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
  };
  const extensions = reader('k8s.io/apiextensions-apiserver');
  const server = reader('k8s.io/apiserver');
  const cel = reader('github.com/google/cel-go');
  const minor = Number(versionOf('k8s.io/apiextensions-apiserver').split('.')[1]);
  const validation = extensions('pkg/apis/apiextensions/validation/validation.go');
  const features = extensions('pkg/features/kube_features.go');
  const formats = extensions('pkg/apiserver/validation/formats.go');
  const costs = server('pkg/cel/library/cost.go');
  const estimates = costs.slice(costs.indexOf(') EstimateCallCost('));
  const folds = cel('checker/cost.go');
  const isOn = (feature: string): boolean => {
    const [, block = ''] =
      new RegExp(`${feature}:\\s*\\{([^}]*(?:\\},\\s*\\{[^}]*)*)`).exec(features) ?? [];
    return block.lastIndexOf('Default: true') > block.lastIndexOf('Default: false');
  };
  return [
    `1.${minor}`,
    {
      // Up to 1.30 a constant of the same value.
      celCompatibility: minor - 1,
      celGo: versionOf('github.com/google/cel-go'),
      knowsFirstAndLast: cel('cel/library.go').includes('Function("last"'),
      checksFormatLiterals: cel('ext/strings.go').includes('stringFormatValidator'),
      breaksOverComputedFormats: cel('ext/formatting.go').includes(
        'ast.LiteralKind && formatString.AsLiteral()',
      ),
      mixesThroughoutFormats: cel('cel/validator.go').includes('for found {'),
      sharesOptionals: !cel('cel/library.go').includes('meh.Copy(target)'),
      sizesFolds: /computedSizes\[[^\]]+\] = rangeCnt|computedEntrySizes/.test(folds),
      sizesEntries: folds.includes('computedEntrySizes'),
      costsQuantities: estimates.includes('"isQuantity"'),
      costsOpaqueEquality: estimates.includes('case "_==_":'),
      boundsIntOrString: /IsXIntOrString\(\) \{[^}]*\bs\.MaxLength\(\)/.test(
        server('pkg/cel/common/schemas.go'),
      ),
      breaksWithoutType: !extensions('pkg/apiserver/schema/cel/compilation.go').includes(
        'failed to convert to declType',
      ),
      knowsSelectableFields: isOn('CustomResourceFieldSelectors'),
      knowsOptionalOldSelf: isOn('CRDValidationRatcheting'),
      ignoresNestedFalse: extensions('pkg/apiserver/schema/validation.go').includes(
        'AllowNestedAdditionalProperties',
      ),
      keepsExamples: extensions('pkg/apiserver/schema/convert.go').includes('g.Example'),
      knowsStoredMessages: validation.includes('messageExpressions.Insert(v.MessageExpression)'),
      checksCaBundle: validation.includes('allowInvalidCABundle'),
      toleratesSelectableFields: validation.includes('allowTooManySelectableFields'),
      checksNameFormats: formats.includes('k8s-short-name'),
      checksNumberFormats: formats.includes('"int32"'),
    },
  ];
}

const rows = moduleFiles.map(traitsOf).sort(([left], [right]) => (left < right ? -1 : 1));
writeFileSync(output, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
