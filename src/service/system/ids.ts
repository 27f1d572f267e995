import { randomBytes, randomUUID } from 'node:crypto'
import type { Ids } from '../ports.ts'

/** Generates identifiers and secrets from the system's secure randomness. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('hex'),
}
