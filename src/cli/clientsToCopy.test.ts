import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Hex, keccak256, numberToHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { expect, test } from 'vitest'
import { ACCOUNTS } from '../fixtures/accounts.ts'
import { CANONICAL } from '../fixtures/canonical.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { encodePermit, signPermitSingle } from '../sandbox/permit2.ts'
import { plumbline } from './testing/plumbline.ts'

const PYTHON = fileURLToPath(new URL('../../docs/clients/python/', import.meta.url))
const NEEDED = 'import sys; sys.exit(sys.version_info < (3, 9))'
const MISSING = spawnSync('python3', ['-c', NEEDED]).status === 0 ? null : 'python3 (3.9 or later) is missing'

if (MISSING !== null)
  process.stderr.write(`\nNOT TESTED: ${MISSING}; the client in docs/clients/python is not run\n`)

/** Computes with the modules of that folder the values that the test computes with viem. */
const COMPUTE = `
import json, sys
from types import SimpleNamespace
sys.path.insert(0, sys.argv[1])
from approvals import approvals_for
from chain import Chain
from keccak import keccak256
from secp256k1 import address_of, sign
from transaction import sign_transaction

given = json.loads(sys.argv[2])
key = int(given["keys"][0], 16)
chain = Chain("", given["keys"][0])
chain.read = lambda to, data: "0x" + "00" * 96
chain.now_s = lambda: given["nowS"]
chain.checked_chain_id = lambda: 4663
goal = SimpleNamespace(source={"address": given["token"]}, is_native=False, most_raw=250_500_000)
tx = {"allowanceTarget": given["spender"], "permit2": True, "to": given["token"]}
print(json.dumps({
    "hashes": ["0x" + keccak256(bytes.fromhex(each[2:])).hex() for each in given["messages"]],
    "addresses": [address_of(int(each, 16)) for each in given["keys"]],
    "signatures": [
        [hex(part) for part in sign(bytes.fromhex(digest[2:]), int(each, 16))]
        for each in given["keys"] for digest in given["digests"]
    ],
    "transactions": [
        "0x" + sign_transaction(
            key, chain_id=4663, nonce=nonce, tip=7, max_fee=2_000_000_000, gas=200_000,
            to=given["spender"], value=int(value), data=data,
        ).hex()
        for nonce, value, data in given["transactions"]
    ],
    "permit": approvals_for({"tx": tx}, goal, chain)[1]["data"],
}))
`

/** Returns varied bytes of this length. */
const bytes = (length: number): Hex =>
  `0x${Array.from({ length }, (_, index) => ((index * 151 + length) % 256).toString(16).padStart(2, '0')).join('')}`

const ORDER = 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn
const KEYS: readonly Hex[] = [
  ACCOUNTS.alice.privateKey,
  numberToHex(1n, { size: 32 }),
  numberToHex(ORDER - 1n, { size: 32 }),
]
/** Around the lengths of Keccak blocks, and where RLP needs one or two bytes for a length. */
const LENGTHS = [0, 1, 55, 56, 135, 136, 137, 256, 272, 1_000]
const DIGESTS: readonly Hex[] = [
  ...LENGTHS.map((length) => keccak256(bytes(length))),
  numberToHex(0n, { size: 32 }),
  numberToHex(ORDER, { size: 32 }),
]

test.skipIf(MISSING !== null)('the client in Python hashes, encodes and signs as viem does', async () => {
  const [token, spender, nowS] = [CANONICAL.usdg, ACCOUNTS.bob.address, 1_700_000_000]
  const transactions = LENGTHS.map(
    (length, index) =>
      [[0, 1, 127, 128, 256][index % 5] ?? 0, 10n ** BigInt(2 * index), bytes(length)] as const,
  )
  const given = {
    ...{ messages: LENGTHS.map(bytes), keys: KEYS, digests: DIGESTS, token, spender, nowS },
    transactions: transactions.map(([nonce, value, data]) => [nonce, String(value), data]),
  }
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', COMPUTE, PYTHON, JSON.stringify(given)])
  expect(`${stderr}`).toBe('')

  const account = privateKeyToAccount(ACCOUNTS.alice.privateKey)
  const validUntilS = nowS + 30 * 60
  const permit = {
    details: { token, amount: 250_500_000n, expiration: validUntilS, nonce: 0 },
    spender,
    sigDeadline: BigInt(validUntilS),
  }
  const signatures = KEYS.flatMap((privateKey) =>
    DIGESTS.map(async (hash) => {
      const { r, s, yParity } = await sign({ hash, privateKey })
      return [BigInt(r), BigInt(s), BigInt(yParity ?? 0)].map((part) => numberToHex(part))
    }),
  )
  const signed = transactions.map(([nonce, value, data]) =>
    account.signTransaction({
      ...{ type: 'eip1559', chainId: 4663, nonce, to: spender, value, data, gas: 200_000n },
      ...{ maxPriorityFeePerGas: 7n, maxFeePerGas: 2_000_000_000n },
    }),
  )
  expect(JSON.parse(`${stdout}`)).toEqual({
    hashes: LENGTHS.map((length) => keccak256(bytes(length))),
    addresses: KEYS.map((key) => privateKeyToAccount(key).address.toLowerCase()),
    signatures: await Promise.all(signatures),
    transactions: await Promise.all(signed),
    permit: encodePermit(account.address, permit, await signPermitSingle(account, permit)).toLowerCase(),
  })
})

/** Cases of each kind; recordClient.test.ts has them for the client in Node, and docs/integrators.md runs them all. */
const CASES = ['client.swap.venue_b', 'client.route.none', 'client.killed.after-fee']
const folder = temporaryFolder()

test.skipIf(MISSING !== null)('the client in Python conforms, and what it printed is kept', async () => {
  const start = `PYTHONDONTWRITEBYTECODE=1 python3 '${PYTHON}swap.py'`
  const { code, text } = await plumbline(
    ...['client', '--start', start, '--strict', '--no-config', '--instances', '2', '--out', folder.path],
    ...CASES.flatMap((id) => ['--only', id]),
  )
  expect(code, text).toBe(EXIT.conforms)
  expect(folder.read('clients', 'client.route.none.log')).toContain('"refused"')
})
