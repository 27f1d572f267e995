import {
  bytesToHex,
  type Hex,
  hexToBytes,
  keccak256,
  padHex,
  parseTransaction,
  serializeTransaction,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { signatureCurve } from './curve.ts'

/** Number of cached senders: a folder of recordings has a few hundred transactions. */
const MOST_SENDERS = 1_000

const senders = new Map<Hex, Hex>()

/**
 * Returns the signer of a transaction, as a lower-case address, and caches it.
 *
 * @throws {Error} it is not a signed transaction.
 */
export async function senderOf(raw: Hex): Promise<Hex> {
  const known = senders.get(raw)
  if (known !== undefined) return known
  const sender = await recoverSender(raw)
  if (senders.size >= MOST_SENDERS) senders.clear()
  senders.set(raw, sender)
  return sender
}

async function recoverSender(raw: Hex): Promise<Hex> {
  const { r, s, v: _v, yParity, ...unsigned } = parseTransaction(raw)
  if (r === undefined || s === undefined || (yParity !== 0 && yParity !== 1))
    throw new RangeError('the transaction is not signed')
  const signature = hexToBytes(`${padHex(r, { size: 32 })}${padHex(s, { size: 32 }).slice(2)}` as Hex)
  const { recover } = await signatureCurve()
  const key = await recover(keccak256(serializeTransaction(unsigned), 'bytes'), signature, yParity)
  if (key === null) throw new RangeError('nobody has signed the transaction')
  return publicKeyToAddress(bytesToHex(key)).toLowerCase() as Hex
}
