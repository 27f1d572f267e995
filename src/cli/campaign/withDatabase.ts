import { type CampaignDatabase, openCampaigns } from '../../campaign/database/open.ts'
import { UsageError } from '../../spec/errors.ts'

/** Describes which database a command uses. */
export interface DatabaseOptions {
  readonly databaseUrl?: string
}

/** Opens the database of campaigns, and closes it after `use`. @throws {CampaignUrlError} {CampaignDatabaseError} */
export async function withDatabase<T>(
  {
    url,
    connections = 2,
    machine,
  }: { readonly url: string; readonly connections?: number; readonly machine?: string },
  use: (database: CampaignDatabase) => Promise<T>,
): Promise<T> {
  const database = await openCampaigns({ url, connections, ...(machine === undefined ? {} : { machine }) })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

/** Returns the database that the options or the variable name. @throws {UsageError} neither does */
export function named({ databaseUrl }: DatabaseOptions): { readonly url: string } {
  const url = databaseUrl ?? process.env.DATABASE_URL
  if (url !== undefined) return { url }
  throw new UsageError(
    'no database is named',
    'Name the PostgreSQL database of the campaign with --database-url postgres://…, or set DATABASE_URL.',
  )
}
