/** The page: three editors, a worker that judges what stands in them, and its report. */
import { basicSetup } from 'codemirror';
import { yaml } from '@codemirror/lang-yaml';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import type { JudgedTexts, LineMessage, Side, TextDetails, Texts } from './judge-texts.js';
import { theme } from './editor-theme.js';
import { fragmentOf, textsIn } from './shared-link.js';
import type { Answer, Request } from './worker.js';

declare const examples: readonly (Readonly<Record<'old' | 'new' | 'objects', string>> & {
  readonly name: string;
})[];

/** Milliseconds without a keystroke after which the texts are judged. */
const pause = 200;
/** Milliseconds after which a fix is looked for, when nobody types. */
const calm = 500;
/** One that has judged so long is stopped when a newer text waits. */
const patience = 2_000;
const sides = ['old', 'new', 'objects', 'policy'] as const;

const byId = <T extends HTMLElement = HTMLElement>(id: string): T =>
  document.getElementById(id) as T;
const report = byId<HTMLIFrameElement>('report');
const status = byId('status');
const stop = byId<HTMLButtonElement>('stop');
const profile = byId<HTMLSelectElement>('profile');
const strict = byId<HTMLInputElement>('strict');
const example = byId<HTMLSelectElement>('example');

const labels: Record<Side, string> = {
  old: 'The definition before the change',
  new: 'The definition after the change',
  objects: 'Objects of the definition',
  policy: 'The policy that decides, as .olm-guard.yaml has it',
};

const editorOf = (side: Side): EditorView =>
  new EditorView({
    parent: byId(side),
    extensions: [
      basicSetup,
      yaml(),
      lintGutter(),
      theme,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': labels[side], tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && judgeSoon()),
      EditorView.domEventHandlers({
        drop: (event) => {
          const [file] = event.dataTransfer?.files ?? [];
          if (file === undefined) return false;
          event.preventDefault();
          void readInto(side, file);
          return true;
        },
      }),
    ],
  });
const editors: Record<Side, EditorView> = {
  old: editorOf('old'),
  new: editorOf('new'),
  objects: editorOf('objects'),
  policy: editorOf('policy'),
};

function put(side: Side, text: string): void {
  const { state } = editors[side];
  editors[side].dispatch({ changes: { from: 0, to: state.doc.length, insert: text } });
}

async function readInto(side: Side, file: File): Promise<void> {
  put(side, await file.text());
}

function texts(): Texts {
  const textOf = (side: Side): string => editors[side].state.doc.toString();
  return {
    ...{ old: textOf('old'), new: textOf('new') },
    ...{ objects: textOf('objects'), policy: textOf('policy') },
    ...{ profile: profile.value as Texts['profile'], isStrict: strict.checked },
  };
}

let worker = startWorker();
let asked = 0;
let running: (Request & { readonly since: number }) | undefined;
let isWaiting = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let detailsTimer: ReturnType<typeof setTimeout> | undefined;
/** The details of what stands there now. */
let details: TextDetails | undefined;
/** Whether what was found is to come into view: nobody has touched these texts yet. */
let isFresh = false;

function startWorker(): Worker {
  const started = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => answered(data));
  started.addEventListener('error', () => fail('olm-guard could not be started in this browser'));
  return started;
}

function judgeSoon(): void {
  byId('take-line').hidden = true;
  clearTimeout(timer);
  clearTimeout(detailsTimer);
  timer = setTimeout(judge, pause);
}

function judge(): void {
  if (running !== undefined) {
    isWaiting = true;
    // Details of an earlier text are worth nothing.
    if (running.isFixWanted || performance.now() - running.since > patience) restart();
    return;
  }
  clearTimeout(detailsTimer);
  status.textContent = 'Judging…';
  // The fix of an earlier text would undo what was typed since.
  byId('take-line').hidden = true;
  details = undefined;
  ask(texts(), false);
}

function ask(given: Texts, isFixWanted: boolean): void {
  asked++;
  const request: Request = { id: asked, texts: given, isFixWanted };
  running = { ...request, since: performance.now() };
  worker.postMessage(request);
  setTimeout(() => {
    if (running?.id !== request.id) return;
    if (isWaiting) restart();
    else stop.hidden = false;
  }, patience);
}

/** What it was judging is not answered any more. */
function restart(): void {
  worker.terminate();
  worker = startWorker();
  running = undefined;
  stop.hidden = true;
  if (isWaiting) {
    isWaiting = false;
    judge();
  }
}

function answered(answer: Answer): void {
  if (running === undefined || answer.id !== running.id) return;
  const { texts: judgedTexts, isFixWanted } = running;
  running = undefined;
  stop.hidden = true;
  if (isWaiting) {
    isWaiting = false;
    judge();
    return;
  }
  if ('defect' in answer) {
    fail(`olm-guard has a defect and judged nothing: ${answer.defect}`);
    return;
  }
  const { judged, milliseconds } = answer;
  const { verdict } = judged;
  if (!isFixWanted) {
    const time = Math.max(1, Math.round(milliseconds));
    status.textContent = `${verdict.word} (${time} ms)`;
    show(judged);
    detailsTimer = setTimeout(() => ask(judgedTexts, true), calm);
  } else {
    if (judged.details?.fix !== undefined) report.srcdoc = judged.page;
    showDetails(judged.details);
  }
}

function show({ messages, page }: JudgedTexts): void {
  for (const side of sides) mark(side, messages[side]);
  if (isFresh) for (const side of sides) scrollToWorst(side, messages[side]);
  isFresh = false;
  report.srcdoc = page;
}

function showDetails(found: TextDetails | undefined): void {
  details = found;
  const { fix, minors = [], costs = [] } = found ?? {};
  byId('take-line').hidden = fix === undefined;
  byId('fix-title').textContent = fix?.title ?? '';
  byId('servers').hidden = minors.length === 0;
  byId('minors').replaceChildren(...minors.map(({ minor, refuses }) => markOf(minor, refuses)));
  byId('costs-fold').hidden = costs.length === 0;
  byId('costs').replaceChildren(...costs.map(rowOf));
}

/** Nothing of an earlier text is left standing. */
function fail(sentence: string): void {
  running = undefined;
  stop.hidden = true;
  status.textContent = sentence;
  report.srcdoc = '';
  showDetails(undefined);
  for (const side of sides) mark(side, []);
}

function mark(side: Side, messages: readonly LineMessage[]): void {
  const { doc } = editors[side].state;
  const diagnostics = messages.map(({ severity, message, line, column }): Diagnostic => {
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const from = Math.min(at.from + column - 1, at.to);
    return { from, to: at.to, severity, message };
  });
  editors[side].dispatch(setDiagnostics(editors[side].state, diagnostics));
}

function scrollToWorst(side: Side, messages: readonly LineMessage[]): void {
  const worst = messages.find(({ severity }) => severity === 'error') ?? messages[0];
  if (worst === undefined) return;
  const effects = EditorView.scrollIntoView(startOf(side, worst.line), { y: 'center' });
  editors[side].dispatch({ effects });
}

function startOf(side: Side, line: number): number {
  const { doc } = editors[side].state;
  return doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
}

const refusals: Record<TextDetails['minors'][number]['refuses'], [sign: string, words: string]> = {
  nothing: ['✓', 'takes it'],
  create: ['~', 'takes the update, refuses it on a new cluster'],
  update: ['✗', 'refuses it'],
};

function markOf(minor: string, refuses: keyof typeof refusals): HTMLElement {
  const [sign, words] = refusals[refuses];
  const item = document.createElement('li');
  item.className = refuses;
  item.title = words;
  const said = document.createElement('span');
  said.className = 'words';
  said.textContent = `: ${words}`;
  item.append(`${sign} ${minor}`, said);
  return item;
}

function rowOf({ field, share }: TextDetails['costs'][number]): HTMLElement {
  const row = document.createElement('tr');
  const [name, cost] = [document.createElement('td'), document.createElement('td')];
  name.textContent = field;
  cost.textContent = share > 1_000 ? 'no bound' : `${(share * 100).toPrecision(2)} %`;
  if (share > 1) cost.className = 'over';
  row.append(name, cost);
  return row;
}

/** The report has no script of its own here: its height, its links and its buttons are the page's. */
report.addEventListener('load', () => {
  const page = report.contentDocument;
  if (page === null) return;
  const fit = (): void => {
    report.style.height = `${page.documentElement.scrollHeight}px`;
  };
  fit();
  page.addEventListener('toggle', fit, true);
  for (const button of page.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.addEventListener('click', () => {
      const text = page.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
      void navigator.clipboard.writeText(text).then(() => (button.textContent = 'Copied'));
    });
  }
  for (const origin of page.querySelectorAll('.origin')) linkPlace(origin, page);
});
new ResizeObserver(() => {
  const height = report.contentDocument?.documentElement.scrollHeight;
  if (height !== undefined) report.style.height = `${height}px`;
}).observe(byId('title-result'));

/** `new.yaml:12:3` leads to that line of its editor. */
function linkPlace(origin: Element, page: Document): void {
  for (const node of [...origin.childNodes]) {
    const [place, side, line] =
      /\b(old|new|objects|policy)\.yaml:(\d+)(?::\d+)?/.exec(node.textContent ?? '') ?? [];
    if (node.nodeType !== Node.TEXT_NODE || place === undefined) continue;
    const [before = '', after = ''] = (node.textContent ?? '').split(place);
    const button = page.createElement('button');
    button.type = 'button';
    button.textContent = `${side === 'old' ? 'before' : side === 'new' ? 'after' : side}, line ${line}`;
    button.addEventListener('click', () => goTo(side as Side, Number(line)));
    node.replaceWith(before, button, after);
  }
}

function fold(side: 'objects' | 'policy'): HTMLDetailsElement {
  return byId<HTMLDetailsElement>(`${side}-fold`);
}

function goTo(side: Side, line: number): void {
  if (side === 'objects' || side === 'policy') fold(side).open = true;
  const anchor = startOf(side, line);
  editors[side].dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
  });
  editors[side].focus();
}

function edit(given: Partial<Texts>): void {
  for (const side of sides) {
    const text = given[side];
    put(side, typeof text === 'string' ? text : '');
  }
  const known = [...profile.options].map(({ value }) => value);
  if (given.profile !== undefined && known.includes(given.profile)) profile.value = given.profile;
  strict.checked = given.isStrict === true;
  for (const side of ['objects', 'policy'] as const)
    fold(side).open = editors[side].state.doc.length > 0;
  clearTimeout(timer);
  isFresh = true;
  judge();
}

async function start(): Promise<void> {
  example.append(...examples.map(({ name }) => new Option(name)), new Option('empty', ''));
  const given = await textsIn(location.hash.slice(1));
  if (location.hash.length > 1 && given === undefined) {
    example.value = '';
    edit({});
    fail('The link is damaged or too long: ask for the files instead');
    return;
  }
  if (given === undefined) chooseExample();
  else {
    example.value = '';
    edit(given);
  }
}

function chooseExample(): void {
  edit({
    ...(examples.find(({ name }) => name === example.value) ?? {}),
    policy: editors.policy.state.doc.toString(),
    ...{ profile: profile.value as Texts['profile'], isStrict: strict.checked },
  });
}

example.addEventListener('change', () => {
  history.replaceState(null, '', location.pathname);
  chooseExample();
});
for (const control of [profile, strict]) control.addEventListener('change', judge);
stop.addEventListener('click', () => {
  const isJudged = running?.isFixWanted === true;
  isWaiting = false;
  restart();
  if (!isJudged) fail('Stopped: nothing was judged');
});
byId('take').addEventListener('click', () => {
  if (details?.fix !== undefined) put('new', details.fix.text);
});
byId('share').addEventListener('click', () => {
  const button = byId('share');
  fragmentOf(texts())
    .then(async (fragment) => {
      history.replaceState(null, '', `#${fragment}`);
      await navigator.clipboard.writeText(location.href).catch(() => undefined);
      button.textContent = 'Link copied';
    })
    .catch(() => (button.textContent = 'Too long for a link'));
  setTimeout(() => (button.textContent = 'Copy link'), 3_000);
});
for (const input of document.querySelectorAll<HTMLInputElement>('input[type=file]')) {
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void readInto(input.dataset['side'] as Side, file);
    input.value = '';
  });
}
addEventListener('hashchange', () => void start());
void start();
