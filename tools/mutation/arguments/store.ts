import type { Argument } from './argument.ts'

const SQL = 'store/sqlStore.ts'
const SIMULATE = 'venues/simulateSettlement.ts'
const MIGRATIONS = 'store/migrations.ts'

/** The store, and what settles. */
export const store: readonly Argument[] = [
  {
    kind: 'same',
    why: 'Past windows of a budget are cleared away, or stay; nobody counts in them.',
    mutants: [
      { file: SQL, line: 'if (spent === 1) {' },
      { file: SQL, line: ".where('window_start_ms', '<', startMs - windowMs)" },
    ],
  },
  {
    kind: 'same',
    why: 'How the store is asked whether it is there, and let go of; the first is for `/healthz`.',
    mutants: [
      { file: SQL, line: 'ping(): Promise<void>' },
      {
        file: SQL,
        line: 'return this.#use(async (db) => {',
        original: '{\n      await sql`select 1`.execute(db)\n    }',
      },
      { file: SQL, line: 'await sql`select 1`' },
      { file: SQL, line: 'async close(): Promise<void>' },
      { file: SQL, line: 'if (this.#closed) return', original: 'this.#closed' },
      { file: SQL, line: 'this.#closed = true' },
      { file: SQL, line: "if (this.#closed) throw new StoreUnavailableError('it is closed')" },
    ],
  },
  {
    kind: 'same',
    why: 'Keys are listed for the operator alone, and whether one was there to be revoked is told to the operator alone (§5).',
    mutants: [
      { file: SQL, line: 'return numUpdatedRows === 1n' },
      {
        file: SQL,
        line: 'return this.#use(async (db) => {',
        replacement: '{}',
        original:
          "{\n      const rows = await db\n        .selectFrom('partner_keys')\n        .selectAll()\n        .orderBy('created_at_ms')\n        .orderBy('key_id')\n        .execute()\n      return rows.map(keyFromRow)\n    }",
      },
    ],
  },
  {
    kind: 'same',
    why: 'How a key is revoked is not shown (§5). A service that cannot revoke one cannot be asked what happens after that: the story of it ends without a verdict.',
    mutants: [
      { file: SQL, line: "updateTable('partner_keys')" },
      { file: SQL, line: '.set({ revoked_at_ms: revokedAtMs })' },
      { file: SQL, line: ".where('key_id', '=', keyId)" },
      { file: SQL, line: ".where('revoked_at_ms', 'is', null)" },
      { file: SQL, line: ".selectFrom('partner_keys')" },
    ],
  },
  {
    kind: 'same',
    why: 'When a spent budget begins anew, the caller is told by `Retry-After` alone, and no clause asks for that with 429.',
    mutants: [
      { file: SQL, line: 'const startMs = Math.floor(nowMs / windowMs) * windowMs' },
      { file: SQL, line: 'return { spent, resetsAtMs: startMs + windowMs }' },
      { file: 'http/budget.ts', line: 'ttl: Math.max(resetsAtMs - nowMs, 0)' },
    ],
  },
  {
    kind: 'same',
    why: 'Of a build that is read back nobody reads the notional: the report sums the column itself.',
    mutants: [{ file: 'store/rows.ts', line: 'notionalUsdMicros: row.notional_usd_micros === null' }],
  },
  {
    kind: 'missed',
    why: 'A database that fails by itself, and not at the edge where the world lets the store fail; `src/service/store` has tests of both databases.',
    mutants: [
      { file: SQL, line: '} catch (error) {' },
      { file: MIGRATIONS, line: 'if (error !== undefined) throw error' },
    ],
  },
  {
    kind: 'same',
    why: 'No mark of a feed and no uint256 gives a notional that is negative or wider than its column; the check is for a mistake of the service.',
    mutants: [{ file: 'store/notional.ts', line: 'if (micros < 0n || text.length' }],
  },
  {
    kind: 'same',
    why: 'The name of an index, a key or a constraint.',
    mutants: [
      {
        file: MIGRATIONS,
        line: "'partner_keys_key_and_partner'",
        original: "'partner_keys_key_and_partner'",
      },
      { file: MIGRATIONS, line: "'builds_window'", original: "'builds_window'" },
      { file: MIGRATIONS, line: "'builds_build_and_key'", original: "'builds_build_and_key'" },
      { file: MIGRATIONS, line: "'builds_key'", original: "'builds_key'" },
      { file: MIGRATIONS, line: "'attributions_build'", original: "'attributions_build'" },
      { file: MIGRATIONS, line: "'attributions_by_key'", original: "'attributions_by_key'" },
      { file: MIGRATIONS, line: "'budgets_key'", original: "'budgets_key'" },
    ],
  },
  {
    kind: 'same',
    why: 'The block’s hash is kept for whoever reads the table; no answer has it.',
    mutants: [{ file: 'store/rows.ts', line: 'attribution.blockHash.toLowerCase()' }],
  },
  {
    kind: 'same',
    why: 'Any outcome that is none of the three refusals is a record.',
    mutants: [{ file: SQL, line: "return 'recorded'", original: "'recorded'" }],
  },
  {
    kind: 'same',
    why: 'A pair has one name; which of its tokens stands first in it, and what two equal ones would be called, decides nothing.',
    mutants: [
      { file: 'venues/pairKey.ts', line: 'return a < b', replacement: 'a <= b' },
      { file: 'venues/pairKey.ts', line: 'return a < b', replacement: 'a >= b' },
    ],
  },
  {
    kind: 'same',
    why: 'There is an outcome for every call of a simulation: `readSimulation` has counted them.',
    mutants: [
      { file: SIMULATE, line: "readUint(outcomes[0]?.data ?? '')", original: "''" },
      { file: SIMULATE, line: "readUint(outcomes[before.length + 1]?.data ?? '')", original: "''" },
    ],
  },
  {
    kind: 'same',
    why: 'Without a reason, and without `delivered`, an outcome is not delivered either.',
    mutants: [{ file: SIMULATE, line: 'return { delivered: false, reason:', replacement: '{}' }],
  },
  {
    kind: 'same',
    why: 'Anvil lets the call of a sender without coins fail; the error that other nodes answer in the place of the whole simulation, it does not.',
    mutants: [
      { file: SIMULATE, line: "if (outcomes === 'unfunded')" },
      { file: 'chain/simulate.ts', line: 'if (UNFUNDED_CODES.has(reply.code))', original: "'unfunded'" },
      { file: 'chain/simulate.ts', line: 'const UNFUNDED_CODES' },
    ],
  },
]
