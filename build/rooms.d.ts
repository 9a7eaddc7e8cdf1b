export interface Room {
  readonly name: string;
  readonly holds: string;
  readonly imports: readonly string[];
}

export const rooms: readonly Room[];
