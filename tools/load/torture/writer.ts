/**
 * Holds the write lock of the service's file in the middle of a transaction that deletes every attribution, prints `holding`,
 * and waits for SIGKILL. Argument: the path of the file.
 */
import Libsql from 'libsql'

const [path = ''] = process.argv.slice(2)
const database = new Libsql(path, { timeout: 10_000 })
// With a cache of one page, deletions reach the write-ahead log before a commit that never comes.
database.exec('pragma cache_size = 1')
database.exec('begin immediate')
database.exec('delete from attributions')
database.exec('update builds set notional_usd_micros = null')
console.log('holding')
process.stdin.resume()
