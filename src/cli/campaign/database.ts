import { type CampaignDatabase, openCampaigns } from '../../campaign/database/open.ts'
import { UsageError } from '../../spec/errors.ts'

export interface DatabaseOptions {
  readonly databaseUrl?: string
}

/**
 * Opens the database of campaigns, and closes it after `use`.
 *
 * @throws what `openCampaigns` throws.
 */
export async function withDatabase<T>(
  options: { readonly url: string; readonly connections?: number; readonly machine?: string },
  use: (database: CampaignDatabase) => Promise<T>,
): Promise<T> {
  const database = await openCampaigns({ connections: 2, ...options })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/** Returns the URL from the options or `DATABASE_URL`. @throws {UsageError} neither is set. */
export function namedDatabase({ databaseUrl = process.env.DATABASE_URL }: DatabaseOptions): string {
  if (databaseUrl !== undefined) return databaseUrl
  throw new UsageError(
    'no database is named',
    'Name the PostgreSQL database of the campaign with --database-url postgres://…, or set DATABASE_URL.',
  )
}
