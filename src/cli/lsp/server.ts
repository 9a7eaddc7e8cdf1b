/** The language server: diagnostics as a text changes, the rule on hover, fixes and exemptions as code actions. */
import { fileURLToPath } from 'node:url';
import {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  MarkupKind,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  CodeLensRefreshRequest,
  type CodeAction,
  type CodeLens,
  type Connection,
  type Diagnostic,
  type Hover,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { printPage, ruleNamed } from '../../policy/index.js';
import { changedPart } from '../../text/documents/text-edits.js';
import { version as ownVersion } from '../../text/package.js';
import { plural } from '../../text/plural.js';
import {
  diagnose,
  type Diagnosis,
  type Fix,
  type Judged,
  type Message,
} from '../../checks/index.js';
import { shownPath, Workspace } from './workspace.js';
import { Transform } from 'node:stream';
import { parseDocuments, type Document, invalidInput } from '../../text/documents/index.js';
import { defaultLimits } from '../../text/documents/error.js';

/** Milliseconds without a keystroke after which a text is judged. */
const pause = 150;

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

const firstLine = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
const defect =
  'olm-guard has a defect and did not judge this text: its log says more, please report it';

interface JudgedText {
  readonly version: number;
  /** Searched for only on request. */
  readonly fix: () => Promise<Fix | undefined>;
  readonly diagnostics: readonly Diagnostic[];
  /** For each diagnostic, the fix of its own object, if it is about one. */
  readonly fixes: readonly Message['fix'][];
  /** The verdict above each definition that has an old version. */
  readonly lenses: readonly CodeLens[];
}

/** How many findings of one range get actions of their own: each action is computed from the whole text. */
const mostTouched = 20;

/** Answers on standard input and output until the client leaves, or sends what is no message. */
export function startLanguageServer(end: (error: Error) => void): void {
  const input = process.stdin.pipe(checkedFrames());
  input.on('error', end);
  const connection = createConnection(ProposedFeatures.all, input, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const workspace = new Workspace();
  const judged = new Map<string, JudgedText>();
  const waiting = new Map<string, NodeJS.Timeout>();
  const read = new Map<string, readonly Document[]>();

  let turn: Promise<unknown> = Promise.resolve();
  /** Texts are judged one after the other, because they share the workspace. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
  let areLensesRefreshed = false;

  connection.onInitialize(({ workspaceFolders, rootUri, capabilities }) => {
    areLensesRefreshed = capabilities.workspace?.codeLens?.refreshSupport === true;
    const root = workspaceFolders?.[0]?.uri ?? rootUri;
    if (root?.startsWith('file:') === true) enter(fileURLToPath(root), connection);
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
      serverInfo: { name: 'olm-guard', version: ownVersion },
    };
  });

  const judge = async (uri: string): Promise<void> => {
    waiting.delete(uri);
    const document = documents.get(uri);
    if (document === undefined || !uri.startsWith('file:')) return;
    const { version } = document;
    const text = document.getText();
    const file = shownPath(fileURLToPath(uri));
    const parse: typeof parseDocuments = (whole, options) => {
      const parsed = parseDocuments(whole, { ...options, before: read.get(uri) });
      if (documents.get(uri) === document) read.set(uri, parsed);
      return parsed;
    };
    const diagnosis = await diagnose(file, text, workspace, { isFixWanted: false, parse });
    // The text has changed since, or was closed; when it is opened again, its versions start anew.
    if (documents.get(uri) !== document || document.version !== version) return;
    const diagnostics = diagnosis.messages.map((message) => diagnosticOf(message, document));
    const lenses = diagnosis.judged.flatMap((each) => lensOf(each) ?? []);
    let found: Promise<Diagnosis> | undefined;
    const fix = async (): Promise<Fix | undefined> =>
      (
        await (found ??= inTurn(() =>
          diagnose(file, text, workspace, { isFixWanted: true, parse }),
        ))
      ).fix;
    const isLensNew = JSON.stringify(judged.get(uri)?.lenses ?? []) !== JSON.stringify(lenses);
    const fixes = diagnosis.messages.map((message) => message.fix);
    judged.set(uri, { version, fix, diagnostics, fixes, lenses });
    await connection.sendDiagnostics({ uri, version, diagnostics });
    if (areLensesRefreshed && isLensNew) void connection.sendRequest(CodeLensRefreshRequest.type);
  };
  const judgeSoon = (uri: string, milliseconds = pause): void => {
    clearTimeout(waiting.get(uri));
    const timer = setTimeout(() => {
      inTurn(() => judge(uri)).catch((error: unknown) => {
        connection.console.error(error instanceof Error ? (error.stack ?? '') : String(error));
        // Findings of an earlier text do not apply to this one.
        judged.delete(uri);
        const severity = DiagnosticSeverity.Error;
        const diagnostic = { range: firstLine, severity, source: 'olm-guard', message: defect };
        void connection.sendDiagnostics({ uri, diagnostics: [diagnostic] });
      });
    }, milliseconds);
    waiting.set(uri, timer);
  };
  const judgeAll = (): void => {
    void inTurn(() => Promise.resolve(workspace.forget()));
    for (const uri of documents.keys()) judgeSoon(uri);
  };

  documents.onDidChangeContent(({ document }) => judgeSoon(document.uri));
  documents.onDidSave(judgeAll);
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri));
    judged.delete(uri);
    read.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });
  connection.onDidChangeWatchedFiles(judgeAll);

  connection.onHover(({ textDocument: { uri }, position }): Hover | null => {
    const at = judged
      .get(uri)
      ?.diagnostics.find(({ range: { start } }) => start.line === position.line);
    const rule = ruleNamed(String(at?.code ?? ''));
    if (at === undefined || rule === undefined) return null;
    const value = `\`\`\`text\n${printPage(rule, String(at.code))}\`\`\``;
    return { contents: { kind: MarkupKind.Markdown, value }, range: at.range };
  });

  connection.onCodeLens(({ textDocument: { uri } }): CodeLens[] => [
    ...(judged.get(uri)?.lenses ?? []),
  ]);

  connection.onCodeAction(async ({ textDocument: { uri }, range }): Promise<CodeAction[]> => {
    const document = documents.get(uri);
    const known = judged.get(uri);
    if (document === undefined || known === undefined || known.version !== document.version)
      return [];
    const touched = known.diagnostics.filter((each) => overlaps(each.range, range));
    const fixes = new Map(known.diagnostics.map((each, index) => [each, known.fixes[index]]));
    const ownFix = (each: Diagnostic): Message['fix'] => fixes.get(each);
    const actions = touched.slice(0, mostTouched).flatMap((each) => {
      const fix = ownFix(each)?.();
      const own = fix && quickFix(fix.title, [each], uri, editTo(fix.text, document));
      return [own, exemptionOf(each, document)].filter((action) => action !== undefined);
    });
    const others = touched.filter((each) => ownFix(each) === undefined);
    const fix = others.length === 0 ? undefined : await known.fix();
    // The fix is for an older text: applying it would undo what was typed since.
    if (fix === undefined || documents.get(uri)?.version !== known.version) return actions;
    const { title, text } = fix;
    return [quickFix(title, others, uri, editTo(text, document)), ...actions];
  });

  documents.listen(connection);
  connection.listen();
}

/** Paths are relative to the workspace folder. If it does not exist, there is no policy and nothing to compare with. */
function enter(root: string, { window }: Connection): void {
  try {
    process.chdir(root);
  } catch {
    window.showWarningMessage(
      `olm-guard cannot enter ${root}: definitions are compared with nothing`,
    );
  }
}

function diagnosticOf(
  { severity, message, place, finding, note, areCommentsHeard }: Message,
  document: TextDocument,
): Diagnostic {
  const line = (place.line ?? 1) - 1;
  const start = { line, character: (place.column ?? 1) - 1 };
  const end = document.positionAt(document.offsetAt({ line: line + 1, character: 0 }) - 1);
  const harm = finding?.effect === undefined ? '' : ` (${finding.effect})`;
  const fix = note?.fix === undefined ? '' : `\nfix: ${note.fix}`;
  return {
    range: { start, end: end.line === line && end.character > start.character ? end : start },
    severity: severities[severity],
    source: 'olm-guard',
    message: `${message}${harm}${fix}`,
    ...(finding && { code: finding.rule, codeDescription: { href: finding.docs } }),
    data: { areCommentsHeard },
  };
}

/** `denied since v1.2: 2 errors` */
function lensOf({ result: { verdict }, place, since }: Judged): CodeLens | undefined {
  if (since === undefined) return undefined;
  const [, commit] = /^git:([^:]+)/.exec(since) ?? [];
  const side = commit === undefined ? `compared with ${since}` : `since ${commit}`;
  const errors = verdict.findings.filter(({ severity }) => severity === 'error').length;
  const title = verdict.allowed ? `allowed ${side}` : `denied ${side}: ${plural(errors, 'error')}`;
  const line = (place.line ?? 1) - 1;
  const range = { start: { line, character: 0 }, end: { line, character: 0 } };
  return { range, command: { title, command: '' } };
}

/** The user writes the reason: a comment without one is refused. */
function exemptionOf(diagnostic: Diagnostic, document: TextDocument): CodeAction | undefined {
  const { code, range } = diagnostic;
  const start = { line: range.start.line, character: 0 };
  const text = document.getText({ start, end: range.start });
  const { areCommentsHeard } = diagnostic.data as Pick<Message, 'areCommentsHeard'>;
  if (areCommentsHeard !== true || document.getText().trimStart().startsWith('{')) return undefined;
  const indent = /^ */.exec(text)?.[0] ?? '';
  const newText = `${indent}# olm-guard:exempt ${code}: \n`;
  return quickFix(`Exempt ${code} here, with a reason that you write`, [diagnostic], document.uri, {
    range: { start, end: start },
    newText,
  });
}

function quickFix(
  title: string,
  diagnostics: readonly Diagnostic[],
  uri: string,
  edit: TextEdit,
): CodeAction {
  const changes = { [uri]: [edit] };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [...diagnostics], edit: { changes } };
}

function editTo(wanted: string, document: TextDocument): TextEdit {
  const { start, end, text } = changedPart(document.getText(), wanted);
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return { range, newText: text };
}

function overlaps(one: Range, other: Range): boolean {
  return one.start.line <= other.end.line && other.start.line <= one.end.line;
}

const longestHeader = 8_192;
/** A text in JSON is longer than it is itself. */
const longestMessage = 2 * defaultLimits.maxBytes;
const end = '\r\n\r\n';

/** Throws at a length that cannot be one: the protocol's library would wait for ever. */
function checkedFrames(): Transform {
  let header = '';
  /** Bytes of the message that are still to come. */
  let left = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < chunk.length;) {
          if (left > 0) {
            const taken = Math.min(left, chunk.length - at);
            left -= taken;
            at += taken;
            continue;
          }
          const before = header.length;
          header += chunk.toString('latin1', at, at + longestHeader);
          const found = header.indexOf(end);
          if (found < 0 && header.length < longestHeader) break;
          left = lengthIn(found < 0 ? '' : header.slice(0, found));
          at += found + end.length - before;
          header = '';
        }
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

function lengthIn(header: string): number {
  const lengths = header
    .split('\r\n')
    .flatMap((line) => /^content-length:(.*)$/i.exec(line)?.[1] ?? []);
  const [text = ''] = lengths;
  const length = /^ *\d{1,12} *$/.test(text) ? Number(text) : NaN;
  if (lengths.length === 1 && length <= longestMessage) return length;
  throw invalidInput(
    `standard input is not the Language Server Protocol: each message begins with a Content-Length of at most ${longestMessage} bytes; start olm-guard lsp from an editor`,
  );
}
