/**
 * Writes what the sources say of the Go modules that the reference programs are built of:
 * src/kubernetes/definition/by-minor.json, in what the validation of definitions differs between minors, and
 * src/kubernetes/definition/cel-environment.json, since when which library may be used, and what rules may cost.
 *
 *     npx tsx test/reference/kubernetes/by-minor.ts
 *
 * `npm run reference -- by-minor` compares, and writes nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerTraits } from '../../../src/kubernetes/definition/minors.js';
import { moduleFiles, versionIn } from './module-files.js';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'kubernetes', 'definition');

/** Folder of a module, downloaded where it is not there. */
function folderOf(path: string, version: string): string {
  const json = execFileSync('go', ['mod', 'download', '-json', `${path}@${version}`], {
    encoding: 'utf8',
  });
  return (JSON.parse(json) as { Dir: string }).Dir;
}

function traitsOf(minor: string, moduleFile: string): ServerTraits {
  const versionOf = (path: string): string => versionIn(moduleFile, path);
  const reader = (path: string): ((file: string) => string) => {
    const folder = folderOf(path, versionOf(path));
    // A file that a release does not have yet says nothing.
    return (file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
  };
  const extensions = reader('k8s.io/apiextensions-apiserver');
  const server = reader('k8s.io/apiserver');
  const machinery = reader('k8s.io/apimachinery');
  const cel = reader('github.com/google/cel-go');
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
  return {
    // Up to 1.30 a constant of the same value.
    celCompatibility: Number(minor.slice(2)) - 1,
    celGo: versionOf('github.com/google/cel-go'),
    knowsFirstAndLast: cel('cel/library.go').includes('Function("last"'),
    checksFormatLiterals: cel('ext/strings.go').includes('stringFormatValidator'),
    breaksOverComputedFormats: cel('ext/formatting.go').includes(
      'ast.LiteralKind && formatString.AsLiteral()',
    ),
    mixesThroughoutFormats: cel('cel/validator.go').includes('for found {'),
    sharesOptionals: !cel('cel/library.go').includes('meh.Copy(target)'),
    typesSecondOfDyn:
      !cel('checker/checker.go').includes('HasIterVar2') ||
      cel('checker/checker.go').includes('var2Type = types.DynType'),
    optionalType:
      /\bOptionalType = NewOpaqueType\("(\w+)"/.exec(cel('common/types/optional.go'))?.[1] ?? '',
    sizesFolds: /computedSizes\[[^\]]+\] = rangeCnt|computedEntrySizes/.test(folds),
    sizesEntries: folds.includes('computedEntrySizes'),
    convertsIntToDuration: cel('common/stdlib/standard.go').includes('overloads.IntToDuration'),
    readsQuotedFields: cel('parser/parser.go').includes('p.enableIdentEscapeSyntax = true'),
    hidesDottedNames: cel('checker/env.go').includes('resolveQualifiedIdent('),
    costsMatchesFunction: folds.includes('case overloads.Matches, overloads.MatchesString:'),
    costsQuantities: estimates.includes('"isQuantity"'),
    sizesUrls: /case "url"[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*ResultSize/.test(estimates),
    costsOpaqueEquality: estimates.includes('case "_==_":'),
    boundsIntOrString: /IsXIntOrString\(\) \{[^}]*\bs\.MaxLength\(\)/.test(
      server('pkg/cel/common/schemas.go'),
    ),
    boundsNames: extensions('pkg/apiserver/schema/cel/model/schemas.go').includes('nameMaxLength'),
    tellsMissingMeta: machinery('pkg/api/validation/objectmeta.go').includes(
      'field.Required(fldPath.Child("uid")',
    ),
    breaksWithoutType: !extensions('pkg/apiserver/schema/cel/compilation.go').includes(
      'failed to convert to declType',
    ),
    decodesSelectableFields: extensions('pkg/apis/apiextensions/v1/types.go').includes(
      'SelectableFields []',
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
    addsFieldPaths: extensions('pkg/apiserver/schema/cel/validation.go').includes(
      'fldPath = fldPath.Child(compiled.NormalizedRuleFieldPath)',
    ),
    checksNameFormats: formats.includes('k8s-short-name'),
    checksNumberFormats: formats.includes('"int32"'),
  };
}

/** What base.go calls the libraries that came after 1.28, and what they are called here. */
const libraries: Readonly<Record<string, string>> = {
  'ext.StringsVersion(2)': 'strings',
  'ext.Sets': 'sets',
  'library.IP': 'networks',
  'library.Format': 'formats',
  'ext.TwoVarComprehensions': 'twoVariables',
  'library.SemverLib': 'semver',
  'ext.Lists': 'lists',
  'library.ListsVersion(1)': 'includes',
};

/** Every minor says the same of the libraries that it has; the newest has all. */
function environmentOf(moduleFile: string): {
  readonly introduced: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, number>>;
} {
  const source = (path: string, file: string): string =>
    readFileSync(join(folderOf(path, versionIn(moduleFile, path)), file), 'utf8');
  const base = source('k8s.io/apiserver', 'pkg/cel/environment/base.go');
  const blocks = base.split('IntroducedVersion: version.MajorMinor(1, ').slice(1);
  const introduced: Record<string, number> = {};
  for (const [mark, name] of Object.entries(libraries)) {
    const block = blocks.find((each) => each.includes(mark));
    if (block !== undefined) introduced[name] = parseInt(block, 10);
  }
  const environment = source('k8s.io/apiserver', 'pkg/cel/environment/environment.go');
  const keywords = /MajorMinor\(1, (\d+)\)\) \{\s*[^}]*[Kk]eyword/.exec(environment)?.[1];
  if (keywords !== undefined) introduced['keywordFields'] = Number(keywords);
  const validation = source(
    'k8s.io/apiextensions-apiserver',
    'pkg/apis/apiextensions/validation/validation.go',
  );
  const number = (name: string): number =>
    Number(new RegExp(`\\b${name}\\s*=\\s*(\\d+)`).exec(validation)?.[1]);
  const limits = { rule: number('StaticEstimatedCostLimit'), schema: number('StaticEstimatedCRDCostLimit') }; // prettier-ignore
  return { introduced, limits };
}

function environment(): ReturnType<typeof environmentOf> {
  const newest = environmentOf('go.mod');
  for (const file of moduleFiles.values()) {
    const { introduced, limits } = environmentOf(file);
    const differs = Object.entries(introduced).some(
      ([name, minor]) => newest.introduced[name] !== minor,
    );
    if (differs || JSON.stringify(limits) !== JSON.stringify(newest.limits)) {
      throw new Error(`${file} and go.mod differ in what expressions may use or cost`);
    }
  }
  return newest;
}

function texts(): [file: string, text: string][] {
  const tables = {
    'by-minor.json': Object.fromEntries(
      [...moduleFiles].map(([minor, file]) => [minor, traitsOf(minor, file)]),
    ),
    'cel-environment.json': environment(),
  };
  return Object.entries(tables).map(([name, table]) => [
    join(folder, name),
    `${JSON.stringify(table, null, 2)}\n`,
  ]);
}

/** The files that are not what the sources say. */
export function differing(): string[] {
  return texts().flatMap(([file, text]) => (readFileSync(file, 'utf8') === text ? [] : [file]));
}

export function write(): void {
  for (const [file, text] of texts()) writeFileSync(file, text);
}

if (process.argv[1] === import.meta.filename) write();
