import { escapeText } from './graph/markup.js';

/** How every page begins that is a file of its own: it loads nothing from anywhere. */
export function pageHead(title: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeText(title)}</title>
<style>${style}</style>
</head>`;
}
