import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../errors.ts'
import { asStoreError } from './failures.ts'

const coded = (code: string) => Object.assign(new Error('refused'), { code })

describe('an error of a database driver', () => {
  it.each([
    ['another process holds the lock', coded('SQLITE_BUSY')],
    ['the snapshot is old', coded('SQLITE_BUSY_SNAPSHOT')],
    ['the disk is full', coded('SQLITE_FULL')],
    ['the disk fails', coded('SQLITE_IOERR_WRITE')],
    ['the server is not there', coded('ECONNREFUSED')],
    ['the socket broke', coded('ECONNRESET')],
    ['a deadlock was resolved', coded('40P01')],
    ['a statement took too long', coded('57014')],
    ['the administrator ends it', coded('57P01')],
    ['all connections are taken', coded('53300')],
    ['the server is a standby', coded('25006')],
    ['the line ended under the query', new Error('Connection terminated unexpectedly')],
    ['the server went silent', new Error('Query read timeout')],
  ])('asks to try again when %s', (_, error) => {
    const answer = asStoreError(error)
    expect(answer).toBeInstanceOf(StoreUnavailableError)
    expect((answer as StoreUnavailableError).cause).toBe(error)
  })

  it.each([
    ['a constraint of SQLite', coded('SQLITE_CONSTRAINT_UNIQUE')],
    ['SQL that SQLite cannot read', coded('SQLITE_ERROR')],
    ['a constraint of PostgreSQL', coded('23505')],
    ['a table that is missing', coded('42P01')],
    ['a value too wide', coded('22003')],
    ['an error of ours', new RangeError('no notional')],
    ['no error at all', 'text'],
  ])('stays what it is when it is %s', (_, error) => {
    expect(asStoreError(error)).toBe(error)
  })
})
