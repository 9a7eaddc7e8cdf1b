/** How this process calls itself where one replica at a time may do something. */
import { hostname } from 'node:os';

export const identity = `${hostname()}_${process.pid}`;
