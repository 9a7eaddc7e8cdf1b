/** The editors in the colours of the page, in light and dark. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--key)' },
  { tag: [tags.comment, tags.meta, tags.separator], color: 'var(--muted)' },
  { tag: [tags.string, tags.content, tags.literal], color: 'var(--ink)' },
  { tag: [tags.keyword, tags.bool, tags.number], color: 'var(--amber)' },
]);

const surfaces = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', height: '100%' },
  '&.cm-focused': { outline: '2.5px solid var(--accent)' },
  '.cm-scroller': { font: '13px/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--stripe)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--stripe)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--selection)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
    border: '1px solid var(--rule)',
    maxWidth: '40rem',
  },
});

export const theme = [surfaces, syntaxHighlighting(colours)];
