export interface Folder {
  readonly name: string;
  readonly holds: string;
  /** What comes in, what goes out: every area has it, and every folder of more than ten files. */
  readonly takes?: string;
  readonly gives?: string;
  /** The files to read first. */
  readonly begin?: readonly string[];
  readonly folders?: readonly Folder[];
}

export interface Area extends Folder {
  readonly imports: readonly string[];
}

export const areas: readonly Area[];
