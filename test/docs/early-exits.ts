/** Every place where the gate lets something through before, or in spite of, its rules: read from its sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');
const admission = 'src/gate/admission';

/** Functions, by `file function`, and how many exits each has. */
export function earlyExitsInCode(): Map<string, number> {
  const files = readdirSync(join(root, admission))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'response.ts')
    .map((name) => `${admission}/${name}`);
  const found = new Map<string, number>();
  for (const file of [...files, 'src/policy/guarantees.ts', 'src/policy/decide.ts']) {
    const text = readFileSync(join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (isEarlyExit(node, file)) {
        const key = `${file} ${functionOf(node)?.name ?? ''}`;
        found.set(key, (found.get(key) ?? 0) + 1);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isEarlyExit(node: ts.Node, file: string): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    // An answer that allows; and a finding that is not enforced.
    return ['allowed', 'notEnforced', 'downgraded'].includes(node.expression.text);
  }
  if (!ts.isReturnStatement(node)) return false;
  const { name = '', returns = '' } = functionOf(node) ?? {};
  const { expression } = node;
  const isNothing =
    expression === undefined || (ts.isIdentifier(expression) && expression.text === 'undefined');
  // A reviewer that has nothing to assess.
  if (/Assessment|Question/.test(returns)) return isNothing;
  // Less than a denial, whatever the rule says.
  if (file.endsWith('decide.ts') && expression !== undefined) {
    return ts.isObjectLiteralExpression(expression) && expression.properties.some(isCalledAt);
  }
  // The reason why nothing is denied.
  return reasons.has(name) && !isNothing;
}

const reasons: ReadonlySet<string> = new Set([
  'guarantee',
  'onlyBookkeepingChanges',
  'trustedReason',
]);

function isCalledAt({ name }: ts.ObjectLiteralElementLike): boolean {
  return name !== undefined && ts.isIdentifier(name) && name.text === 'at';
}

interface Enclosing {
  readonly name: string;
  readonly returns: string;
}

/** The nearest function with a name. */
function functionOf(node: ts.Node): Enclosing | undefined {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name !== undefined) {
      return { name: at.name.getText(), returns: at.type?.getText() ?? '' };
    }
    if (
      (ts.isArrowFunction(at) || ts.isFunctionExpression(at)) &&
      ts.isVariableDeclaration(at.parent)
    ) {
      return { name: at.parent.name.getText(), returns: at.type?.getText() ?? '' };
    }
  }
  return undefined;
}

/** Names of match conditions, and selectors, by which an API server does not ask the gate. */
export function unaskedByManifests(): Set<string> {
  const folder = join(root, 'manifests');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter(
      (text) =>
        text.includes('kind: ValidatingWebhookConfiguration') && !text.includes('paramKind'),
    );
  const condition =
    /name: ([a-z-]+)\n(?:\s+#.*\n)*\s+expression:|\b(namespaceSelector|objectSelector):/g;
  return new Set(
    files.flatMap((text) =>
      [...text.matchAll(condition)].map(([, name, selector]) => name ?? selector ?? ''),
    ),
  );
}
