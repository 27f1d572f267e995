import { afterAll, beforeAll, describe } from 'vitest'
import { type Databases, fileDatabases, sharedPostgresServer } from './databases.ts'

/** Opens the databases of a block of tests, and removes them after its last test. */
export function useDatabases<Kind extends Databases>(open: () => Promise<Kind>): { readonly current: Kind } {
  const opened = {} as { current: Kind }
  beforeAll(async () => {
    opened.current = await open()
  })
  afterAll(() => opened.current?.close())
  return opened
}

/** Defines tests of the store. @param createDatabase resolves to the URL of a new, empty database. */
type Tests = (createDatabase: () => Promise<string>) => void

/** Defines the tests for each kind of database that several processes can have open. */
export function onSharedDatabases(tests: Tests): void {
  describe('the store in a file', () => {
    const databases = useDatabases(fileDatabases)
    tests(() => databases.current.create())
  })

  describe('the store on PostgreSQL', () => {
    const server = useDatabases(sharedPostgresServer)
    tests(() => server.current.create())
  })
}

/** Defines the tests for each kind of database. */
export function onEveryDatabase(tests: Tests): void {
  describe('the store in memory', () => tests(async () => ':memory:'))
  onSharedDatabases(tests)
}
