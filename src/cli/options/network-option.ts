export interface NetworkOptions {
  readonly network?: boolean;
}

export const networkOption = [
  '--network',
  'fetch what kustomizations refer to elsewhere; only where you trust their author',
] as const;
