import type { BuildOptions } from 'esbuild';

/** Options for what runs without Node, with these over them. */
export function forBrowsers(options: BuildOptions): BuildOptions;
