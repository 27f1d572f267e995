import type { Attribution } from '../../records.ts'
import { openStore } from '../openStore.ts'

/**
 * Another process on the same database: opens the store given as its argument, then credits each attribution that its
 * parent sends and replies with the outcome.
 */
const url = process.argv[2]
if (url === undefined || process.send === undefined) throw new Error('fork this file with the URL of a store')
const answer = process.send.bind(process)
const store = await openStore({ url })
process.on('message', async (attribution: Attribution) => {
  answer(await store.recordAttribution(attribution).catch(String))
})
answer('open')
