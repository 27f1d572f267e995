import { type CampaignDatabase, openCampaigns } from '../database/open.ts'
import { readStatus, reportOf } from '../read.ts'

/** A PostgreSQL server for tests. */
interface Server {
  create(): Promise<string>
  close(): Promise<void>
}

/** A new database of campaigns, which is removed when it is closed. */
export interface OwnDatabase<From extends Server = Server> extends CampaignDatabase {
  readonly url: string
  readonly server: From
}

export async function ownDatabase<From extends Server>(
  starting: Promise<From>,
  connections = 5,
): Promise<OwnDatabase<From>> {
  const server = await starting
  const url = await server.create()
  const database = await openCampaigns({ url, connections })
  return {
    ...{ ...database, url, server },
    close: async () => {
      await database.close()
      await server.close()
    },
  }
}

/** Returns the report of a campaign as text. */
export async function reportText(
  database: CampaignDatabase,
  id: string,
  floors: Readonly<Record<string, number>> = {},
): Promise<string> {
  return JSON.stringify(reportOf(await readStatus(database, id, () => floors)))
}
