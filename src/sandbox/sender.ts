import { type Hex, recoverTransactionAddress, type TransactionSerialized } from 'viem'

/** How many senders are remembered: a folder of recordings has some hundred transactions. */
const MOST_SENDERS = 1_000

const senders = new Map<Hex, Hex>()

/**
 * Who signed a transaction, as a lower-case address. To recover it takes a millisecond, so it is done once for each transaction.
 *
 * @throws {Error} it is no signed transaction.
 */
export async function senderOf(raw: Hex): Promise<Hex> {
  const known = senders.get(raw)
  if (known !== undefined) return known
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  if (senders.size >= MOST_SENDERS) senders.clear()
  const address = sender.toLowerCase() as Hex
  senders.set(raw, address)
  return address
}
