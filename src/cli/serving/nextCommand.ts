import { shellWord } from '../../host/shellWord.ts'
import type { RunningService } from '../../service/main.ts'
import { credentialsOf } from '../../spec/secrets/url.ts'
import { invocation } from '../terminal/invocation.ts'

/**
 * Returns the command about keys that the user needs after starting the service, whose database holds only issued keys. Null for
 * a store in memory, and while the database cannot be read, which the service survives.
 */
export async function nextCommand(
  partners: Pick<RunningService['partners'], 'listKeys'>,
  databaseUrl: string,
): Promise<string | null> {
  if (databaseUrl === ':memory:') return null
  const isSecret = URL.canParse(databaseUrl) && credentialsOf(databaseUrl).length > 0
  const database = `--database ${isSecret ? '"$DATABASE_URL"' : shellWord(databaseUrl)}`
  const keys = await partners.listKeys().catch(() => null)
  if (keys === null) return null
  const { length } = keys.filter(({ revokedAtMs }) => revokedAtMs === null)
  if (length === 0) return `no key is issued yet; next: ${invocation()} keys issue --partner NAME ${database}`
  const active = length === 1 ? '1 active key; see it' : `${length} active keys; see them`
  return `${active} with: ${invocation()} keys list ${database}`
}
