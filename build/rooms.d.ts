export interface Folder {
  readonly name: string;
  readonly holds: string;
  /** What comes in, what goes out: every room has it, and every folder of more than ten files. */
  readonly takes?: string;
  readonly gives?: string;
  /** The files to read first. */
  readonly begin?: readonly string[];
  readonly folders?: readonly Folder[];
}

export interface Room extends Folder {
  readonly imports: readonly string[];
}

export const rooms: readonly Room[];
